/// What a bell is for. The order is the rank: where two would ring in the same tick, the greater
/// raw value rings and the other does not.
public enum BellRole: UInt8, CaseIterable, Sendable, Comparable {
  /// A soft answer or a sign; it never displaces another bell.
  case cue
  /// A call to sit.
  case reminder
  /// The first strike of a sit.
  case start
  /// A mark on the way.
  case interval
  /// The border between two segments.
  case segment
  /// The planned end.
  case end

  /// The name that configuration, traces and scenarios use.
  public var name: StaticString {
    switch self {
    case .cue: "cue"
    case .reminder: "reminder"
    case .start: "start"
    case .interval: "interval"
    case .segment: "segment"
    case .end: "end"
    }
  }

  /// The lower rank first.
  public static func < (left: BellRole, right: BellRole) -> Bool {
    left.rawValue < right.rawValue
  }
}
