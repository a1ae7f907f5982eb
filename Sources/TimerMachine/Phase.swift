/// Where a sit stands (PRODUCT's word table). Raw values are the names that scripts see.
public enum Phase: UInt8, CaseIterable, Sendable {
  /// Nothing runs; the length can be set.
  case idle
  /// The sit is chosen and its start bell is still to come.
  case preparing
  /// The sit runs towards its end (or, when open, away from its start).
  case running
  /// Everything is held; paused time is counted nowhere.
  case paused
  /// The end bell has rung and the sit goes on until a press.
  case overtime
  /// The sit is over and its record is made.
  case ended

  /// The name that state lines, traces and scenarios use.
  public var name: StaticString {
    switch self {
    case .idle: "idle"
    case .preparing: "preparing"
    case .running: "running"
    case .paused: "paused"
    case .overtime: "overtime"
    case .ended: "ended"
    }
  }
}
