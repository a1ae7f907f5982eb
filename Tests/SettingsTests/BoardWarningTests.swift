import Settings
import Testing

private let cards = """
   0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                        vc4-hdmi-0
   1 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones
                        bcm2835 Headphones
   2 [sndrpihifiberry]: HifiberryDac - snd_rpi_hifiberry_dac
                        snd_rpi_hifiberry_dac

  """

@Test func cards_ofTheKernelsText_areOneAnEntry() {
  let found = SoundCard.cards(cards)
  #expect(found.map(\.id) == ["vc4hdmi0", "Headphones", "sndrpihifiberry"])
  #expect(found[2].name == "HifiberryDac - snd_rpi_hifiberry_dac")
  #expect(SoundCard.cards("--- no soundcards ---\n") == [])
  #expect(SoundCard.cards("") == [])
  #expect(SoundCard.cards(" [a]: b\n 1 a]: b\n 1 [a: b\n 1 [a]b\nx1 [a]: b") == [])
}

private let cardKinds: [(text: String, isI2S: Bool)] = [
  ("sndrpihifiberry]: HifiberryDacp - snd_rpi_hifiberry_dacplus", true),
  ("sndrpihifiberry]: RPi-simple - snd_rpi_hifiberry_dac", true),
  ("IQaudIODAC     ]: IQaudIODAC - IQaudIODAC", true),
  ("BossDAC        ]: BossDAC - BossDAC", true),
  ("sndallodigione ]: snd_allo_digion - snd_allo_digione", true),
  ("sndrpijustboomd]: snd_rpi_justboo - snd_rpi_justboom_dac", true),
  ("seeedvoicecard ]: seeed-voicecard - seeed-voicecard", true),
  ("MyI2S          ]: simple-card - My I2S amp", true),
  ("Headphones     ]: bcm2835_headpho - bcm2835 Headphones", false),
  ("ALSA           ]: bcm2835_alsa - bcm2835 ALSA", false),
  ("vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0", false),
  ("S2             ]: USB-Audio - Allo USB DAC", false),
  ("PCH            ]: HDA-Intel - HDA Intel PCH", false),
  ("Loopback       ]: Loopback - Loopback", false),
]

@Test(arguments: cardKinds)
func card_byItsNames_isOfTheI2SKindOrNot(text: String, isI2S: Bool) {
  #expect(SoundCard.cards(" 0 [" + text).map(\.isI2S) == [isI2S])
}

private func soundWarnings(_ chip: String, _ lines: String, _ cards: String) throws -> [String] {
  try board("[board]\nname = a\nchip = \(chip)\n[lines]\n\(lines)\n")
    .warnings(cards: SoundCard.cards(cards)).map(\.text)
}

@Test func warning_linesOfAnI2SCardThatIsThere_areNamed() throws {
  let lines = "up = GPIO18\ndown = 21\nleft = 17\nright = GPIO22\n[outputs]\nled = 19"
  #expect(
    try soundWarnings("auto", lines, cards) == [
      "b.ini:5:6: up has GPIO18: the lines 18 to 21 carry the sound of the card sndrpihifiberry, "
        + "which falls silent",
      "b.ini:6:8: down has 21: the lines 18 to 21 carry the sound of the card sndrpihifiberry, "
        + "which falls silent",
      "b.ini:10:7: led has 19: the lines 18 to 21 carry the sound of the card sndrpihifiberry, "
        + "which falls silent",
    ])
  #expect(try soundWarnings("auto", lines, " 0 [a]: USB-Audio - a") == [])
  #expect(try soundWarnings("auto", lines, "") == [])
}

@Test func warning_lineByOffset_isGivenOnAHeaderChipOnly() throws {
  #expect(try soundWarnings("pinctrl-bcm2835", "up = 20", cards).count == 1)
  #expect(try soundWarnings("1c20800.pinctrl", "up = 20", cards) == [])
  #expect(try soundWarnings("gpiochip0", "up = 20", cards) == [])
  #expect(try soundWarnings("gpiochip0", "up = GPIO20", cards).count == 1)
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
