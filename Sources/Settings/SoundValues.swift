import Bells
import Ticks

// The values of the sections about sound that are more than one word: patterns, devices, offsets.

/// How much later than its frame a strike is heard (`sound.offset`): one length for all outputs, or
/// one for each of some.
public struct OutputOffsets: Equatable, Sendable {
  /// For all outputs that have none of their own.
  public var common = Span.zero
  /// For single outputs, by the name of their device.
  public var single: [(device: String, offset: Span)] = []

  /// Makes offsets of zero.
  public init() {}

  /// The offset of a device.
  public subscript(device: String) -> Span {
    single.last { $0.device == device }?.offset ?? common
  }

  /// The least of all.
  public var least: Span { single.reduce(common) { min($0, $1.offset) } }

  /// Whether both give every device the same.
  public static func == (left: Self, right: Self) -> Bool {
    left.common == right.common
      && left.single.elementsEqual(right.single) { $0 == $1 }
  }
}

extension SettingKind {
  /// What is on the far side of what a card knows of: a television's own delay, at most.
  private static let offsetRange = Span.seconds(-2)...Span.seconds(2)
  /// The last strike of a pattern falls within the longest bell.
  private static let patternSpan = Span.minutes(10)
  /// So many outputs are tried one after the other at most.
  private static let devicesMax = 4

  static let expectedDevice =
    "an ALSA device by the id of its card, as /proc/asound/cards has it in brackets, such as "
    + "default or hw:CARD=DAC"
  static let expectedDevices =
    "up to \(devicesMax) ALSA devices by the ids of their cards, a comma and a space between them"
  static let expectedOffsets =
    "a length from -2s to 2s, or a list such as hdmi:CARD=vc4hdmi0 150ms, default -20ms"
  static let expectedPattern =
    "a list of offset and strength (above 0, at most 1) such as 0s 1.0, 2s 0.6, or "
    + listed(StrikePattern.names)
  static let expectedStrength = "a strength above 0 and at most 1, such as 1.0 or 0.25"
  static let expectedSound = "a sound's name, own/NAME or none"

  /// Reads a value of one of the kinds of sound; nil for another kind.
  func soundValue(_ text: String, at place: Place?) throws(SettingsError) -> SettingValue? {
    switch self {
    case .sound: return try SettingKind.sound(text, at: place)
    case .device:
      try SettingKind.checkDevice(text, expected: expected, at: place)
      return .text(text)
    case .devices: return try SettingKind.devices(text, at: place)
    case .offsets: return try SettingKind.offsets(text, at: place)
    case .pattern: return try SettingKind.pattern(text, at: place)
    default: return nil
    }
  }

  private static func wrong(
    _ found: String, _ expected: String, at place: Place?, nearest: String? = nil
  ) -> SettingsError {
    SettingsError(.value(found: found, expected: expected, nearest: nearest), at: place)
  }

  private static func sound(_ text: String, at place: Place?) throws(SettingsError) -> SettingValue
  {
    let own = Sound.ownPrefix
    let name = text.hasPrefix(own) ? String(text.dropFirst(own.utf8.count)) : text
    guard (try? SettingKind.name.read(name, at: nil)) != nil else {
      throw wrong(text, expectedSound, at: place)
    }
    return .text(text)
  }

  // MARK: - Devices

  private static func devices(
    _ text: String, at place: Place?
  ) throws(SettingsError) -> SettingValue {
    let names = items(text)
    guard names.count <= devicesMax else { throw wrong(text, expectedDevices, at: place) }
    for (index, name) in names.enumerated() {
      let place = moved(place, name)
      try checkDevice(name.text, expected: expectedDevices, at: place)
      if names[..<index].contains(where: { $0.text == name.text }) {
        throw SettingsError(.duplicateItem(found: name.text), at: place)
      }
    }
    return .list(names.map(\.text))
  }

  /// What a name of ALSA's may have here. Its configuration knows more: quotes and braces around
  /// definitions of one's own, and `|` in front of a command that a shell is to run.
  private static let deviceMarks = "_-+.,:="
  static let expectedPlainDevice = "a device's name of letters, digits and \(deviceMarks)"
  static let expectedPlayer = "a device that plays; file and tee write to files"

  /// Refuses what is no name, what could write a file or run a command (whoever may set a device
  /// need not have the rights of the box), and cards by number.
  private static func checkDevice(
    _ name: String, expected: String, at place: Place?
  ) throws(SettingsError) {
    guard (1...200).contains(name.unicodeScalars.count) else {
      throw wrong(name, expected, at: place)
    }
    let isPlain = name.allSatisfy { character in
      character.isASCII && (character.isLetter || character.isNumber)
        || deviceMarks.contains(character)
    }
    guard isPlain else { throw wrong(name, expectedPlainDevice, at: place) }
    if words(ofDevice: name).contains(where: { ["file", "tee"].contains($0) }) {
      throw wrong(name, expectedPlayer, at: place)
    }
    if namesCardByIndex(name) { throw wrong(name, expected, at: place) }
  }

  private static func words(ofDevice device: String) -> [Substring] {
    device.split { ":,=".contains($0) }
  }

  /// The names that libasound has for cards: the first argument of each is the card.
  private static let cardBases = [
    "hw", "plughw", "default", "sysdefault", "hdmi", "iec958", "spdif", "dmix", "dsnoop",
    "dshare", "front", "rear", "center_lfe", "side", "modem", "phoneline",
  ]

  /// Whether a device names its card by a number. Cards are numbered in the order in which they are
  /// found, which is another one after the next start.
  static func namesCardByIndex(_ device: String) -> Bool {
    let plain = device.filter { !"'\" ".contains($0) }
    // A name may stand inside of another: plug:hw:0, plug:SLAVE=hw:0.
    let parts = plain.split(separator: ":", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated().dropFirst() {
      let base = parts[index - 1].split { ",=".contains($0) }.last ?? ""
      let isOfCards = index == 1 || cardBases.contains(String(base)) || base.hasPrefix("surround")
      if isOfCards, isNumber(part.prefix { $0 != "," }) { return true }
    }
    return plain.split { ":,".contains($0) }.contains { argument in
      argument.hasPrefix("CARD=") && isNumber(argument.dropFirst(5))
    }
  }

  /// Whether libasound would take a text for a number (strtol with base 0).
  private static func isNumber(_ text: Substring) -> Bool {
    let digits = text.first.map { "+-".contains($0) } == true ? text.dropFirst() : text
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    let rest = isHexadecimal ? digits.dropFirst(2) : digits
    return !rest.isEmpty && rest.allSatisfy { isHexadecimal ? $0.isHexDigit : $0.isNumber }
  }

  // MARK: - Offsets

  private static func offsets(
    _ text: String, at place: Place?
  ) throws(SettingsError) -> SettingValue {
    var offsets = OutputOffsets()
    var hasCommon = false
    for item in items(text) {
      let words = item.text.split(separator: " ").map { String($0) }
      let place = moved(place, item)
      guard (1...2).contains(words.count), let word = words.last, let offset = signedSpan(word),
        offsetRange.contains(offset)
      else { throw wrong(item.text, expectedOffsets, at: place) }
      if words.count == 1 {
        if hasCommon { throw wrong(item.text, "one length for all devices", at: place) }
        hasCommon = true
        offsets.common = offset
      } else {
        try checkDevice(words[0], expected: expectedOffsets, at: place)
        if offsets.single.contains(where: { $0.device == words[0] }) {
          throw SettingsError(.duplicateItem(found: words[0]), at: place)
        }
        offsets.single.append((words[0], offset))
      }
    }
    return .offsets(offsets)
  }

  private static func signedSpan(_ text: String) -> Span? {
    guard text.hasPrefix("-") else { return try? Span(length: text) }
    return (try? Span(length: String(text.dropFirst()))).map { .zero - $0 }
  }

  // MARK: - Patterns

  private static func pattern(
    _ text: String, at place: Place?
  ) throws(SettingsError) -> SettingValue {
    if let pattern = StrikePattern.named(text) { return .pattern(pattern) }
    let parts = items(text)
    guard parts.count <= StrikePattern.maximumBeats else {
      throw wrong(text, "at most \(StrikePattern.maximumBeats) strikes", at: place)
    }
    var beats: [StrikePattern.Beat] = []
    for part in parts {
      let place = moved(place, part)
      guard let beat = beat(part.text) else {
        try checkStrength(part.text, at: place)
        let name = parts.count == 1 ? nearest(to: text, among: StrikePattern.names) : nil
        throw wrong(part.text, expectedPattern, at: place, nearest: name)
      }
      // The bell's own instant is that of its first strike.
      guard let before = beats.last?.offset else {
        if beat.offset != .zero { throw wrong(part.text, "0s for the first strike", at: place) }
        beats.append(beat)
        continue
      }
      guard beat.offset > before, beat.offset <= patternSpan else {
        let expected = "offsets that rise, up to \(patternSpan.lengthText)"
        throw wrong(part.text, expected, at: place)
      }
      beats.append(beat)
    }
    return .pattern(StrikePattern(beats))
  }

  private static func beat(_ text: String) -> StrikePattern.Beat? {
    let words = text.split { $0 == " " || $0 == "\t" }.map { String($0) }
    guard words.count == 2, let offset = try? Span(length: words[0]),
      let strength = strength(words[1])
    else { return nil }
    let beat = StrikePattern.Beat(offset: offset, strength: strength)
    return beat.isValid ? beat : nil
  }

  /// Refuses the strength of what is else a strike.
  private static func checkStrength(_ text: String, at place: Place?) throws(SettingsError) {
    let words = text.split { $0 == " " || $0 == "\t" }
    guard words.count == 2, (try? Span(length: words[0])) != nil else { return }
    let column = text.unicodeScalars.count - words[1].unicodeScalars.count
    throw wrong(String(words[1]), expectedStrength, at: place?.moved(columns: column))
  }

  /// A number above 0 and at most 1, with at most three digits after the point.
  private static func strength(_ text: String) -> Float? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    guard parts.count <= 2, parts[0] == "0" || parts[0] == "1" else { return nil }
    let digits = parts.count == 2 ? parts[1] : "0"
    guard (1...3).contains(digits.utf8.count), let fraction = wholeNumber(digits) else {
      return nil
    }
    let scale: Float = [10, 100, 1_000][digits.utf8.count - 1]
    return (parts[0] == "1" ? 1 : 0) + Float(fraction) / scale
  }

  // MARK: - Lists

  /// One item of a list, and how many characters stand before it.
  struct Item {
    var text: String
    var offset: Int
  }

  /// The items of a list with a comma and white space between them: names of devices have commas
  /// without.
  static func items(_ text: String) -> [Item] {
    var items: [Item] = []
    var scalars = String.UnicodeScalarView()
    var offset = 0
    func take(_ end: Int) {
      let text = String(scalars)
      var trimmed = text.drop { $0 == " " || $0 == "\t" }
      let start = offset + text.unicodeScalars.count - trimmed.unicodeScalars.count
      while let last = trimmed.last, last == " " || last == "\t" { trimmed.removeLast() }
      items.append(Item(text: String(trimmed), offset: start))
      scalars = String.UnicodeScalarView()
      offset = end
    }
    let all = Array(text.unicodeScalars)
    for (index, scalar) in all.enumerated() {
      let isSeparator =
        scalar == "," && (index + 1 == all.count || all[index + 1] == " " || all[index + 1] == "\t")
      if isSeparator { take(index + 1) } else { scalars.append(scalar) }
    }
    take(all.count)
    return items
  }

  /// How many characters stand before each item of a list.
  static func itemColumns(_ text: String) -> [Int] { items(text).map(\.offset) }

  static func moved(_ place: Place?, _ item: Item) -> Place? {
    place?.moved(columns: item.offset)
  }
}

extension Sound {
  /// What the names of sounds begin with that somebody recorded, so that one that is missing is
  /// told from a misspelt name.
  public static let ownPrefix = "own/"
}
