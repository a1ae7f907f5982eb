/// When something is written here: what the wall clock shows, and whether it is to be believed.
///
/// A board without a battery clock wakes up in the past. What it writes before it knows the time is
/// stamped no earlier than what it wrote last, so that it still comes after that.
public struct WriteTime: Hashable, Sendable {
  /// What the wall clock shows.
  public var wall: WallInstant
  /// Whether the time is known, and not only what the board woke up with.
  public var isKnown: Bool

  /// Makes a time of writing.
  public init(_ wall: WallInstant, isKnown: Bool = true) {
    self.wall = wall
    self.isKnown = isKnown
  }
}
