import GPIOInput
import Testing

private let pi4 = """
  chip gpiochip0 pinctrl-bcm2711 58
  line 8 SPI_CE0_N
  line 17 GPIO17
  line 27 GPIO27

  """

@Suite struct RequestTests {
  @Test(arguments: Generation.allCases)
  func s5_lineOfTheSPIDriver_isBusyWithLineChipAndConsumer(_ generation: Generation) throws {
    let stand = try Stand(generation, pi4 + "busy 8 spi0 CS0")
    let output = try stand.run("auto A=GPIO17 B=GPIO27 S=8", "read", "deadline")
    expect(
      output,
      [
        "taken AB=high".spread,
        "fault gpiochip0 line 8 (SPI_CE0_N), the crown's switch: in use by \"spi0 CS0\"; "
          + "choose another line, or end what uses it", "in 60 s",
      ])
  }

  @Test(arguments: Generation.allCases)
  func s5_busyLine_isAskedForOnceAMinuteAndTakenWhenItIsFree(_ generation: Generation) throws {
    let stand = try Stand(generation, pi4 + "busy 8 spi0 CS0\ngo\nlow 8\nfree 8")
    let output = try stand.run(
      "auto A=GPIO17 B=GPIO27 S=8", "read", "skip 59", "read", "skip 1", "read", "deadline", "go",
      "skip 59", "read", "skip 1", "read", "deadline")
    expect(
      Array(output[2...]),
      [
        "no news", "no news", "in 60 s", "no news", "taken S=low", "no fault", "no deadline",
      ])
    let requests = stand.log("request gpiochip0 8")
    #expect(requests == Array(repeating: "request gpiochip0 8 \(asked)", count: 3))
  }

  @Test(arguments: Generation.allCases)
  func s6_oneLineForTwoParts_isRefusedBeforeAnyRequestOfIt(_ generation: Generation) throws {
    let stand = try Stand(generation, pi4)
    try stand.run(
      "auto S=GPIO17 U=17 D=5", "read", "deadline",
      prints: [
        "taken D=high",
        "fault gpiochip0 line 17 (GPIO17), the crown's switch: given to the key up too",
        "fault gpiochip0 line 17 (GPIO17), the key up: given to the crown's switch too",
        "no deadline",
      ])
    expect(stand.log("request"), ["request gpiochip0 5 \(asked)"])
  }

  @Test(arguments: Generation.allCases)
  func s8_requestOfEdges_carriesBiasPolarityAndDirectionToo(_ generation: Generation) throws {
    let stand = try Stand(generation, pi4)
    _ = try stand.run(
      "auto A=GPIO17 B=GPIO27 S=22,no-pull U=5,pull-down,high D=6,as-is L=13,high "
        + "led=26 quiet=16,low",
      "read")
    expect(
      stand.log("request"),
      [
        "request gpiochip0 17 input pull-up active-low both-edges for timerbox",
        "request gpiochip0 27 input pull-up active-low both-edges for timerbox",
        "request gpiochip0 22 input disabled active-low both-edges for timerbox",
        "request gpiochip0 5 input pull-down both-edges for timerbox",
        "request gpiochip0 6 input as-is active-low both-edges for timerbox",
        "request gpiochip0 13 input pull-up both-edges for timerbox",
        "request gpiochip0 26 output as-is for timerbox",
        "request gpiochip0 16 output as-is active-low for timerbox",
      ])
  }

  @Test(arguments: Generation.allCases)
  func s8_requestAfterALoss_carriesTheSameAgain(_ generation: Generation) throws {
    let stand = try Stand(generation, pi4 + "go\nunplug\ngo\nplug")
    _ = try stand.run("auto S=GPIO17", "read", "go", "read", "go", "read")
    #expect(
      stand.log("request") == Array(repeating: "request gpiochip0 17 \(asked)", count: 2))
  }

  @Test(arguments: Generation.allCases, ["rotary@11", "gpio_keys", "button@17"])
  func s13_lineOfAKernelDriver_isExplainedAsAnOverlay(
    _ generation: Generation, _ consumer: String
  ) throws {
    let stand = try Stand(generation, pi4 + "busy 27 \(consumer)")
    let output = try stand.run("auto A=GPIO17 B=GPIO27 S=22", "read")
    expect(
      output,
      [
        "taken S=high",
        "fault gpiochip0 line 27 (GPIO27), the crown's contact B: in use by \"\(consumer)\", a "
          + "driver that a device-tree overlay has loaded; wire it as an input device, or remove "
          + "the overlay",
      ])
    // One contact is of no use: the other is not kept.
    expect(stand.log("release"), ["release gpiochip0 17", "release gpiochip0 22"])
  }

  // The second stand-in ends the program when a request asks the kernel to debounce: what another
  // program left there is put back to nothing, and every change of our own span takes effect in our
  // own code.
  @Test(arguments: Generation.allCases)
  func s14_debounce_isNeverTheKernels(_ generation: Generation) throws {
    let stand = try Stand(generation, pi4 + "go\nedge 0 17 0\nedge 40 17 1\nedge 90 17 0")
    try stand.run(
      "auto S=GPIO17", "read", "go", "read",
      prints: [
        "taken S=high", "edge S low 0", "edge S high 40", "edge S low 90",
      ])
  }

  @Test(arguments: Generation.allCases)
  func polarity_ofALineToThePositiveSide_makesTheHigherVoltagePressed(
    _ generation: Generation
  ) throws {
    let stand = try Stand(generation, pi4 + "low 5\ngo\nedge 0 5 1\nedge 100 17 0")
    try stand.run(
      "auto S=GPIO17 U=5,high,pull-down", "read", "go", "read", "levels SU",
      prints: [
        "taken SU=high".spread, "edge U low 0", "edge S low 100", "levels SU=low".spread,
      ])
  }

  @Test(arguments: Generation.allCases)
  func everyLine_isReleasedAndTheChipClosedAtTheEnd(_ generation: Generation) throws {
    let stand = try Stand(generation, pi4)
    _ = try stand.run("auto A=GPIO17 B=GPIO27 S=22 led=26", "read")
    let released = [17, 22, 26, 27].map { "release gpiochip0 \($0)" }
    expect(stand.log("release").sorted(), released)
    #expect(stand.log.last == "close gpiochip0")
  }

  @Test(arguments: Generation.allCases)
  func output_isDrivenByItsRoleAndKeepsItsStateOverALoss(_ generation: Generation) throws {
    let stand = try Stand(generation, pi4 + "go\nunplug\ngo\nplug")
    let output = try stand.run(
      "auto S=GPIO17 led=26 quiet=16,low", "read", "on led", "on led", "on amp", "go", "read",
      "off led", "on quiet", "go", "read")
    #expect(output[0] == "taken S=high")
    expect(
      stand.log("drive"),
      [
        "drive gpiochip0 26 1", "drive gpiochip0 26 0", "drive gpiochip0 16 1",
      ])
  }

  @Test(arguments: Generation.allCases)
  func output_thatCannotBeDriven_isToldAtOnceAndDrivenAgainAfterAMinute(
    _ generation: Generation
  ) throws {
    let stand = try Stand(generation, pi4 + "stuck 26")
    try stand.run(
      "auto S=GPIO17 led=26", "read", "deadline", "on led", "deadline", "read", "deadline",
      "skip 60", "read",
      prints: [
        "taken S=high", "no deadline", "due",
        "fault gpiochip0 line 26, the output led: set \(stand.folder)/dev/gpiochip0: "
          + "Input/output error", "in 60 s", "no news",
      ])
    #expect(stand.log("request gpiochip0 26").count == 2)
  }

  @Test(arguments: Generation.allCases)
  func output_thatAnotherHas_disturbsNoInput(_ generation: Generation) throws {
    let stand = try Stand(generation, pi4 + "busy 26 lamp\ngo\nedge 0 17 0")
    try stand.run(
      "auto S=GPIO17 led=26", "read", "on led", "go", "read",
      prints: [
        "taken S=high",
        "fault gpiochip0 line 26, the output led: in use by \"lamp\"; choose another line, or end "
          + "what uses it", "edge S low 0",
      ])
  }
}
