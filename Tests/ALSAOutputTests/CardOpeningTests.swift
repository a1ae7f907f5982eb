import Bells
import Glibc
import Testing
import Ticks
import TimedCard

@testable import ALSAOutput

private func fault(of device: consuming ALSADevice) -> ALSAFault? {
  do throws(ALSAFault) {
    _ = try device.open(0)
    return nil
  } catch {
    return error
  }
}

private func fault(of card: Card) -> ALSAFault? {
  fault(of: ALSADevice(outputs: [card.output]))
}

/// What a card refuses or insists on, through libasound.
@Suite struct CardOpeningTests {
  init() { _ = Recorder.folder }

  @Test func hdmi_thatTakesEncodedSamplesOnly_isOpenedByAnotherName_row17() throws {
    let card = Card("tv")
    card.state.pointee.only_format = 1 + 18  // SND_PCM_FORMAT_IEC958_SUBFRAME_LE
    #expect(fault(of: card) == ALSAFault(call: .encoding, code: EINVAL))
    let stand = try SystemStand(cards: [(1, "tv", "vc4-hdmi", "vc4-hdmi-0")])
    // With a conversion in front (plughw) libasound 1.2.14 makes such samples, and 1.2.8 does not.
    let output = OutputRequest(name: "hw:CARD=tv", leadIn: .milliseconds(50))
    let thread = try AudioThread(
      outputs: [output], sounds: [shortTone], settings: brief, system: stand.system)
    #expect(thread.traits.keepAlive == .sit)
    thread.warm()
    let news = reports(
      of: thread, until: { if case .opened = $0 { true } else { false } }, within: .seconds(3))
    #expect(news.count == 1)
    var warnings: [AudioWarning] = []
    // They are found out beside, and come by themselves.
    #expect(
      wait(within: .seconds(3)) {
        _ = thread.takeReports()
        warnings += thread.takeWarnings()
        return !warnings.isEmpty
      })
    #expect(
      warnings.map(\.description) == [
        "sound device 'hw:CARD=tv': it takes IEC958 samples only; "
          + "'default:CARD=tv' is taken instead"
      ])
    #expect(thread.takeWarnings().isEmpty)
    try thread.stop()
  }

  @Test func encodedSamples_onACardThatIsNotListed_areSaid_row17() {
    let card = Card("encoder")
    card.state.pointee.only_format = 1 + 18
    let name = "hw:CARD=encoder"
    let error = ALSAOutputError(name, ALSAFault(call: .encoding, code: EINVAL), on: SoundSystem())
    #expect(fault(of: card)?.call == .encoding)
    #expect(
      error.description == "sound device 'hw:CARD=encoder': it takes IEC958 samples only; "
        + "name it as default:CARD=… or hdmi:CARD=…")
  }

  @Test func errors_ofAnHDMIOutputWithoutATelevision_sayThatNobodyListens_row18() throws {
    let card = Card("dark")
    card.state.pointee.open_error = 524
    let unsupported = try #require(fault(of: card))
    #expect(unsupported == ALSAFault(call: .open, code: 524))
    card.state.pointee.open_error = Int64(ENODEV)
    let gone = try #require(fault(of: card))
    let stand = try SystemStand(cards: [(0, "dark", "vc4-hdmi", "vc4-hdmi-1")])
    for fault in [unsupported, gone] {
      let error = ALSAOutputError("hw:CARD=dark", fault, on: stand.system)
      #expect(error == .noListener(name: "hw:CARD=dark"))
      #expect(error.short == "No sound (no television listens)")
    }
  }

  @Test func error112_isASoundServerThatDoesNotAnswer_row23() throws {
    let card = Card("served")
    card.state.pointee.open_error = 112
    let down = try #require(fault(of: card))
    let error = ALSAOutputError("hw:CARD=served", down, on: SoundSystem())
    #expect(error == .noServer(name: "hw:CARD=served"))
    #expect(
      error.description == "sound device 'hw:CARD=served': the sound server does not answer; "
        + "name a card instead, as default:CARD=…")
  }

  @Test func sharedName_thatCannotBeMade_isOpenedAsTheCardItself_row24() throws {
    let card = Card("shared")
    let stand = try SystemStand(cards: [(0, "shared", "USB-Audio", "A card")])
    var device = ALSADevice(
      outputs: [OutputRequest(name: "dmix:CARD=shared")], system: stand.system)
    #expect(fault(of: ALSADevice(outputs: device.outputs))?.code == ENOENT)
    #expect(try device.open(0).rateHertz == 48_000)
    #expect(card.state.pointee.openings == 1)
    #expect(device.traits(of: 0).leadIn == .seconds(1))
    device.close()
  }

  @Test func sharedName_withoutItsCard_goesToNoOther() throws {
    let card = Card("other")
    let stand = try SystemStand(cards: [(1, "other", "USB-Audio", "A card")])
    let output = [OutputRequest(name: "dmix")]
    #expect(fault(of: ALSADevice(outputs: output, system: stand.system))?.code == ENOENT)
    #expect(card.state.pointee.openings == 0)
  }

  @Test func hdmi_onACardWithOtherOutputs_isTreatedAsHDMIOnceItIsOpen() throws {
    let card = Card("portHDMI")
    let stand = try SystemStand(cards: [(0, "PCH", "HDA-Intel", "HDA Intel PCH")])
    var device = ALSADevice(outputs: [OutputRequest(name: card.output.name)], system: stand.system)
    #expect(device.traits(of: 0).leadIn == OutputKind.analogue.leadIn)
    _ = try device.open(0)
    #expect(device.traits(of: 0).leadIn == OutputKind.hdmi.leadIn)
    device.close()
  }

  @Test func card_thatRefusesOurRate_givesItsOwn_andPlughwNeedsNoConversionOfRate() throws {
    let card = Card("slowest")
    card.state.pointee.rate_min = 96_000
    card.state.pointee.rate_max = 96_000
    for name in ["hw:CARD=slowest", "plughw:CARD=slowest"] {
      var device = ALSADevice(outputs: [OutputRequest(name: name)])
      #expect(try device.open(0) == PCMFormat(rateHertz: 96_000, bufferFrames: 19_200))
      device.close()
    }
  }

  @Test func card_whoseBufferIsOnePeriod_isRefused() {
    let card = Card("single")
    card.state.pointee.periods_max = 1
    #expect(fault(of: card) == ALSAFault(call: .configure, code: EINVAL))
  }

  @Test func card_withAHugeBuffer_isAskedForAShortOne() throws {
    let card = Card("huge")
    card.state.pointee.buffer_bytes_max = 1 << 30
    card.state.pointee.period_bytes_max = 1 << 29
    var device = ALSADevice(outputs: [card.output])
    #expect(try device.open(0).bufferFrames == 9_600)
    device.close()
  }

  @Test func card_thatInsistsOnMinutesOfBuffer_isRefused() {
    let card = Card("absurd")
    card.state.pointee.channels_max = 2
    card.state.pointee.rate_max = 48_000
    card.state.pointee.buffer_bytes_min = 1 << 27
    card.state.pointee.buffer_bytes_max = 1 << 28
    card.state.pointee.period_bytes_max = 1 << 26
    #expect(fault(of: card) == ALSAFault(call: .configure, code: EINVAL))
  }

  @Test func card_whosePeriodIsFixed_isTakenWithIt() throws {
    let card = Card("fixed")
    card.state.pointee.only_format = 1 + 2
    card.state.pointee.channels_max = 2
    card.state.pointee.channels_min = 2
    card.state.pointee.period_bytes_min = 4_096
    card.state.pointee.period_bytes_max = 4_096
    var device = ALSADevice(outputs: [card.output])
    _ = try device.open(0)
    #expect(device.negotiated.periodFrames == 1_024)
    #expect(device.negotiated.format == .integer16)
    device.close()
  }

  @Test func failedOpening_writesNothingToStandardError_row41() throws {
    let path = Recorder.folder + "/errors"
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0o600)
    let kept = dup(2)
    try #require(file >= 0 && kept >= 0 && dup2(file, 2) == 2)
    let names = ["nothing", "hw:CARD=nobody", "dmix:CARD=nobody", "plughw:CARD=nobody"]
    let faults = names.compactMap { fault(of: ALSADevice(outputs: [OutputRequest(name: $0)])) }
    dup2(kept, 2)
    var bytes = Array(repeating: UInt8(0), count: 1 << 16)
    let count = max(0, pread(file, &bytes, bytes.count, 0))
    // What others have written meanwhile goes where it was meant to go.
    #expect(write(2, bytes, count) == count)
    close(file)
    close(kept)
    unlink(path)
    #expect(faults.count == names.count)
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    #expect(!text.split(separator: "\n").contains { $0.hasPrefix("ALSA") })
  }
}
