import Controls
import Settings
import Testing
import Ticks

@Test func board_simulated_hasTheCrownAndSevenButtonsAtRest() {
  let board = Board.simulated
  #expect(board.name == "simulated")
  #expect(board.wiring.chip == .simulated)
  #expect(board.wiring.inputs.map(\.line) == Line.allCases)
  #expect(
    board.wiring.inputs.map(\.selector)
      == ["A", "B", "S", "U", "D", "L", "R", "O", "K", "P"].map { .name($0) })
  #expect(board.wiring.inputs.allSatisfy { $0.bias == .pullUp && $0.isActiveLow })
  #expect(board.wiring.outputs.isEmpty)
  #expect(Configuration(board: board) == Configuration())
}

@Test func board_fileOfTheSimulatedBoard_saysTheSame() throws {
  #expect(try Board(projectFile("board/simulated.ini"), file: "simulated.ini") == .simulated)
}

@Test func board_keysOfCrownAndButton_areOverriddenByTheConfiguration() throws {
  let text = boardHead + "[crown]\ndetents-per-cycle = 2\nreverse = yes\n[button]\nlong = 1s\n"
  var configuration = Configuration(board: try board(text))
  #expect(configuration.crown.detentsPerCycle == 2)
  #expect(configuration.crown.isReversed)
  #expect(configuration.button.long == .seconds(1))
  #expect(configuration.origin(of: "crown.reverse").text == "b.ini:6:1")
  try configuration.read(Array("[crown]\nreverse = no\n".utf8), file: "t.conf")
  #expect(!configuration.crown.isReversed)
  #expect(configuration.crown.detentsPerCycle == 2)
}

@Test func board_sound_isTheDeviceUnlessTheConfigurationNamesOne() throws {
  let board = try board(boardHead + "sound = hw:CARD=DAC,DEV=0\n")
  #expect(board.soundDevice == "hw:CARD=DAC,DEV=0")
  #expect(Board.simulated.soundDevice == nil)
  var configuration = Configuration(board: board)
  #expect(configuration.sound.device == "hw:CARD=DAC,DEV=0")
  #expect(configuration.origin(of: "sound.device").text == "b.ini:4:1")
  try configuration.set(key: "sound.device", value: "default")
  #expect(configuration.sound.device == "default")
}

private let chips: [(text: String, chip: ChipSelector)] = [
  ("auto", ChipSelector.automatic), ("simulated", .simulated),
  ("pinctrl-rp1", .label("pinctrl-rp1")),
  ("gpio4", .label("gpio4")), ("300b000.pinctrl", .label("300b000.pinctrl")),
  ("gpiochip0", .name("gpiochip0")), ("gpiochip15", .name("gpiochip15")),
  ("/dev/gpiochip0", .path("/dev/gpiochip0")),
]

@Test(arguments: chips)
func board_chip_isAutomaticOrALabelANameOrAPath(text: String, chip: ChipSelector) throws {
  #expect(try board("[board]\nname = a\nchip = \(text)\n").wiring.chip == chip)
}

@Test func board_withADeviceAndNoLines_needsNoChip() throws {
  let board = try board("[board]\nname = tv\n[input a]\ndevice = *\n")
  #expect(board.wiring == Wiring(chip: .automatic, inputs: []))
}

@Test func board_amplifier_hasItsSettlingTime() throws {
  let text = boardHead + "[outputs]\namp = GPIO25\namp-settling = 120ms\n"
  #expect(try board(text).ampSettling == .milliseconds(120))
  #expect(try board(boardHead + "[outputs]\namp = GPIO25\n").ampSettling == nil)
}

/// In a table of its own, with its type: Swift 6.0 cannot infer it inside the macro in good time.
private let wrongBoards: [(text: String, message: String)] = [
  ("[board]\nname = pi", "b.ini:1:1: found no such key, expected chip in [board]"),
  (
    "[board]\nname = pi\n[lines]\nup = 5\n[input a]\ndevice = a",
    "b.ini:1:1: found no such key, expected chip in [board]"
  ),
  ("[board]\nchip = simulated", "b.ini:1:1: found no such key, expected name in [board]"),
  (
    "[board]\nname =\nchip = simulated",
    "b.ini:2:7: found nothing, expected a name of at most 63 letters, digits, - and _"
  ),
  (
    "[board]\nname = a\nchip =",
    "b.ini:3:7: found nothing, expected auto, simulated, or a chip's label, name or path"
  ),
  (
    "[board]\nname = a\nchip = atuo\n[lines]\nup = U",
    "b.ini:3:8: found \"atuo\", expected auto, simulated, or a chip's label, name or path; did you "
      + "mean \"auto\"?"
  ),
  (
    "[board]\nname = a\nchip = gpiochip",
    "b.ini:3:8: found \"gpiochip\", expected a chip's name such as gpiochip0"
  ),
  (
    "[board]\nname = a\nchip = gpiochip1x",
    "b.ini:3:8: found \"gpiochip1x\", expected a chip's name such as gpiochip0"
  ),
  (
    boardHead + "chips = x",
    "b.ini:4:1: found \"chips\", expected name, chip or sound; did you mean \"chip\"?"
  ),
  (
    boardHead + "sound =",
    "b.ini:4:8: found nothing, expected an ALSA device by the id of its card, as "
      + "/proc/asound/cards has it in brackets, such as default or hw:CARD=DAC"
  ),
  (
    boardHead + "[sit]\nlength = 5m",
    "b.ini:4:1: found [sit], expected one of board, lines, outputs, input NAME, crown, button, "
      + "crown panel or remote panel"
  ),
  (
    boardHead + "[line]\nup = 5",
    "b.ini:4:1: found [line], expected one of board, lines, outputs, input NAME, crown, button, "
      + "crown panel or remote panel; did you mean \"lines\"?"
  ),
  (boardHead + "[input]\ndevice = a", "b.ini:4:1: found [input], expected [input NAME]"),
  (
    boardHead + "[crown]\nstep = 5m",
    "b.ini:5:1: found \"step\", expected detents-per-cycle or reverse in [crown]"
  ),
  (
    boardHead + "[button]\ndouble = 50ms\ndebounce = 60ms",
    "b.ini:6:1: found \"button.debounce = 60ms\", expected at most button.double (50ms)"
  ),
  (boardHead + "[crown]\nreverse = maybe", "b.ini:5:11: found \"maybe\", expected yes or no"),
  (
    boardHead + "[outputs]\namp-settling = 10ms",
    "b.ini:5:1: found \"amp-settling\", expected amp in [outputs] beside it"
  ),
  (
    boardHead + "[outputs]\namp = 5\namp-settling = 11s",
    "b.ini:6:16: found \"11s\", expected a length from 0 to 10s"
  ),
  (
    boardHead + "[outputs]\namp = 5\namp-setling = 1s",
    "b.ini:6:1: found \"amp-setling\", expected led, quiet, amp, buzzer or amp-settling; did you "
      + "mean \"amp-settling\"?"
  ),
]

@Test(arguments: wrongBoards)
func board_wrongFile_isRefusedWithItsPlace(text: String, message: String) {
  #expect(boardMessages(text) == message)
}

@Test func board_fileOfAnotherKind_isRefusedInAFewLines() {
  let text = (0..<30).map { "name\($0):x:\($0)\n" }.joined()
  let lines = boardMessages(text).split(separator: "\n")
  #expect(lines.count == 6)
  #expect(lines[0] == "b.ini:1:1: found \"name0:x:0\", expected KEY = VALUE")
  #expect(lines[5] == "and 25 more")
}

@Test func board_seededText_isReadOrRefusedButNeverFatal() {
  var generator = SeededGenerator(seed: 3)
  let words = [
    "[board]", "[lines]", "[outputs]", "[input a]", "[crown]", "[remote panel]", "name",
    "idle.play", "chip", "=", "auto", "up",
    "crown-a", "GPIO17", "17", "pull-down", "active-low", "\"", "\"a b\"", "led", "device",
    "KEY_OK",
    "select", "turn", "REL_X", "\n", "\n", "\n", "#", "99999999999", "앉",
  ]
  for _ in 0..<2_000 {
    let text = (0..<generator.below(30)).map { _ in
      words[Int(generator.below(UInt64(words.count)))]
    }.joined(separator: " ")
    let refusal = boardMessages(text)
    #expect(refusal.isEmpty || refusal.hasPrefix("b.ini:"))
  }
}
