import Appliance
import Box
import Controls
import Sessions
import Testing
import Ticks
import TimerMachine

// Sits whose box is killed at random instants, with a store and a journal that lose what was not
// durable. One life is a seed: `KillLife(seed).run()`.

/// What one boot of a box leaves behind, and what it finds.
private struct Disk {
  /// How long the kernel keeps what it was not told to sync.
  static let writebackSpan = Span.seconds(35)

  /// What the process has written last.
  var journal: Journal?
  /// What of it may be on the disk, oldest first, and when it is there for sure.
  private var written: [(journal: Journal, durableAt: Instant)] = []
  var sessions: [Identity: MeditationSession] = [:]
  /// Sits that are on their way to the disk, and when they are there.
  var saving: [(session: MeditationSession, at: Instant)] = []

  mutating func write(_ journal: Journal, isDurable: Bool, at now: Instant) {
    self.journal = journal
    if isDurable { written = [] }
    written.append((journal, isDurable ? now : now + Disk.writebackSpan))
  }

  mutating func erase() {
    journal = nil
    written = []
  }

  /// What a power cut leaves.
  mutating func cutPower(at now: Instant) {
    journal = written.last { $0.durableAt <= now }?.journal
  }
}

private struct KillLife {
  /// How long the disk takes to keep a sit.
  static let saveSpan = Span.milliseconds(40)
  static let newYear: Int64 = 1_767_247_200_000_000_000

  var random: SeededGenerator
  let seed: UInt64
  var disk = Disk()
  var bench = BoxBench()
  /// The true time, from the first boot on.
  var truth = Instant.zero
  /// The true time less the boot clock's.
  var offset = Span.zero
  var boot: UInt64 = 1
  /// Sits that have begun, and how they were announced.
  var begun: Set<Identity> = []
  /// The time for which the box ran with the sit on.
  var sat = Span.zero
  var problems: [String] = []
  var kills = 0
  let hasClock: Bool
  let policy: RecoverPolicy

  init(_ seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    hasClock = random.below(3) > 0
    policy = RecoverPolicy.allCases[Int(random.below(3))]
  }

  mutating func span(_ range: ClosedRange<Int64>) -> Span {
    let width = UInt64(range.upperBound - range.lowerBound + 1)
    return .milliseconds(range.lowerBound + Int64(random.below(width)))
  }

  // MARK: - A boot

  /// Starts a box.
  /// - Parameter isSameBoot: whether only the process was away.
  mutating func start(isSameBoot: Bool) throws {
    if !isSameBoot {
      boot += 1
      offset = (truth - .zero) - span(2_000...60_000)
    }
    let now = truth - offset
    let isKnown = hasClock
    let unix = KillLife.newYear + (isKnown ? truth.nanoseconds : now.nanoseconds)
    var settings = ApplianceSettings(overtime: seed % 3 == 0)
    settings.plan.openLimit = .minutes(90)
    var box = BoxSettings(appliance: settings, seed: seed &* 31 &+ boot &* 7 &+ random.next())
    box.boot = Identity(randomHigh: boot, low: boot)
    box.recover = policy
    bench = BoxBench()
    bench.box = Box(
      settings: box, zone: .utc,
      wall: WallReading(at: now, unixNanoseconds: unix, isKnown: isKnown))
    bench.now = now
    disk.saving = []
    let found = disk.journal
    let known = (found?.sits ?? []).filter { disk.sessions[$0] != nil }
    bench.box.handle(.journal(found, known: Set(known)), at: now)
    take(isRestart: true)
  }

  /// Lets the box run up to a true time.
  mutating func run(to end: Instant) {
    let end = end - offset
    while true {
      let due = [bench.box.nextDeadline, disk.saving.first?.at].compactMap { $0 }.min()
      guard let due, due <= end else { break }
      step(to: max(due, bench.now))
      while bench.box.advance(to: bench.now) { take() }
      take()
      while let saving = disk.saving.first, saving.at <= bench.now {
        disk.saving.removeFirst()
        if disk.sessions[saving.session.id] == nil {
          disk.sessions[saving.session.id] = saving.session
        }
        let reports: [StoreReport] = [.written(bytes: 1, sits: 1), .kept(saving.session.id)]
        bench.box.handle(.store(reports), at: bench.now)
        take()
      }
    }
    step(to: end)
    while bench.box.advance(to: bench.now) { take() }
    take()
    truth = bench.now + offset
  }

  private mutating func step(to instant: Instant) {
    let phase = bench.box.appliance.phase
    if phase == .running || phase == .overtime { sat += instant - bench.now }
    bench.now = instant
  }

  mutating func command(_ event: TimerEvent) {
    bench.box.handle(.appliance(.command(.timer(event))), at: bench.now)
    take()
  }

  // MARK: - What the box wants done

  private mutating func take(isRestart: Bool = false) {
    while let action = bench.box.nextAction() {
      switch action {
      case .journal(let journal, let isDurable):
        disk.write(journal, isDurable: isDurable, at: bench.now)
      case .eraseJournal: disk.erase()
      case .save(let session):
        disk.saving.append((session, bench.now + KillLife.saveSpan))
        check(session)
      case .edit(let id, let edit, _):
        if var session = disk.sessions[id] {
          edit.apply(to: &session)
          disk.sessions[id] = session
          check(session)
        }
      case .session(.begun, let id, _): begun.insert(id)
      case .appliance(.plan(let strikes)):
        let late = strikes.filter { $0.cue == nil && $0.index == 1 && $0.strike.due < bench.now }
        if isRestart && !late.isEmpty { problems.append("a bell of the past is ordered") }
      case .appliance(.readLevels):
        let nothing = LevelReading(lines: [], levels: .rest, at: bench.now)
        bench.box.handle(.appliance(.levels(nothing)), at: bench.now)
      default: break
      }
    }
  }

  private mutating func check(_ session: MeditationSession) {
    if session.durationSeconds > sat.wholeSeconds {
      problems.append("credited \(session.durationSeconds) s of \(sat.wholeSeconds) s known")
    }
    let away = session.interruptions.reduce(Int64(0)) {
      $0 + $1.to.milliseconds - $1.from.milliseconds
    }
    let whole = session.endDate.milliseconds - session.startDate.milliseconds
    if session.interruptions.contains(where: { $0.to < $0.from }) || away > whole {
      problems.append("interruptions of \(away) ms in \(whole) ms")
    }
  }

  /// The power or the process goes, and comes back.
  mutating func kill() throws {
    let isSameBoot = random.below(2) == 0
    if !isSameBoot { disk.cutPower(at: bench.now) }
    kills += 1
    let outages: [ClosedRange<Int64>] = [
      1...20_000, 540_000...660_000, 900_000...2_400_000, 3_500_000...3_700_000,
      32_400_000...32_400_000,
    ]
    truth += span(outages[Int(random.below(UInt64(outages.count)))])
    try start(isSameBoot: isSameBoot)
  }

  // MARK: - The life

  /// One sit with one to three kills, and then five hours in which nobody does anything.
  mutating func run() throws -> [String] {
    try start(isSameBoot: true)
    let length = span(65_000...2_400_000)
    let order: SitLength = seed % 5 == 0 ? .open : .fixed(.seconds(length.wholeSeconds))
    bench.box.handle(.appliance(.command(.start(order))), at: bench.now)
    take()
    for _ in 0...random.below(3) {
      if random.below(3) == 0 {
        run(to: truth + span(0...(length.nanoseconds / 2_000_000)))
        command([.pause, .stop, .skip][Int(random.below(3))])
      }
      run(to: truth + span(0...(length.nanoseconds / 1_000_000)))
      let before = disk.journal?.running
      let isDone = begun.count == disk.sessions.count
      try kill()
      if isDone && before == nil && bench.box.appliance.phase != .idle {
        problems.append("a sit that was over was taken up again")
      }
      if random.below(3) == 0 {
        run(to: truth + span(0...120_000))
        command(.resume)
      }
    }
    run(to: truth + .hours(5))
    if bench.box.appliance.phase != .idle { problems.append("it never ends") }
    // Without a clock a sit waits for its date.
    if disk.journal?.running != nil || (hasClock && disk.journal != nil) {
      problems.append("the journal stays")
    }
    // Each kill costs a beat, and a power cut what the kernel had not written yet.
    let isKnown = sat >= .seconds(60) + .seconds(95) * Int64(kills)
    if isKnown && disk.sessions.isEmpty { problems.append("no record of \(sat.wholeSeconds) s") }
    if disk.sessions.count > 1 { problems.append("\(disk.sessions.count) records") }
    if !begun.isSuperset(of: disk.sessions.keys) { problems.append("a record of no sit") }
    return problems
  }
}

extension ApplianceSettings {
  fileprivate init(overtime: Bool) {
    self.init()
    plan.overtime = overtime
  }
}

@Test func kills_fiveThousandAtRandomInstants_leaveOneRecordAndNoBellOfThePast() throws {
  var (kept, kills) = (0, 0)
  for seed in 0..<2_600 as Range<UInt64> {
    var life = KillLife(seed)
    let problems = try life.run()
    #expect(problems == [], "seed \(seed)")
    kept += life.disk.sessions.count
    kills += life.kills
  }
  #expect(kills >= 5_000)
  // The lives are of use only where most sits are kept.
  #expect(kept > 1_500)
}
