import Controls
import Settings
import Testing
import Ticks

private func inputs(_ lines: String) throws -> [InputWiring] {
  try board(boardHead + "[lines]\n" + lines).wiring.inputs
}

@Test func wiring_withSomeLines_hasThoseInOrder() throws {
  let inputs = try inputs("play = P\ncrown-b = 27\ncrown-a = GPIO17\n")
  #expect(
    inputs == [
      InputWiring(line: .a, selector: .name("GPIO17")),
      InputWiring(line: .b, selector: .offset(27)), InputWiring(line: .play, selector: .name("P")),
    ])
}

@Test func wiring_lineInQuotationMarks_isAName() throws {
  #expect(try inputs("up = \"7J1 Header Pin12\"")[0].selector == .name("7J1 Header Pin12"))
  #expect(try inputs("up = \"12\" pull-down")[0].selector == .name("12"))
  #expect(try inputs("up = \"16 [GPIOX_10]\"")[0].selector == .name("16 [GPIOX_10]"))
}

private let polarities: [(lines: String, bias: Bias, isActiveLow: Bool)] = [
  ("up = 5", Bias.pullUp, true), ("up = 5 pull-down", .pullDown, false),
  ("up = 5 active-low", .pullUp, true), ("up = 5 no-pull active-high", .disabled, false),
  ("up = 5 active-low\tas-is", .asIs, true), ("bias = pull-down\nup = 5", .pullDown, false),
  ("up = 5\nbias = pull-down", .pullDown, false),
  ("bias = pull-down\nactive = high\nup = 5", .pullDown, false),
  ("bias = no-pull\nactive = low\nup = 5", .disabled, true),
  ("bias = no-pull\nactive = low\nup = 5 active-high", .disabled, false),
  ("bias = no-pull\nactive = low\nup = 5 pull-down", .pullDown, false),
  ("bias = pull-down\nactive = high\nup = 5 no-pull", .disabled, false),
  ("bias = pull-up\nactive = low\nup = 5 pull-down active-high", .pullDown, false),
]

@Test(arguments: polarities)
func wiring_biasAndActiveLevel_areTheLinesOwnOrThoseOfAll(
  lines: String, bias: Bias, isActiveLow: Bool
) throws {
  #expect(
    try inputs(lines)
      == [InputWiring(line: .up, selector: .offset(5), bias: bias, isActiveLow: isActiveLow)])
}

@Test func wiring_outputs_areActiveHighUnlessTheySay() throws {
  let text =
    boardHead + "[outputs]\nbuzzer = 4\nled = GPIO26\namp = GPIO25 active-low\nquiet = 16\n"
  #expect(
    try board(text).wiring.outputs == [
      OutputWiring(role: .buzzer, selector: .offset(4)),
      OutputWiring(role: .led, selector: .name("GPIO26")),
      OutputWiring(role: .amp, selector: .name("GPIO25"), isActiveLow: true),
      OutputWiring(role: .quiet, selector: .offset(16)),
    ])
}

@Test func wiring_simulatedOutputs_haveLinesOfTheirOwn() throws {
  let text = "[board]\nname = a\nchip = simulated\n[outputs]\nled = LED\namp = AMP active-low\n"
  #expect(try board(text).wiring.outputs.map(\.selector) == [.name("LED"), .name("AMP")])
}

private let lineExpected = "expected a line's name such as GPIO17, or its offset from 0 to 1023"
private let wordsExpected =
  "expected pull-up, pull-down, no-pull, as-is, active-low or active-high"

private let wrongLines: [(lines: String, message: String)] = [
  (
    "crown-c = A",
    "b.ini:5:1: found \"crown-c\", expected crown-a, crown-b, crown-switch, up, down, left, right, "
      + "select, back, play, bias or active; did you mean \"crown-a\"?"
  ),
  ("up =", "b.ini:5:5: found nothing, \(lineExpected)"),
  ("up = 1024", "b.ini:5:6: found \"1024\", \(lineExpected)"),
  ("up = 99999999999", "b.ini:5:6: found \"99999999999\", \(lineExpected)"),
  ("up = \"GPIO5", "b.ini:5:6: found \"\"GPIO5\", \(lineExpected)"),
  ("up = \"\"", "b.ini:5:6: found \"\"\"\", \(lineExpected)"),
  (
    "up = a234567890123456789012345678901z",
    "b.ini:5:6: found \"a234567890123456789012345678901z\", \(lineExpected)"
  ),
  (
    "up = 5  pull-upp",
    "b.ini:5:9: found \"pull-upp\", \(wordsExpected); did you mean \"pull-up\"?"
  ),
  ("up = 5 active-low x", "b.ini:5:19: found \"x\", \(wordsExpected)"),
  ("up = 5 as-is pull-up", "b.ini:5:14: found \"pull-up\", expected only one bias"),
  (
    "up = 5 active-low active-high",
    "b.ini:5:19: found \"active-high\", expected only one active level"
  ),
  (
    "bias = up",
    "b.ini:5:8: found \"up\", expected pull-up, pull-down, no-pull or as-is"
  ),
  ("active = lo", "b.ini:5:10: found \"lo\", expected low or high; did you mean \"low\"?"),
  // gpiozero's rule of polarity: what floats must say what it is when active, and a pull that is
  // against the active level would be a switch that is pressed for ever.
  (
    "up = 5 no-pull",
    "b.ini:5:6: found \"5 no-pull\", expected active-low or active-high beside no-pull"
  ),
  (
    "up = 5 pull-down active-low",
    "b.ini:5:6: found \"5 pull-down active-low\", expected active high, for pull-down keeps an "
      + "open switch low"
  ),
  (
    "up = 5 active-high",
    "b.ini:5:6: found \"5 active-high\", expected active low, for pull-up keeps an open switch high"
  ),
  (
    "bias = as-is\nup = 5\ndown = 6",
    "b.ini:5:8: found \"as-is\", expected active beside it, low or high"
  ),
  (
    "bias = pull-down\nactive = low\nup = 5\ndown = 6",
    "b.ini:6:10: found \"low\", expected active high, for pull-down keeps an open switch low"
  ),
  ("crown-a = 5", "b.ini:5:1: found \"crown-a\", expected crown-b beside it"),
  ("crown-b = 5\nup = 6", "b.ini:5:1: found \"crown-b\", expected crown-a beside it"),
  (
    "up = 5\nup = 6",
    "b.ini:6:1: found a second \"up\", expected it once; the first is on line 5"
  ),
]

@Test(arguments: wrongLines)
func wiring_wrongLine_isRefusedWithItsPlace(lines: String, message: String) {
  #expect(boardMessages(after: "[lines]\n" + lines) == message)
}

/// S6 of the field's reports: a line that is given twice is refused before any request.
private let doubledLines: [(lines: String, message: String)] = [
  ("up = U\ndown = U", "b.ini:6:8: found \"U\", expected another line, for up has this one"),
  ("up = 17\ndown = 17", "b.ini:6:8: found \"17\", expected another line, for up has this one"),
  (
    "up = GPIO17\ndown = 17",
    "b.ini:6:8: found \"17\", expected another line, for up has this one"
  ),
  (
    "up = GPIO4\ndown = GPIO_GCLK",
    "b.ini:6:8: found \"GPIO_GCLK\", expected another line, for up has this one"
  ),
  (
    "up = 8\n[outputs]\nled = SPI_CE0_N",
    "b.ini:7:7: found \"SPI_CE0_N\", expected another line, for up has this one"
  ),
  (
    "[outputs]\nled = GPIO4\nquiet = \"GPIO4\"",
    "b.ini:7:9: found \"\"GPIO4\"\", expected another line, for led has this one"
  ),
]

@Test(arguments: doubledLines)
func s6_lineGivenTwice_isRefused(lines: String, message: String) {
  #expect(boardMessages(after: "[lines]\n" + lines) == message)
}

private let wrongForTheChip: [(chip: String, lines: String, message: String)] = [
  (
    "simulated", "up = X",
    "b.ini:5:6: found \"X\", expected a line of the simulated chip: A, B, S, U, D, L, R, O, K or P"
  ),
  (
    "simulated", "up = 3",
    "b.ini:5:6: found \"3\", expected a line of the simulated chip: A, B, S, U, D, L, R, O, K or P"
  ),
  (
    "simulated", "[outputs]\nled = A",
    "b.ini:6:7: found \"A\", expected a line of the simulated chip: LED, QUIET, AMP or BUZZER"
  ),
  (
    "simulated", "up = U pull-down",
    "b.ini:5:6: found \"U\", expected pull-up, as all lines of the simulated chip have"
  ),
  (
    "simulated", "bias = pull-down\nup = U",
    "b.ini:6:6: found \"U\", expected pull-up, as all lines of the simulated chip have"
  ),
  (
    "pinctrl-rp1", "up = 54",
    "b.ini:5:6: found \"54\", expected an offset from 0 to 53 on pinctrl-rp1"
  ),
  (
    "pinctrl-bcm2711", "[outputs]\nled = 58",
    "b.ini:6:7: found \"58\", expected an offset from 0 to 57 on pinctrl-bcm2711"
  ),
]

@Test(arguments: wrongForTheChip)
func wiring_lineThatTheChipCannotHave_isRefused(chip: String, lines: String, message: String) {
  let text = "[board]\nname = a\nchip = \(chip)\n[lines]\n\(lines)"
  #expect(boardMessages(text) == message)
}

@Test(arguments: ["pinctrl-bcm2711", "auto", "gpiochip0", "pinctrl-bcm2835"])
func wiring_lastLineOfTheChip_isTaken(chip: String) throws {
  let text = "[board]\nname = a\nchip = \(chip)\n[lines]\nup = 53\n"
  #expect(try board(text).wiring.inputs[0].selector == .offset(53))
}
