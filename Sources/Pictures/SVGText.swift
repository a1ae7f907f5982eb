/// A scalable vector graphic as it grows: elements of well-formed XML 1.0, one a line.
struct SVGText {
  /// A place or a size in units of the picture.
  struct Box {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
  }

  /// How a line of words stands at its place.
  struct Style {
    var size: Int
    var colour: Colour
    /// `start`, `middle` or `end`.
    var anchor = "start"
    /// 300 is light, 400 regular.
    var weight = 400
  }

  private var lines: [String] = []

  init(width: Int, height: Int, title: String, description: String) {
    lines.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
    lines.append(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" "
        + "width=\"\(width)\" height=\"\(height)\" role=\"img\" "
        + "font-family=\"'Noto Sans', 'Noto Sans CJK KR', sans-serif\">")
    lines.append("<title>\(SVGText.escaped(title))</title>")
    lines.append("<desc>\(SVGText.escaped(description))</desc>")
    rectangle(Box(x: 0, y: 0, width: width, height: height), .black)
  }

  /// A filled rectangle, with what a pointer on it is told.
  mutating func rectangle(_ box: Box, _ colour: Colour, rounded: Int = 0, tip: String? = nil) {
    let corner = rounded > 0 ? " rx=\"\(rounded)\"" : ""
    let element = "<rect \(SVGText.place(box))\(corner) fill=\"\(colour.hexadecimal)\""
    lines.append(element + (tip.map { "><title>\(SVGText.escaped($0))</title></rect>" } ?? "/>"))
  }

  /// The outline of a rectangle, one unit wide, inside of it.
  mutating func outline(_ box: Box, _ colour: Colour, rounded: Int) {
    lines.append(
      "<rect x=\"\(box.x).5\" y=\"\(box.y).5\" width=\"\(box.width - 1)\" "
        + "height=\"\(box.height - 1)\" rx=\"\(rounded)\" fill=\"none\" "
        + "stroke=\"\(colour.hexadecimal)\"/>")
  }

  /// A line of words; `y` is where its letters stand.
  mutating func words(_ text: String, x: Int, y: Int, _ style: Style) {
    lines.append(
      "<text x=\"\(x)\" y=\"\(y)\" font-size=\"\(style.size)\" font-weight=\"\(style.weight)\" "
        + "text-anchor=\"\(style.anchor)\" fill=\"\(style.colour.hexadecimal)\">"
        + "\(SVGText.escaped(text))</text>")
  }

  /// The whole file.
  var bytes: [UInt8] { Array((lines + ["</svg>", ""]).joined(separator: "\n").utf8) }

  private static func place(_ box: Box) -> String {
    "x=\"\(box.x)\" y=\"\(box.y)\" width=\"\(box.width)\" height=\"\(box.height)\""
  }

  /// Text as XML holds it. What XML 1.0 cannot hold (section 2.2: most control characters, and two
  /// that are none) is shown as U+FFFD.
  static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
      case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
      case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
      case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
      default:
        let isHeld = scalar.value >= 0x20 && ![0xFFFE, 0xFFFF].contains(scalar.value)
        let isControl = (0x7F...0x9F).contains(scalar.value)
        escaped.append(isHeld && !isControl ? scalar : "\u{FFFD}")
      }
    }
    return String(escaped)
  }
}
