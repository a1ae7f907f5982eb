/// Turns the two contacts of a rotary encoder into detents.
///
/// It keeps both levels and a signed count of quarters since the knob last rested, and settles when
/// it rests again. One contact moves at a time, so bounce only walks to and fro across one border
/// and nets nothing; no time constant is needed, and a slow turn counts like a fast one.
///
/// Invariants:
/// - At rest the count is zero. It is zero too where the knob stood when the decoder began anew:
///   the way from there to the next rest is too short for a detent unless it is a whole one.
/// - A detent is given only on arrival at a rest, and only if the quarters since the last one cover
///   the whole way between the two. Half way and back gives nothing.
/// - Where both contacts changed at once, the way led two quarters forward or two back. It counts
///   as none, with a doubt of two, and a detent is given only if it is certain in spite of it.
public struct QuadratureDecoder: Sendable {
  private let quartersPerDetent: Int
  /// Where the knob rests, as a place in the cycle.
  private var rest = 0
  private let direction: Int
  private var quarters = 0
  private var doubt = 0

  /// The level of the first contact.
  public private(set) var a: Level
  /// The level of the second contact.
  public private(set) var b: Level

  /// Makes a decoder.
  /// - Parameters:
  ///   - detentsPerCycle: how many rests a cycle has.
  ///   - isReversed: whether clockwise is B first.
  ///   - a: the level of the first contact now, with the knob at rest. A knob of one detent a cycle
  ///     that starts with both contacts closed rests there; any other rests with both open.
  ///   - b: the level of the second contact now.
  public init(detentsPerCycle: DetentsPerCycle, isReversed: Bool, a: Level, b: Level) {
    quartersPerDetent = 4 / detentsPerCycle.rawValue
    direction = isReversed ? -1 : 1
    self.a = a
    self.b = b
    rest(a: a, b: b)
  }

  /// Takes the levels of both contacts.
  /// - Returns: +1 if this completed a detent clockwise, −1 counter-clockwise, 0 if none.
  public mutating func move(a newA: Level, b newB: Level) -> Int {
    let origin = position
    a = newA
    b = newB
    switch (position - origin) & 3 {
    case 0: return 0
    case 1: quarters += 1
    case 3: quarters -= 1
    default: doubt += 2
    }
    guard (position - rest) % quartersPerDetent == 0 else { return 0 }
    defer {
      quarters = 0
      doubt = 0
    }
    guard abs(quarters) - doubt >= quartersPerDetent else { return 0 }
    return quarters.signum() * direction
  }

  /// Begins anew from these levels, at which the knob rests.
  public mutating func rest(a newA: Level, b newB: Level) {
    rest = quartersPerDetent == 4 && newA == .low && newB == .low ? 2 : 0
    restart(a: newA, b: newB)
  }

  /// Begins anew from these levels: what the contacts did before is not known.
  public mutating func restart(a newA: Level, b newB: Level) {
    (a, b) = (newA, newB)
    quarters = 0
    doubt = 0
  }

  /// The place in the cycle, counted in quarters clockwise from where both contacts are open.
  private var position: Int {
    switch (a, b) {
    case (.high, .high): 0
    case (.low, .high): 1
    case (.low, .low): 2
    case (.high, .low): 3
    }
  }
}
