/// A reminder that is due.
public struct ReminderCall: Equatable, Sendable {
  /// How it sounds.
  public enum Kind: UInt8, CaseIterable, Sendable {
    /// One soft strike.
    case soft
    /// Strikes that grow from hardly to be heard to full within five minutes, until a hand comes.
    case wake
  }

  /// Its name.
  public var name: String
  /// The name of the programme that it calls to; nil for the chosen one.
  public var programme: String?
  /// How it sounds.
  public var kind: Kind
  /// Whether the programme begins by itself.
  public var isAuto: Bool

  /// Makes a call.
  public init(name: String, programme: String? = nil, kind: Kind = .soft, isAuto: Bool = false) {
    self.name = name
    self.programme = programme
    self.kind = kind
    self.isAuto = isAuto
  }
}
