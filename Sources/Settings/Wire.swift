import Controls

/// One line of `[lines]` or `[outputs]`, as it stands in the file.
struct Wire: Equatable, Sendable {
  enum User: Equatable, Sendable {
    case input(Line)
    case output(OutputRole)
  }

  /// The longest name that the kernel gives to a line, in bytes.
  private static let nameByteCountMax = 31
  /// No chip of a board has more lines.
  private static let offsetMax = 1_023

  let user: User
  let selector: LineSelector
  /// The selector as it was written.
  let text: String
  let bias: Bias?
  let isActiveLow: Bool?
  let entry: INIEntry

  /// The part or the role.
  var userName: String {
    switch user {
    case .input(let line): line.name.description
    case .output(let role): role.rawValue
    }
  }

  /// Reads `GPIO17 pull-up active-low`, where the first word is a name, an offset, or a name in
  /// quotation marks, and the others may be missing. A driven line has no bias.
  init(_ entry: INIEntry, _ user: User) throws(SettingsError) {
    self.user = user
    self.entry = entry
    var words = Wire.words(of: entry)
    let first = words.isEmpty ? (text: "", column: 0) : words.removeFirst()
    text = first.text
    selector = try Wire.selector(first.text, at: entry.valuePlace)
    var bias: Bias?
    var isActiveLow: Bool?
    let isInput = if case .input = user { true } else { false }
    let biases = isInput ? Bias.allCases.map(\.rawValue) : []
    let known = biases + ["active-low", "active-high"]
    for word in words {
      let place = entry.valuePlace.moved(columns: word.column)
      guard known.contains(word.text) else {
        throw SettingsError(
          .value(
            found: word.text, expected: listed(known), nearest: nearest(to: word.text, among: known)
          ), at: place)
      }
      let isSecond = biases.contains(word.text) ? bias != nil : isActiveLow != nil
      guard !isSecond else {
        let what = biases.contains(word.text) ? "bias" : "active level"
        throw SettingsError(
          .value(found: word.text, expected: "only one \(what)", nearest: nil), at: place)
      }
      if let own = Bias(rawValue: word.text) {
        bias = own
      } else {
        isActiveLow = word.text == "active-low"
      }
    }
    self.bias = bias
    self.isActiveLow = isActiveLow
  }

  /// The bias and the active level of a line that is read, its own before those of all lines. The
  /// level is nil where nothing tells it, and where it contradicts the bias.
  func polarity(_ defaults: LineDefaults) -> (bias: Bias, isActiveLow: Bool?) {
    let told = isActiveLow ?? bias?.impliesActiveLow ?? defaults.isActiveLow
    let bias = bias ?? defaults.bias
    guard let implied = bias.impliesActiveLow else { return (bias, told) }
    return (bias, (told ?? implied) == implied ? implied : nil)
  }

  /// The words of a value and the columns at which they begin in it, from 0. Quotation marks at its
  /// beginning hold a word together and stay on it.
  private static func words(of entry: INIEntry) -> [(text: String, column: Int)] {
    let scalars = Array(entry.value.unicodeScalars)
    var words: [(text: String, column: Int)] = []
    var start = 0
    if scalars.first == "\"", let end = scalars.dropFirst().firstIndex(of: "\"") {
      words.append((text(scalars[...end]), 0))
      start = end + 1
    }
    for part in scalars[start...].split(whereSeparator: { $0 == " " || $0 == "\t" }) {
      words.append((text(part), part.startIndex))
    }
    return words
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }

  private static func selector(_ word: String, at place: Place) throws(SettingsError)
    -> LineSelector
  {
    let isQuoted = word.hasPrefix("\"")
    let name = isQuoted ? String(word.dropFirst().dropLast()) : word
    let isNumber = !isQuoted && name.utf8.allSatisfy { (0x30...0x39).contains($0) }
    let offset = isNumber ? UInt32(name) : nil
    let isClosed = !isQuoted || (word.utf8.count > 1 && word.hasSuffix("\""))
    let isRight =
      isNumber
      ? offset.map { $0 <= offsetMax } ?? false
      : isClosed && (1...nameByteCountMax).contains(name.utf8.count)
    guard isRight else {
      throw SettingsError(
        .value(
          found: word,
          expected: "a line's name such as GPIO17, or its offset from 0 to \(offsetMax)",
          nearest: nil),
        at: place)
    }
    return offset.map { .offset($0) } ?? .name(name)
  }
}

/// What `[lines]` says for all its lines.
struct LineDefaults {
  static let keys = ["bias", "active"]

  private var biasEntry: INIEntry?
  private var activeEntry: INIEntry?

  /// Takes an entry in.
  mutating func read(_ entry: INIEntry) throws(SettingsError) {
    let isBias = entry.key == "bias"
    let words = isBias ? Bias.allCases.map(\.rawValue) : ["low", "high"]
    _ = try SettingKind.words(words).read(entry.value, at: entry.valuePlace)
    if isBias { biasEntry = entry } else { activeEntry = entry }
  }

  var bias: Bias { biasEntry.flatMap { Bias(rawValue: $0.value) } ?? .pullUp }

  /// Nil where the bias decides.
  var isActiveLow: Bool? { activeEntry.map { $0.value == "low" } }

  /// What is wrong with the two together. The lines are not blamed for it too.
  var error: SettingsError? {
    if let implied = bias.impliesActiveLow {
      guard let activeEntry, isActiveLow != implied else { return nil }
      return SettingsError(
        .value(found: activeEntry.value, expected: bias.activeExpected, nearest: nil),
        at: activeEntry.valuePlace)
    }
    guard let biasEntry, activeEntry == nil else { return nil }
    return SettingsError(
      .value(found: biasEntry.value, expected: "active beside it, low or high", nearest: nil),
      at: biasEntry.valuePlace)
  }
}

extension Bias {
  /// Whether a line that is pulled so is active when low, for at rest it must not be; nil where
  /// nothing tells its rest.
  var impliesActiveLow: Bool? {
    switch self {
    case .pullUp: true
    case .pullDown: false
    case .disabled, .asIs: nil
    }
  }

  /// What was expected beside this bias.
  var activeExpected: String {
    switch self {
    case .pullUp: "active low, for pull-up keeps an open switch high"
    case .pullDown: "active high, for pull-down keeps an open switch low"
    case .disabled, .asIs: "active-low or active-high beside \(rawValue)"
    }
  }
}
