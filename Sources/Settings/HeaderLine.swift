/// What is known of the lines of a Raspberry Pi's 40-pin header. Their numbers are the offsets on
/// the chips of `ChipSelector.headerLabels`.
enum HeaderLine {
  /// The lines by which every card of the I2S kind gets its sound: bit clock, left-right clock,
  /// data in or master clock, data. The pin controller lets others take them all the same.
  static let sound: ClosedRange<UInt32> = 18...21

  /// How many lines each header chip has.
  static let lineCounts: [(label: String, count: UInt32)] = [
    ("pinctrl-rp1", 54), ("pinctrl-bcm2711", 58), ("pinctrl-bcm2835", 54),
  ]

  /// The names that device trees give to lines in place of `GPIO` and a number. Pi 4 and Zero 2
  /// have the serial port's names apart.
  static let names: [String: UInt32] = [
    "ID_SDA": 0, "ID_SCL": 1, "SDA1": 2, "SCL1": 3, "GPIO_GCLK": 4, "SPI_CE1_N": 7,
    "SPI_CE0_N": 8, "SPI_MISO": 9, "SPI_MOSI": 10, "SPI_SCLK": 11, "TXD0": 14, "TXD1": 14,
    "RXD0": 15, "RXD1": 15,
  ]

  /// Why a line is a doubtful choice; nil if it is none.
  static func caution(_ offset: UInt32, isPulledDown: Bool) -> String? {
    switch offset {
    case 0, 1: "it belongs to the EEPROM of a HAT"
    case 2, 3: isPulledDown ? "a resistor on the board pulls it up against pull-down" : nil
    case 14, 15: "the serial port has it, where that is in use"
    case 28...: "it is not on the 40-pin header"
    default: nil
    }
  }
}

extension LineSelector {
  /// The number that this line has on a header chip.
  var headerOffset: UInt32? {
    switch self {
    case .offset(let offset): return offset
    case .name(let name):
      if let offset = HeaderLine.names[name] { return offset }
      return name.hasPrefix("GPIO") ? UInt32(name.dropFirst(4)) : nil
    }
  }

  /// Whether two selectors mean one line, so `GPIO17` and `17`.
  func isSameLine(as other: LineSelector) -> Bool {
    self == other || (headerOffset != nil && headerOffset == other.headerOffset)
  }
}

/// Something odd in a file that can be followed all the same.
public struct SettingsWarning: Equatable, Sendable {
  /// What is odd, in a sentence.
  public let message: String
  /// Where it stands.
  public let place: Place

  init(_ message: String, at place: Place) {
    self.message = message
    self.place = place
  }

  /// The warning as it is printed: `FILE:LINE:COLUMN: …`.
  public var text: String { "\(place.text): \(message)" }
}
