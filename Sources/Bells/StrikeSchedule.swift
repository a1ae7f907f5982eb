import Ticks

/// The strikes that are known ahead, earliest first.
///
/// Invariants:
/// - A plan replaces the whole list: a strike that is in it no longer will not ring.
/// - It holds at most `capacity` strikes. Of a longer plan the latest are left out; they come with
///   a later plan, since a plan is published anew whenever one of its strikes has begun.
/// - A strike whose number is among the last `remembered` begun (or missed) is never begun again,
///   whatever a plan says.
/// - Nothing here allocates after `init`: the list is walked and shifted by index, since the
///   library's own ways do in a debug build.
public struct StrikeSchedule {
  /// How many strikes it holds.
  public static let capacity = 16
  /// How many begun strikes' numbers it remembers.
  public static let remembered = 32

  // One place more than can be kept, for the strike that is being sorted in.
  private var strikes: [Strike]
  private var count = 0
  private var begun: [UInt32]
  private var oldestBegun = 0

  /// Makes an empty schedule.
  public init() {
    let none = Strike(number: 0, sound: 0, due: .zero, gain: 0)
    strikes = Array(repeating: none, count: StrikeSchedule.capacity + 1)
    begun = []
    begun.reserveCapacity(StrikeSchedule.remembered)
  }

  /// The next strike due.
  public var first: Strike? { count == 0 ? nil : strikes[0] }

  /// The next one that answers nobody.
  public var firstBell: Strike? {
    for index in 0..<count where !strikes[index].isAnswer { return strikes[index] }
    return nil
  }

  /// Forgets the list and takes another, in any order. Equal instants keep their order.
  public mutating func replace(with plan: [Strike]) {
    count = 0
    for index in plan.indices where !begun.contains(plan[index].number) { insert(plan[index]) }
  }

  private mutating func insert(_ strike: Strike) {
    var place = count
    while place > 0, strikes[place - 1].due > strike.due {
      strikes[place] = strikes[place - 1]
      place -= 1
    }
    strikes[place] = strike
    count = min(count + 1, StrikeSchedule.capacity)
  }

  /// Takes the next strike off the list, since it begins now or is given up, and remembers it.
  /// - Precondition: there is one.
  public mutating func begin() -> Strike {
    precondition(count > 0, "there is no strike to begin")
    let strike = strikes[0]
    for index in 1..<count { strikes[index - 1] = strikes[index] }
    count -= 1
    if begun.count < StrikeSchedule.remembered {
      begun.append(strike.number)
    } else {
      begun[oldestBegun] = strike.number
      oldestBegun = (oldestBegun + 1) % StrikeSchedule.remembered
    }
    return strike
  }

  /// Forgets all strikes that have not begun.
  public mutating func clear() { count = 0 }
}
