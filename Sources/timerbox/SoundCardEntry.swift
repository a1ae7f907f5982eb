import ALSAOutput
import Bells
import Sessions

/// A sound card of this machine, as `devices` lists it.
struct SoundCardEntry {
  var card: ALSACard
  /// The program that plays on it.
  var holder: String?

  /// The cards there are, in the kernel's order.
  static func all(_ system: SoundSystem = SoundSystem()) -> [SoundCardEntry] {
    system.cards.map { SoundCardEntry(card: $0, holder: system.holder(of: $0)) }
  }

  /// The name that `sound.device` takes.
  var device: String { "default:CARD=\(card.id)" }

  private var kind: String {
    switch card.kind {
    case .analogue: "analogue"
    case .i2s: "I2S"
    case .usb: "USB"
    case .hdmi: "HDMI"
    }
  }

  /// One line for a person.
  var text: String {
    "  \(device) \"\(card.name)\", \(kind)\(holder.map { ", in use by \($0)" } ?? "")\n"
  }

  var json: JSONValue {
    .object(of: [
      JSONMember("id", .string(card.id)),
      JSONMember("device", .string(device)),
      JSONMember("name", .string(card.name)),
      JSONMember("kind", .string(kind)),
      JSONMember("holder", holder.map { .string($0) } ?? .null),
    ])
  }
}
