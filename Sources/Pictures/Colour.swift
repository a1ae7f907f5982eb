/// The colours of the faces: true black, warm white in strengths, ember for what is alive.
struct Colour: Equatable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  static let black = Colour(red: 0, green: 0, blue: 0)
  /// Warm white, for the one large thing.
  static let strong = Colour(red: 0xF4, green: 0xED, blue: 0xE4)
  /// Ember, for what is alive.
  static let ember = Colour(red: 0xE8, green: 0xA2, blue: 0x5C)
  /// For names.
  static let name = strong.at(percent: 60)
  /// For all other words: 50 % instead of 38 %, which would miss the contrast of 4.5:1 that every
  /// text must have on black.
  static let quiet = strong.at(percent: 50)
  /// For lines behind what is told.
  static let track = strong.at(percent: 12)

  /// The colour at a strength, on black.
  func at(percent: Int) -> Colour {
    func part(_ value: UInt8) -> UInt8 { UInt8((Int(value) * percent + 50) / 100) }
    return Colour(red: part(red), green: part(green), blue: part(blue))
  }

  /// As SVG writes it: `#e8a25c`.
  var hexadecimal: String {
    "#"
      + [red, green, blue].map { value in
        (value < 16 ? "0" : "") + String(value, radix: 16)
      }.joined()
  }

  /// The select-graphic-rendition parameters for text in it.
  var parameters: String { "38;2;\(red);\(green);\(blue)" }
}
