/// A sound card, as `/proc/asound/cards` tells of it.
public struct SoundCard: Equatable, Sendable {
  /// The card's id, as in `hw:CARD=id`.
  public let id: String
  /// Its driver and its short name: `HifiberryDac - snd_rpi_hifiberry_dac`.
  public let name: String

  /// The cards in the text of `/proc/asound/cards`: two lines each, of which the first begins with
  /// a number and the id in brackets.
  public static func cards(_ text: String) -> [SoundCard] {
    text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "[", maxSplits: 1)
      let isNumbered =
        line.contains("[") && parts.count == 2
        && parts[0].contains { $0 != " " }
        && parts[0].allSatisfy { $0 == " " || ("0"..."9").contains($0) }
      guard isNumbered else { return nil }
      let rest = parts[1].split(separator: "]", maxSplits: 1, omittingEmptySubsequences: false)
      guard rest.count == 2, rest[1].hasPrefix(": ") else { return nil }
      let id = rest[0].split(separator: " ").joined(separator: " ")
      return SoundCard(id: id, name: String(rest[1].dropFirst(2)))
    }
  }

  /// Whether the card gets its sound over I2S, by the names that drivers of such cards have. A card
  /// of an unknown name is taken for none, for a warning without cause teaches to ignore warnings.
  public var isI2S: Bool {
    let words = "\(id) \(name)".lowercased()
    return !SoundCard.otherKinds.contains { words.contains($0) }
      && SoundCard.i2sKinds.contains { words.contains($0) }
  }

  private static let otherKinds = ["usb", "hdmi", "bcm2835", "loopback", "dummy"]

  private static let i2sKinds = [
    "snd_rpi", "sndrpi", "rpi-simple", "rpi-dac", "rpi-proto", "i2s", "hifiberry", "iqaudio",
    "allo", "bossdac", "pianodac", "katana", "justboom", "boomberry", "audioinjector", "pisound",
    "fe-pi", "dacberry", "merus", "googlevoicehat", "seeed", "wm8960", "wm8731", "max98357",
    "pcm510", "pcm512", "es9038",
  ]
}

extension Board {
  /// A warning for each line that a sound card needs which is there. On a Raspberry Pi the request
  /// of such a line succeeds, and the card falls silent.
  /// - Parameter cards: the cards of the machine.
  public func warnings(cards: [SoundCard]) -> [SettingsWarning] {
    guard let card = cards.first(where: \.isI2S) else { return [] }
    let range = "\(HeaderLine.sound.lowerBound) to \(HeaderLine.sound.upperBound)"
    return soundLines.map { wire in
      SettingsWarning(
        "\(wire.userName) has \(wire.text): the lines \(range) carry the sound of the card "
          + "\(card.id), which falls silent",
        at: wire.entry.valuePlace)
    }
  }
}
