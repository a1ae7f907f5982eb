import Controls
import Settings

// The wiring and the lines of this program's arguments.

/// Words that begin a list of the program's arguments: `CHIP PART=LINE[,FLAG…]…`.
///
/// - CHIP is `auto`, `label:…`, `name:…` or `path:…`.
/// - PART is the letter of a line or the name of an output; LINE an offset or a name.
/// - FLAG is `high` (active high) or the name of a bias.
struct WiringWords {
  private(set) var wiring: Wiring

  init?(_ words: [String]) {
    guard let first = words.first, let chip = Self.chip(first) else { return nil }
    wiring = Wiring(chip: chip, inputs: [])
    for word in words.dropFirst() {
      guard add(word) else { return nil }
    }
  }

  private static func chip(_ word: String) -> ChipSelector? {
    if word == "auto" { return .automatic }
    let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    switch parts[0] {
    case "label": return .label(parts[1])
    case "name": return .name(parts[1])
    case "path": return .path(parts[1])
    default: return nil
    }
  }

  private mutating func add(_ word: String) -> Bool {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return false }
    var flags = parts[1].split(separator: ",").map(String.init)
    let place = flags.removeFirst()
    let selector = UInt32(place).map { LineSelector.offset($0) } ?? .name(place)
    let isActiveLow = !flags.contains("high")
    if let role = OutputRole(rawValue: parts[0]) {
      wiring.outputs.append(
        OutputWiring(role: role, selector: selector, isActiveLow: flags.contains("low")))
      return true
    }
    guard let letter = parts[0].utf8.first, let line = Line(letter: letter) else { return false }
    let bias = flags.compactMap { Bias(rawValue: $0) }.first ?? .pullUp
    wiring.inputs.append(
      InputWiring(line: line, selector: selector, bias: bias, isActiveLow: isActiveLow))
    return true
  }
}

/// The lines of a row of letters.
func lineSet(_ letters: some StringProtocol) -> LineSet {
  letters.utf8.compactMap { Line(letter: $0) }.reduce(into: LineSet()) { $0.insert(LineSet($1)) }
}

func text(_ set: LineSet) -> String {
  String(decoding: set.lines.map(\.letter), as: UTF8.self)
}

func text(_ reading: LevelReading) -> String {
  reading.lines.lines.map { line in
    "\(text(LineSet(line)))=\(reading.levels[line] == .low ? "low" : "high")"
  }.joined(separator: " ")
}
