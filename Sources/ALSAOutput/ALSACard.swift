import Bells

/// A sound card. It is known by its id, since its number may be another after the next boot.
public struct ALSACard: Equatable, Sendable {
  /// What `CARD=` takes, such as `Headphones`, `vc4hdmi0` or `DAC`.
  public var id: String
  /// The driver's name, as far as the kernel shows it (15 letters).
  public var driver: String
  /// The card's short name.
  public var name: String
  /// The card's long name, for a person.
  public var longName: String
  let number: Int

  /// What is on its far side, by the names that the drivers of small boards give. A card of an
  /// unknown name is taken for an analogue one: lines of a header that carry I2S are warned of, and
  /// a warning without cause teaches to ignore warnings.
  public var kind: OutputKind {
    let words = "\(driver) \(id) \(name)".lowercased()
    return ALSACard.kinds.first { ALSACard.containsAny(words, of: $0.words) }?.kind ?? .analogue
  }

  /// The first row of which a word is in a card's names tells what it is.
  private static let kinds: [(words: [String], kind: OutputKind)] = [
    (["usb"], .usb), (["hdmi"], .hdmi), (["bcm2835", "loopback", "dummy"], .analogue),
    (
      [
        "snd_rpi", "sndrpi", "rpi-simple", "rpi-dac", "rpi-proto", "i2s", "hifiberry", "iqaudio",
        "allo", "bossdac", "pianodac", "katana", "justboom", "boomberry", "audioinjector",
        "pisound", "fe-pi", "dacberry", "merus", "googlevoicehat", "seeed", "wm8960", "wm8731",
        "max98357", "pcm510", "pcm512", "es9038",
      ], .i2s
    ),
  ]

  private static func containsAny(_ words: String, of parts: [String]) -> Bool {
    let words = Array(words.utf8)
    return parts.contains { part in
      let part = Array(part.utf8)
      guard words.count >= part.count else { return false }
      return (0...(words.count - part.count)).contains { start in
        words[start..<(start + part.count)].elementsEqual(part)
      }
    }
  }

  /// Reads the kernel's list: two lines a card, ` 1 [DAC            ]: driver - name` and the long
  /// name.
  static func parse(_ text: String) -> [ALSACard] {
    var cards: [ALSACard] = []
    for line in text.split(separator: "\n") {
      guard let open = line.firstIndex(of: "["), let close = line.firstIndex(of: "]"),
        open < close, let number = Int(trimmed(line[..<open]))
      else {
        if !cards.isEmpty, cards[cards.count - 1].longName.isEmpty {
          cards[cards.count - 1].longName = trimmed(line)
        }
        continue
      }
      let rest = line[close...].dropFirst()
      guard rest.hasPrefix(": ") else { continue }
      // The driver's name has no blank, and may have a dash.
      let driver = rest.dropFirst(2).prefix { $0 != " " }
      let name = trimmed(rest.dropFirst(2 + driver.count).drop { $0 == " " || $0 == "-" })
      cards.append(
        ALSACard(
          id: trimmed(line[open..<close].dropFirst()), driver: String(driver), name: name,
          longName: "", number: number))
    }
    return cards.sorted { $0.number < $1.number }
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    var words = text.split(separator: " ", omittingEmptySubsequences: false)[...]
    while words.first?.isEmpty == true { words.removeFirst() }
    while words.last?.isEmpty == true { words.removeLast() }
    return words.joined(separator: " ")
  }
}

/// The name of an output, taken apart: `plughw:CARD=DAC,DEV=0`.
struct OutputName {
  /// What stands before the colon.
  let base: String
  /// The card's id or number, where one is named.
  let card: String?

  init(_ name: String) {
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    base = String(parts[0])
    let arguments = parts.count > 1 ? parts[1].split(separator: ",") : []
    let named = arguments.first { $0.hasPrefix("CARD=") }.map { $0.dropFirst(5) }
    // The first argument of all names that libasound has for cards is the card.
    let first = arguments.first.flatMap { $0.contains("=") ? nil : $0 }
    card = (named ?? first).map(String.init)
  }

  /// Whether it is the card itself, with or without conversion.
  var isHardware: Bool { base == "hw" || base == "plughw" }

  /// Whether the name is one that libasound has for cards.
  var isOfCards: Bool { card != nil || OutputName.ofCards.contains(base) }

  /// The card that is meant: the one named, or for names that leave it open, the one that libasound
  /// takes then, which is number 0 and no other.
  func card(among cards: [ALSACard]) -> ALSACard? {
    guard let card else {
      return OutputName.ofCards.contains(base) ? cards.first { $0.number == 0 } : nil
    }
    return cards.first { $0.id == card } ?? cards.first { "\($0.number)" == card }
  }

  /// What is on its far side, as far as its name tells.
  func kind(among cards: [ALSACard]) -> OutputKind {
    if base == "hdmi" { return .hdmi }
    // A server wakes its own output, and a speaker on the air takes as long as one on USB.
    if OutputName.ofServers.contains(base) { return .usb }
    return card(among: cards)?.kind ?? .analogue
  }

  /// What is on its far side, now that it is open.
  /// - Parameters:
  ///   - card: the one that it plays on; nil where it is none of the kernel's.
  ///   - isHDMI: whether the device calls itself so: one card may have jacks and HDMI.
  func kind(openOn card: ALSACard?, isHDMI: Bool, among cards: [ALSACard]) -> OutputKind {
    if base == "hdmi" || isHDMI { return .hdmi }
    if let card { return card.kind }
    // A sound server has taken the default's place.
    return base == "default" && self.card == nil ? .usb : kind(among: cards)
  }

  private static let ofCards: [String] = ["default", "sysdefault", "hw", "plughw", "dmix", "hdmi"]
  private static let ofServers: [String] = ["pulse", "pipewire", "jack", "bluealsa"]
}

/// A name that is taken in place of one that does not open.
enum SubstituteName: UInt8, CaseIterable {
  case plainDefault = 1
  case systemDefault
  case hdmi
  case hardware

  func name(of card: String) -> String {
    switch self {
    case .plainDefault: "default:CARD=\(card)"
    case .systemDefault: "sysdefault:CARD=\(card)"
    case .hdmi: "hdmi:CARD=\(card),DEV=0"
    case .hardware: "plughw:CARD=\(card)"
    }
  }

  /// What to try after a name has failed: HDMI cards that take encoded samples only have names with
  /// the encoder in front; and where the mixer of a shared card cannot be made, the card itself may
  /// do.
  static func all(after fault: ALSAFault, of name: OutputName) -> [SubstituteName] {
    if fault.call == .encoding { return [.plainDefault, .systemDefault, .hdmi] }
    let isShared = !name.isHardware && fault.call == .open
    return isShared && [2, 1, 13].contains(fault.code) ? [.hardware] : []
  }

  /// Why it is taken.
  var reason: String {
    self == .hardware ? "it cannot be shared" : "it takes IEC958 samples only"
  }
}
