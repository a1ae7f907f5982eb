import Bells
import Ticks
import TimerMachine

/// What one role's bell is on this box.
public struct BellRecipe: Equatable, Sendable {
  /// The position of its sound in the list of the box; nil silences the role.
  public var sound: Int?
  /// How many strikes one bell has, 1 to 108, where no pattern says so.
  public var strikes: Int
  /// From one strike to the next, where no pattern says so.
  public var gap: Span
  /// Strikes of chosen offsets and strengths, in place of `strikes` and `gap`.
  public var pattern: StrikePattern?
  /// The strikes' linear level.
  public var gain: Float

  /// Makes a recipe.
  /// - Precondition: there is at least one strike and no negative gap.
  public init(
    sound: Int?, strikes: Int = 1, gap: Span = .seconds(6), pattern: StrikePattern? = nil,
    gain: Float = 1
  ) {
    precondition(strikes >= 1 && gap >= .zero, "a bell has at least one strike, in order")
    self.sound = sound
    self.strikes = strikes
    self.gap = gap
    self.pattern = pattern
    self.gain = gain
  }

  /// How many strikes one bell has.
  public var beatCount: Int { pattern?.beats.count ?? strikes }

  /// When a strike falls after the first instant of its bell, and how hard.
  /// - Parameter index: from 0.
  public func beat(_ index: Int) -> StrikePattern.Beat {
    pattern?.beats[index] ?? StrikePattern.Beat(offset: gap * Int64(index), strength: 1)
  }
}

/// A strike with what it is for.
public struct PlannedStrike: Equatable, Sendable {
  /// The order to the output.
  public var strike: Strike
  /// The bell's role.
  public var role: BellRole
  /// Which strike of its bell or its cue, from 1.
  public var index: Int
  /// Which answer to a hand it belongs to; nil for a strike of a bell.
  public var cue: Cue?
}

// Invariants:
// - A bell keeps its numbers from its first announcement until it is over, through any number of
//   pauses: an output that has begun one of them never begins it again.
// - A strike leaves the plan when the output has reported it, when its bell is cancelled, or when
//   it is so late that no output would ring it any more. Late counts from the instant it is due,
//   here as in the output: what is told missed here is not begun there.
// - A bell that begins ends those of its own or a lower rank for good: they stay ended when it is
//   over itself.
// - At most `bellsMax` bells are known: six announced, one cue, and those still striking. When
//   there is no room for one more, the one of the lowest rank that has been striking longest goes.
// - Each role sounds on a channel of its own, whether its volume follows the box's or not: so what
//   rings takes a change of its volume too.

/// Turns bells into strikes, and knows which of them are still to come.
struct BellPlanner {
  /// How many strikes one plan holds; later ones come with a later plan.
  static let strikesMax = StrikeSchedule.capacity
  private static let bellsMax = 14

  private struct Entry {
    var bell: Bell
    var recipe: BellRecipe
    /// Whose volume applies: another role's only where the bell is rung by command.
    var volumeRole: BellRole
    var firstNumber: UInt32
    /// How many of the recipe's strikes it has; fewer once a bell has cut it short.
    var strikes: Int
    var strikesDone = 0
    var isAnnounced = true
    var isDue = false

    func due(_ index: Int) -> Instant { bell.due + recipe.beat(index).offset }

    var nextDue: Instant { due(strikesDone) }
    /// Whether it is rung by command.
    var isRung: Bool { bell.role == .cue && volumeRole != .cue }
    var isOver: Bool { isDue && strikesDone >= strikes }

    /// Keeps only the strikes before an instant; the first one always.
    mutating func end(at instant: Instant) {
      while strikes > 1 && due(strikes - 1) >= instant { strikes -= 1 }
    }

  }

  private var recipes: [BellRecipe]
  /// Those of the bells between segments, in their order.
  private var borders: [BellRecipe] = []
  private let keptSpan: Span
  private var entries: [Entry] = []
  private var nextNumber: UInt32 = 1
  /// Strikes that were dropped since they are too late, for `nextDropped()`.
  private var dropped: [PlannedStrike] = []

  /// - Parameters:
  ///   - recipes: one a role, in the order of `BellRole`.
  ///   - latest: how late a strike may still ring.
  ///   - undecided: how much longer an output may take to decide on it.
  init(recipes: [BellRecipe], latest: Span, undecided: Span = .zero) {
    precondition(recipes.count == BellRole.allCases.count, "one recipe a role is needed")
    self.recipes = recipes
    keptSpan = latest + undecided + .seconds(1)
  }

  /// A sit begins that sounds like this.
  /// - Parameters:
  ///   - recipes: one a role, in the order of `BellRole`.
  ///   - borders: one for each bell between two segments.
  mutating func begin(recipes: [BellRecipe], borders: [BellRecipe]) {
    precondition(recipes.count == BellRole.allCases.count, "one recipe a role is needed")
    self.recipes = recipes
    self.borders = borders
  }

  /// Which of `Volumes` applies to a role.
  static func channel(of role: BellRole) -> UInt8 { 1 + role.rawValue }

  /// A role's recipe.
  subscript(role: BellRole) -> BellRecipe { recipes[Int(role.rawValue)] }

  /// Numbers that no strike has had.
  /// - Returns: the first of them.
  mutating func takeNumbers(_ count: Int) -> UInt32 {
    nextNumber += UInt32(count)
    return nextNumber - UInt32(count)
  }

  /// Rings a sound once, at a level and at the volume of the end bell. One waits at a time: a sound
  /// that is asked for before the last one has begun rings in its place, at its instant if that is
  /// still to come.
  mutating func ring(_ sound: Int, gain: Float, at instant: Instant, now: Instant) {
    if let index = entries.firstIndex(where: { $0.isRung && !$0.isOver }) {
      entries[index].recipe.sound = sound
      if entries[index].bell.due < now { entries[index].bell.due = instant }
      return
    }
    let recipe = BellRecipe(sound: sound, gain: gain)
    add(Bell(role: .cue, ordinal: 0, due: instant), recipe, volumeRole: .end)
    entries[entries.count - 1].isDue = true
  }

  /// A reminder rings.
  mutating func remind(_ recipe: BellRecipe, at instant: Instant) {
    guard recipe.sound != nil else { return }
    cancelReminder()
    add(Bell(role: .reminder, ordinal: 0, due: instant), recipe, volumeRole: .reminder)
    entries[entries.count - 1].isDue = true
  }

  /// The reminder rings no more; its tail rings on.
  mutating func cancelReminder() {
    entries.removeAll { $0.bell.role == .reminder }
  }

  /// Takes over the bells that the machine foresees. What it no longer foresees keeps its numbers
  /// but is in no plan.
  mutating func announce(_ bells: [Bell]) {
    for index in entries.indices where !entries[index].isDue {
      entries[index].isAnnounced = false
    }
    for bell in bells {
      if let index = position(of: bell) {
        if !entries[index].isDue {
          entries[index].bell.due = bell.due
          entries[index].isAnnounced = true
        }
      } else {
        add(bell)
      }
    }
  }

  /// A bell's instant has come.
  mutating func becomeDue(_ bell: Bell) {
    if position(of: bell) == nil { add(bell) }
    guard let index = position(of: bell) else { return }
    entries[index].bell.due = bell.due
    entries[index].isAnnounced = true
    entries[index].isDue = true
    for index in entries.indices where isLower(entries[index], than: bell) {
      entries[index].end(at: bell.due)
    }
  }

  /// The output has dealt with a strike.
  /// - Returns: the strike with what it was for; nil if it is no longer known.
  mutating func report(_ number: UInt32) -> PlannedStrike? {
    for index in entries.indices {
      let entry = entries[index]
      guard number >= entry.firstNumber, number - entry.firstNumber < UInt32(entry.strikes)
      else { continue }
      let strikeIndex = Int(number - entry.firstNumber)
      entries[index].strikesDone = max(entry.strikesDone, strikeIndex + 1)
      return planned(entry, strikeIndex)
    }
    return nil
  }

  /// Bells whose instant has come strike no more; tails ring on.
  mutating func cancelStriking() {
    entries.removeAll { $0.isDue }
  }

  /// Bells whose instant has come drop their remaining strikes, but a first one still rings: a sit
  /// has exactly one start bell, also where a pause follows it before the output could sound it.
  mutating func cancelRemainingStrikes() {
    entries.removeAll { $0.isDue && $0.strikesDone > 0 }
    for index in entries.indices where entries[index].isDue { entries[index].strikes = 1 }
  }

  /// Everything is dropped.
  mutating func cancelAll() {
    entries.removeAll()
  }

  /// Whether `nextDropped` has one.
  var hasDropped: Bool { !dropped.isEmpty }

  /// A strike that no output has told of, and that none would ring any more; nil if there is none.
  mutating func nextDropped() -> PlannedStrike? { dropped.isEmpty ? nil : dropped.removeFirst() }

  /// When a strike of which no output has told is so late that `plan` drops it.
  var nextDeadline: Instant? {
    var next: Instant?
    for entry in entries where entry.isDue && !entry.isOver {
      next = min(next ?? entry.nextDue, entry.nextDue)
    }
    return next.map { $0 + keptSpan + Span(nanoseconds: 1) }
  }

  /// The strikes that are to sound, in order of their instants.
  mutating func plan(at now: Instant) -> [PlannedStrike] {
    for index in entries.indices where entries[index].isDue {
      while !entries[index].isOver, entries[index].nextDue < now - keptSpan {
        dropped.append(planned(entries[index], entries[index].strikesDone))
        entries[index].strikesDone += 1
      }
    }
    entries.removeAll { $0.isOver }
    var strikes: [PlannedStrike] = []
    for entry in entries where entry.isAnnounced {
      let end = min(entry.strikes, entry.strikesDone + BellPlanner.strikesMax)
      for index in entry.strikesDone..<end where !isOvertaken(entry, index) {
        strikes.append(planned(entry, index))
      }
    }
    return BellPlanner.merged(strikes, [])
  }

  /// Strikes in the order of their instants, as many as one plan holds.
  static func merged(_ some: [PlannedStrike], _ others: [PlannedStrike]) -> [PlannedStrike] {
    let strikes = (some + others).sorted {
      ($0.strike.due, $0.strike.number) < ($1.strike.due, $1.strike.number)
    }
    return Array(strikes.prefix(BellPlanner.strikesMax))
  }

  /// Whether a bell of the same or a higher rank begins before this strike would: it cancels the
  /// remaining strikes of the lower one. A first strike is never overtaken.
  private func isOvertaken(_ entry: Entry, _ index: Int) -> Bool {
    entries.contains { other in
      other.isAnnounced && isLower(entry, than: other.bell) && other.bell.due <= entry.due(index)
    }
  }

  /// Whether a bell begins after this one and is of the same or a higher rank.
  private func isLower(_ entry: Entry, than bell: Bell) -> Bool {
    entry.bell.role <= bell.role && entry.bell.due < bell.due
  }

  private func planned(_ entry: Entry, _ index: Int) -> PlannedStrike {
    PlannedStrike(
      strike: Strike(
        number: entry.firstNumber + UInt32(index), sound: entry.recipe.sound ?? 0,
        due: entry.due(index), gain: entry.recipe.gain,
        strength: entry.recipe.beat(index).strength,
        channel: BellPlanner.channel(of: entry.volumeRole)),
      role: entry.bell.role, index: index + 1)
  }

  private func position(of bell: Bell) -> Int? {
    // A cue is an answer: each is a bell of its own.
    guard bell.role != .cue else {
      return entries.firstIndex { $0.bell == bell }
    }
    return entries.firstIndex { $0.bell.role == bell.role && $0.bell.ordinal == bell.ordinal }
  }

  private mutating func add(_ bell: Bell) {
    let recipe = recipe(of: bell)
    if recipe.sound != nil { add(bell, recipe, volumeRole: bell.role) }
  }

  private func recipe(of bell: Bell) -> BellRecipe {
    let border = Int(bell.ordinal) - 1
    return bell.role == .segment && borders.indices.contains(border)
      ? borders[border] : self[bell.role]
  }

  private mutating func makeRoom() {
    var least: Int?
    for index in entries.indices where entries[index].isDue {
      if let least, entries[least].bell.role <= entries[index].bell.role { continue }
      least = index
    }
    if let least { entries.remove(at: least) }
  }

  private mutating func add(_ bell: Bell, _ recipe: BellRecipe, volumeRole: BellRole) {
    if entries.count == BellPlanner.bellsMax { makeRoom() }
    let count = recipe.beatCount
    entries.append(
      Entry(
        bell: bell, recipe: recipe, volumeRole: volumeRole, firstNumber: nextNumber,
        strikes: count))
    nextNumber += UInt32(count)
  }
}
