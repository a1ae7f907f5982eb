import Ticks
import TimerMachine

/// Every bell of a sit in which nothing happens, and what it leaves out.
public struct BellSchedule: Equatable, Sendable {
  /// A bell.
  public struct Bell: Equatable, Sendable {
    /// When it rings after the start.
    public var offset: Span
    /// What it is.
    public var role: BellRole
    /// How it sounds.
    public var recipe: BellRecipe
    /// Whether it is there by chance alone.
    public var isRandom = false
  }

  /// The bells in order, those of each segment apart. The bell of a border begins a segment, and
  /// the last one is the end's.
  public private(set) var parts: [[Bell]]
  /// The interval bells of the plan that this sit never rings.
  public let unrung: [UnrungInterval]

  /// Lays a programme out.
  /// - Parameters:
  ///   - programme: whose sit it is.
  ///   - length: how long it is; nil for an open one.
  ///   - seed: what random bells are drawn from.
  public init(_ programme: Programme, length: Span?, seed: UInt64) {
    var plan = programme.plan
    plan.length = length
    plan.seed = seed
    func bell(_ role: BellRole, at offset: Span, _ recipe: BellRecipe? = nil) -> Bell {
      let recipe = recipe ?? programme.bells[Int(role.rawValue)]
      return Bell(offset: offset, role: role, recipe: recipe)
    }
    parts = [[bell(.start, at: .zero)]]
    var borders: [Span] = []
    for (segment, recipe) in zip(plan.segments, programme.borders(of: plan.segments)) {
      borders.append((borders.last ?? .zero) + segment.length)
      parts.append([bell(.segment, at: borders[borders.count - 1], recipe)])
    }
    var chance = BellSchedule.marksByChance(of: plan)[...]
    var part = 0
    for mark in plan.marks() {
      while part < borders.count, borders[part] <= mark { part += 1 }
      var bell = bell(.interval, at: mark)
      while let drawn = chance.first, drawn < mark { chance.removeFirst() }
      bell.isRandom = chance.first == mark
      parts[part].append(bell)
    }
    if let length { parts[parts.count - 1].append(bell(.end, at: length)) }
    unrung = plan.unrungIntervals(length: length)
  }

  /// The marks of random bells that no other interval bell has too, in order.
  private static func marksByChance(of plan: SitPlan) -> [Span] {
    guard plan.intervals.random > 0 else { return [] }
    var (chance, others) = (plan, plan)
    chance.intervals = IntervalPlan()
    chance.intervals.random = plan.intervals.random
    chance.intervals.randomWindow = plan.intervals.randomWindow
    others.intervals.random = 0
    others.intervals.count = nil
    var drawn: [Span] = []
    var other = others.marks().makeIterator()
    var next = other.next()
    for mark in chance.marks() {
      while let before = next, before < mark { next = other.next() }
      if next != mark { drawn.append(mark) }
    }
    return drawn
  }
}
