import Settings
import Testing

private let card = "sndrpihifiberry"

private func soundWarnings(_ chip: String, _ lines: String, _ card: String?) throws -> [String] {
  try board("[board]\nname = a\nchip = \(chip)\n[lines]\n\(lines)\n")
    .warnings(i2sCard: card).map(\.text)
}

@Test func warning_linesOfAnI2SCardThatIsThere_areNamed() throws {
  let lines = "up = GPIO18\ndown = 21\nleft = 17\nright = GPIO22\n[outputs]\nled = 19"
  #expect(
    try soundWarnings("auto", lines, card) == [
      "b.ini:5:6: up has GPIO18: the lines 18 to 21 carry the sound of the card sndrpihifiberry, "
        + "which falls silent",
      "b.ini:6:8: down has 21: the lines 18 to 21 carry the sound of the card sndrpihifiberry, "
        + "which falls silent",
      "b.ini:10:7: led has 19: the lines 18 to 21 carry the sound of the card sndrpihifiberry, "
        + "which falls silent",
    ])
  #expect(try soundWarnings("auto", lines, nil) == [])
}

@Test func warning_lineByOffset_isGivenOnAHeaderChipOnly() throws {
  #expect(try soundWarnings("pinctrl-bcm2835", "up = 20", card).count == 1)
  #expect(try soundWarnings("1c20800.pinctrl", "up = 20", card) == [])
  #expect(try soundWarnings("gpiochip0", "up = 20", card) == [])
  #expect(try soundWarnings("gpiochip0", "up = GPIO20", card).count == 1)
}

private let cautions: [(lines: String, warning: String)] = [
  ("up = GPIO0", "b.ini:5:6: up has GPIO0: it belongs to the EEPROM of a HAT"),
  ("up = ID_SCL", "b.ini:5:6: up has ID_SCL: it belongs to the EEPROM of a HAT"),
  ("up = GPIO2", ""),
  (
    "up = SDA1 pull-down",
    "b.ini:5:6: up has SDA1: a resistor on the board pulls it up against pull-down"
  ),
  ("up = 3 no-pull active-low", ""),
  ("up = 4", ""),
  ("up = 13", ""),
  ("up = 14", "b.ini:5:6: up has 14: the serial port has it, where that is in use"),
  ("up = RXD1", "b.ini:5:6: up has RXD1: the serial port has it, where that is in use"),
  ("up = 16", ""),
  ("up = 18", ""),
  ("up = 27", ""),
  ("up = 28", "b.ini:5:6: up has 28: it is not on the 40-pin header"),
  (
    "[outputs]\nled = GPIO47",
    "b.ini:6:7: led has GPIO47: it is not on the 40-pin header"
  ),
  ("up = PIN_1", ""),
]

@Test(arguments: cautions)
func warning_doubtfulLine_isGivenWithItsReason(lines: String, warning: String) throws {
  let board = try board(boardHead + "[lines]\n" + lines)
  #expect(board.warnings.map(\.text).joined(separator: "\n") == warning)
}
