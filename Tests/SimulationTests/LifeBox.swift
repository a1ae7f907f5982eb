import Appliance
import Box
import Sessions
import Ticks
import TimerMachine
import Zones

/// A box with nothing around it but what keeps its sits and its journal, for whole lives: it can be
/// killed at any instant, and between any two things that it wants done.
///
/// A kill makes the box anew from its settings, from the journal as it was written last, and from
/// the sits that are kept. Instants are of the running boot; `elapsed` counts from the beginning.
struct LifeBox {
  private var settings: BoxSettings
  private var zone: ZoneRules
  private var box: Box
  private var seeds: SeededGenerator
  /// What the wall clock would show at the life's begin, if it had always gone as it goes now.
  private var unixNanoseconds: Int64
  private var bootSpan = Span.zero
  private(set) var now = Instant.zero
  private(set) var isClockKnown = true
  /// The sits that are kept, by identity; in the order in which they were kept.
  private(set) var kept: [Identity: MeditationSession] = [:]
  private(set) var order: [Identity] = []
  /// The journal as it was written last, in its own bytes; how many sits are in it, whether one of
  /// them is on, and as of when.
  private(set) var journal: [UInt8]?
  private(set) var journaled = 0
  private(set) var isSitJournaled = false
  private(set) var journalElapsed = Span.zero
  /// What was told of sits since the last start.
  private(set) var changes: [SessionChange] = []
  /// The earliest strike of a bell that was planned since the last start.
  private(set) var earliestStrike: Instant?
  /// How many more things are done before a kill; nil for all.
  var budget: Int?

  init(_ settings: BoxSettings, zone: ZoneRules, unixSeconds: Int64) {
    self.settings = settings
    self.settings.boot = Identity(high: 0, low: 1)
    self.zone = zone
    seeds = SeededGenerator(seed: settings.seed)
    unixNanoseconds = unixSeconds * 1_000_000_000
    let wall = WallReading(at: .zero, unixNanoseconds: unixNanoseconds, isKnown: true)
    box = Box(settings: self.settings, zone: zone, wall: wall)
    tell(.appliance(.output(.open(from: .zero, latency: .zero))))
    tell(.journal(nil, known: []))
  }

  /// The sits that are kept, in the order in which they were kept.
  var sits: [MeditationSession] { order.compactMap { kept[$0] } }
  var phase: Phase { box.appliance.phase }
  /// Since the beginning of the life.
  var elapsed: Span { now - .zero + bootSpan }
  /// What the wall clock shows.
  var wall: WallReading {
    WallReading(
      at: now, unixNanoseconds: unixNanoseconds + elapsed.nanoseconds, isKnown: isClockKnown)
  }
  /// What it showed, as it goes now, so long after the life's begin.
  func unixSeconds(_ elapsed: Span) -> Int64 {
    (unixNanoseconds + elapsed.nanoseconds) / 1_000_000_000
  }

  // MARK: - What happens to it

  mutating func command(_ command: ApplianceCommand) { tell(.appliance(.command(command))) }

  /// Time goes on.
  mutating func pass(_ span: Span) {
    let until = now + span
    while let due = box.nextDeadline, due <= until {
      now = max(now, due)
      while box.advance(to: now) { takeActions() }
      takeActions()
      // It is dead from here on.
      if budget == 0 { return }
    }
    now = until
  }

  /// The machine sleeps.
  mutating func sleep(_ span: Span) {
    box.handle(.slept(to: now + span), at: now)
    takeActions()
    now += span
    while box.advance(to: now) { takeActions() }
    takeActions()
  }

  /// The wall clock is set forward or back.
  mutating func step(_ span: Span) {
    unixNanoseconds += span.nanoseconds
    tell(.wall(wall))
  }

  /// The time becomes known.
  mutating func synchronize() {
    isClockKnown = true
    tell(.wall(wall))
  }

  mutating func travel(to zone: ZoneRules) {
    self.zone = zone
    tell(.zone(zone))
  }

  /// The process is gone for so long, or the power with it.
  /// - Parameter losingClock: whether the time is not known after it, and the clock is behind.
  mutating func goAway(for span: Span, powerCut: Bool, losingClock: Bool = false) throws {
    now += span
    if powerCut {
      bootSpan += now - Instant.zero
      now = .zero
      settings.boot = Identity(high: 0, low: settings.boot.low + 1)
      if losingClock {
        unixNanoseconds -= span.nanoseconds
        isClockKnown = false
      }
    }
    budget = nil
    (changes, earliestStrike) = ([], nil)
    settings.seed = seeds.next()
    box = Box(settings: settings, zone: zone, wall: wall)
    tell(.appliance(.output(.open(from: now, latency: .zero))))
    tellStatus()
    let found = try journal.map { try Journal(parsing: $0) }
    tell(.journal(found, known: Set((found?.sits ?? []).filter { kept[$0] != nil })))
  }

  // MARK: - What it wants done

  private mutating func tell(_ event: BoxEvent) {
    box.handle(event, at: now)
    takeActions()
  }

  private mutating func takeActions() {
    while let action = box.nextAction() {
      if let budget {
        guard budget > 0 else { continue }
        self.budget = budget - 1
      }
      take(action)
    }
  }

  private mutating func take(_ action: BoxAction) {
    switch action {
    case .save(let session):
      if kept[session.id] == nil {
        kept[session.id] = session
        order.append(session.id)
      }
      tellStatus()
      box.handle(.store([.kept(session.id)]), at: box.now)
    case .edit(let id, let edit, at: _):
      kept[id].map { session in
        var session = session
        edit.apply(to: &session)
        kept[id] = session
      }
      tellStatus()
    case .delete(let id, at: _):
      kept[id] = nil
      order.removeAll { $0 == id }
    case .journal(let journal, isDurable: _):
      self.journal = journal.encoded()
      (journaled, isSitJournaled) = (journal.sits.count, journal.running != nil)
      if let running = journal.running { journalElapsed = running.wall.at - .zero + bootSpan }
    case .eraseJournal: (journal, journaled, isSitJournaled) = (nil, 0, false)
    case .session(let change, _, at: _): changes.append(change)
    case .appliance(.plan(let plan)):
      for strike in plan where strike.cue == nil {
        earliestStrike = min(earliestStrike ?? strike.strike.due, strike.strike.due)
      }
    case .appliance, .retrySave, .saveChoices, .called, .claim, .inhibitSleep, .fault: break
    }
  }

  private mutating func tellStatus() {
    var status = StoreStatus(
      owner: Identity(high: 0, low: 1), device: Identity(high: 0, low: 1),
      usage: StoreUsage(bytes: 0, keys: 0, sits: order.count))
    status.guessedEnds = kept.values.filter { $0.clock == .unsynced }.map(\.endDate).sorted()
    box.handle(.storeStatus(status), at: box.now)
  }
}
