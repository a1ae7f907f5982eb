import Controls
import LinuxIO
import Settings
import Testing

@testable import GPIOInput

/// Messages that no stand-in brings about.
@Suite struct TextTests {
  @Test func forbidden_whereTheGroupMay_saysHowToJoinIt() {
    let error = GPIOError.forbidden(
      node: "/dev/gpiochip0", owner: "root", group: "gpio", mode: 0o660, user: "timerbox")
    expect(
      error.description,
      "/dev/gpiochip0 belongs to root:gpio with mode 0660 and may not be opened; add the user "
        + "to the group (usermod --append --groups gpio timerbox), then start anew")
  }

  @Test(arguments: [("root", UInt32(0o660)), ("gpio", 0o640), ("gpio", 0o600)])
  func forbidden_whereNoGroupMay_saysHowToMakeOne(_ group: String, _ mode: UInt32) {
    let error = GPIOError.forbidden(
      node: "/dev/gpiochip0", owner: "root", group: group, mode: mode, user: "pi")
    expect(
      error.description,
      "/dev/gpiochip0 belongs to root:\(group) with mode 0\(String(mode, radix: 8)) and may "
        + "not be opened; give it a group with a udev rule (SUBSYSTEM==\"gpio\", GROUP=\"gpio\", "
        + "MODE=\"0660\"), add the user to that group (usermod --append --groups gpio pi), then "
        + "start anew")
  }

  @Test func chipMissing_bySelector_saysWhatWasWanted() {
    func text(_ wanted: ChipSelector) -> String {
      GPIOError.chipMissing(wanted: wanted, folder: "/dev", seen: []).description
    }
    let end = "; there is none in /dev"
    expect(text(.label("gpio0")), "no GPIO chip has the label \"gpio0\"" + end)
    expect(text(.name("gpiochip7")), "no GPIO chip has the name \"gpiochip7\"" + end)
    expect(text(.path("/dev/door")), "no GPIO chip is at /dev/door" + end)
  }

  @Test func failure_withoutACaseOfItsOwn_isTheSystemsText() {
    let error = SystemError(call: "open", path: "/dev/gpiochip0", errno: .tooManyOpenFiles)
    #expect(
      GPIOError.failed(nil, error).description == "open /dev/gpiochip0: Too many open files")
  }

  @Test func subject_ofAnError_isItsLineOrWhatHasNoneOrTheChip() {
    let wanted = GPIOError.chipMissing(wanted: .automatic, folder: "/dev", seen: [])
    let errors: [GPIOError] = [
      wanted, .gone(chip: "gpiochip0", label: "gpio0"), .notAChip(path: "/dev/null"),
      .noInterface(path: "/dev/gpiochip0", generation: 1),
      .pastEnd(offset: 9, chip: "gpiochip0", lineCount: 8, use: .input(.s)),
      .lineAmbiguous(name: "X", chip: "gpiochip0", use: .output(.led), offsets: [1, 2]),
    ]
    expect(
      errors.map(\.subject),
      [
        "GPIO chip", "GPIO chip", "GPIO chip", "GPIO chip", "the crown's switch",
        "the output led",
      ])
    let place = GPIOError.Place(chip: "gpiochip0", offset: 8, name: "SPI_CE0_N", use: .input(.s))
    for error: GPIOError in [
      .busy(place, consumer: "spi0 CS0"), .noInterrupts(place),
      .givenTwice(place, other: .input(.up)),
      .failed(place, SystemError(call: "set", errno: .inputOutput)),
    ] {
      expect(error.subject, "gpiochip0 line 8 (SPI_CE0_N), the crown's switch")
      #expect(error.description.hasPrefix(error.subject))
    }
  }

  @Test func version_ofTheLoadedLibrary_beginsWithTheGenerationItWasBuiltFor() {
    #expect(GPIOLibrary.version.hasPrefix("\(GPIOLibrary.generation)."))
    #expect(GPIOLibrary.loadedGeneration == GPIOLibrary.generation)
  }
}
