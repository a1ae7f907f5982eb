import Bells
import Ticks
import TimerMachine

/// What one role's bell is on this box.
public struct BellRecipe: Equatable, Sendable {
  /// The position of its sound in `Sound.catalogue`; nil silences the role.
  public var sound: Int?
  /// How many strikes one bell has, 1 to 108.
  public var strikes: Int
  /// From one strike to the next.
  public var gap: Span
  /// The strikes' linear level.
  public var gain: Float

  /// Makes a recipe.
  /// - Precondition: there is at least one strike and no negative gap.
  public init(sound: Int?, strikes: Int = 1, gap: Span = .seconds(6), gain: Float = 1) {
    precondition(strikes >= 1 && gap >= .zero, "a bell has at least one strike, in order")
    self.sound = sound
    self.strikes = strikes
    self.gap = gap
    self.gain = gain
  }
}

/// A strike with what it is for.
public struct PlannedStrike: Equatable, Sendable {
  /// The order to the output.
  public var strike: Strike
  /// The bell's role.
  public var role: BellRole
  /// Which strike of its bell, from 1.
  public var index: Int
}

// Invariants:
// - A bell keeps its numbers from its first announcement until it is over, through any number of
//   pauses: an output that has begun one of them never begins it again.
// - A strike leaves the plan when the output has reported it, when its bell is cancelled, or when
//   it is so late that no output would ring it any more.
// - A bell that begins ends those of its own or a lower rank for good: they stay ended when it is
//   over itself.
// - At most `bellsMax` bells are known: four announced, one cue, and those still striking. When
//   there is no room for one more, the one that has been striking longest goes.

/// Turns bells into strikes, and knows which of them are still to come.
struct BellPlanner {
  /// How many strikes one plan holds; later ones come with a later plan.
  static let strikesMax = 16
  private static let bellsMax = 12

  private struct Entry {
    var bell: Bell
    var recipe: BellRecipe
    var firstNumber: UInt32
    var strikesDone = 0
    var isAnnounced = true
    var isDue = false

    func due(_ index: Int) -> Instant { bell.due + recipe.gap * Int64(index) }

    var isOver: Bool { isDue && strikesDone >= recipe.strikes }

    /// Keeps only the strikes before an instant; the first one always.
    mutating func end(at instant: Instant) {
      while recipe.strikes > 1 && due(recipe.strikes - 1) >= instant { recipe.strikes -= 1 }
    }

    mutating func dropStrikes(before instant: Instant) {
      while strikesDone < recipe.strikes && due(strikesDone) < instant { strikesDone += 1 }
    }
  }

  private var recipes: [BellRecipe]
  private let keptSpan: Span
  private var entries: [Entry] = []
  private var nextNumber: UInt32 = 1

  /// - Parameters:
  ///   - recipes: one a role, in the order of `BellRole`.
  ///   - latest: how late a strike may still ring.
  init(recipes: [BellRecipe], latest: Span) {
    precondition(recipes.count == BellRole.allCases.count, "one recipe a role is needed")
    self.recipes = recipes
    keptSpan = latest + .seconds(1)
  }

  /// Gives all bells of a sit one sound, or none; those that are known already keep theirs. What
  /// answers or reminds keeps its own.
  mutating func setSound(_ sound: Int?) {
    for role in BellRole.ofSit { recipes[Int(role.rawValue)].sound = sound }
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
      guard number >= entry.firstNumber, number - entry.firstNumber < UInt32(entry.recipe.strikes)
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
    for index in entries.indices where entries[index].isDue { entries[index].recipe.strikes = 1 }
  }

  /// Everything is dropped.
  mutating func cancelAll() {
    entries.removeAll()
  }

  /// The strikes that are to sound, in order of their instants.
  mutating func plan(at now: Instant) -> [PlannedStrike] {
    for index in entries.indices where entries[index].isDue {
      entries[index].dropStrikes(before: now - keptSpan)
    }
    entries.removeAll { $0.isOver }
    var strikes: [PlannedStrike] = []
    for entry in entries where entry.isAnnounced {
      let end = min(entry.recipe.strikes, entry.strikesDone + BellPlanner.strikesMax)
      for index in entry.strikesDone..<end where !isOvertaken(entry, index) {
        strikes.append(planned(entry, index))
      }
    }
    strikes.sort { ($0.strike.due, $0.strike.number) < ($1.strike.due, $1.strike.number) }
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
        due: entry.due(index), gain: entry.recipe.gain),
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
    let recipe = recipes[Int(bell.role.rawValue)]
    guard recipe.sound != nil else { return }
    if entries.count == BellPlanner.bellsMax, let oldest = entries.firstIndex(where: { $0.isDue }) {
      entries.remove(at: oldest)
    }
    entries.append(Entry(bell: bell, recipe: recipe, firstNumber: nextNumber))
    nextNumber += UInt32(recipe.strikes)
  }
}
