import Testing

/// What `doctor` says of the sound, and whether a bell would be heard.
@Suite struct DoctorTests {
  private let place: Surroundings

  init() throws { place = try Surroundings() }

  private func doctor(_ configuration: String) throws -> Finished {
    try place.write(configuration, to: "box.conf")
    return try place.run("doctor", "--config", place.path("box.conf"))
  }

  @Test func doctor_ofAnOutputThatOpens_isWell() throws {
    let finished = try doctor("[sound]\ndevice = null\n")
    #expect(finished.output == "ok output null\n")
    #expect(finished.status == 0)
  }

  @Test func doctor_ofAnOutputThatIsNotThere_namesItsCureAndTheFallbackThatRings() throws {
    let alone = try doctor("[sound]\ndevice = nothing\n")
    #expect(
      alone.output == "!! output nothing: sound device 'nothing': ALSA's configuration has no such "
        + "name. `timerbox devices` lists the cards; name one in sound.device.\n")
    #expect(alone.status == 1)
    let helped = try doctor("[sound]\ndevice = nothing\nfallback = null\n")
    #expect(helped.output.hasSuffix("\nok output null\n"))
    #expect(helped.status == 0)
  }

  @Test func doctor_ofARecordingThatIsMissing_namesItAndWhatRings() throws {
    let finished = try doctor("[sound]\ndevice = null\n[bell end]\nsound = own/gone\n")
    #expect(
      finished.output
        == "ok output null\n!! own/gone: there is no such recording. The built-in bell "
        + "rings in its place. `timerbox sounds add FILE` makes it anew.\n")
    #expect(finished.status == 0)
  }
}
