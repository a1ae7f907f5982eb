import Ticks

/// Keeps the bounce of a contact from being told as steps to and fro, where each quarter of a cycle
/// is a detent. At one or two detents a cycle the way between rests does that, and time plays no
/// part.
///
/// The first change of a contact counts at once. As long as the same contact goes on changing
/// within `bounceSpan`, that is bounce or noise: it counts when the contact has kept still for that
/// long or the other moves, and then only what is left of it.
struct ContactSettler: Sendable {
  /// Data sheets give 1 to 3 ms (Bourns PEC11R 2 ms, PEC11H 3 ms).
  static let bounceSpan = Span.milliseconds(3)

  private var line: Line?
  private var until = Instant.zero
  private var balance = 0

  /// When what is left of a bounce counts.
  var nextDeadline: Instant? { line == nil ? nil : until }

  /// Takes the step that a contact's change made.
  /// - Returns: the steps that count now, in order: first what was left of a bounce before.
  mutating func take(_ step: Int, of contact: Line, at instant: Instant) -> (Int, Int) {
    if line == contact && instant < until {
      balance += step
      until = instant + ContactSettler.bounceSpan
      return (0, 0)
    }
    let left = settle()
    line = contact
    until = instant + ContactSettler.bounceSpan
    return (left, step)
  }

  /// Ends the bounce.
  /// - Returns: what is left of it.
  mutating func settle() -> Int {
    defer { (line, balance) = (nil, 0) }
    return balance
  }
}
