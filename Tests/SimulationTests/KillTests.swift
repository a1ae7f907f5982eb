import Appliance
import Box
import Sessions
import Testing
import Ticks
import TimerMachine
import Zones

/// Kills and power cuts at random instants of random sits, and between any two things that the box
/// wants done at one instant.
@Suite struct KillTests {
  /// Kills of one argument; ten of them are tried.
  private static let count: UInt64 = 500

  @Test(arguments: 0..<10 as Range<UInt64>)
  func kill_atAnyInstant_leavesOneRecordOrOneOffer(part: UInt64) throws {
    for number in part * KillTests.count..<(part + 1) * KillTests.count {
      var trial = KillTrial(seed: number)
      let problem = try trial.run()
      #expect(problem == nil, "kill \(number): \(trial.story)")
      if problem != nil { return }
    }
  }
}

/// One sit and the kill in it, with an account of the time that somebody is known to have sat.
private struct KillTrial {
  private var box: LifeBox
  private var random: SeededGenerator
  private(set) var story: [String] = []
  private let preparation: Span
  /// When the sit begins, since the life's begin.
  private var begins = Span.zero
  /// How long it is planned; nil for an open one.
  private var planned: Span?
  private var paused = Span.zero
  private var pausedFrom: Span?

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    preparation = .seconds(Int64(random.below(3)) * 10)
    var simple = Programme.simple
    simple.plan = SitPlan(
      preparation: preparation, length: nil, intervals: IntervalPlan(every: .minutes(4)))
    let segments = [
      Segment(kind: "walk", length: .minutes(4)), Segment(kind: "sit", length: .minutes(8)),
    ]
    let walk = Programme(
      name: "walk", length: .fixed,
      plan: SitPlan(
        preparation: preparation, length: .minutes(12), segments: segments,
        overtime: random.below(2) == 0),
      bells: Programme.simple.bells)
    var appliance = ApplianceSettings()
    appliance.programmes = [simple, walk]
    var settings = BoxSettings(appliance: appliance, seed: random.next())
    settings.recover = RecoverPolicy.allCases[Int(random.below(3))]
    box = LifeBox(settings, zone: .utc, unixSeconds: 1_800_000_000)
  }

  /// - Returns: what does not hold; nil if all does.
  mutating func run() throws -> String? {
    begin()
    if random.below(3) == 0 { pauseOnce() }
    // To the nanosecond, and at times between two things that are to be done as it ends.
    if random.below(4) == 0 {
      box.budget = Int(random.below(8))
      if random.below(2) == 0 { box.command(.timer(.stop)) } else { box.pass(.minutes(30)) }
    } else {
      box.pass(Span(nanoseconds: Int64(random.below(1_000_000_000_000))))
    }
    let (before, gone) = (box.sits.count, box.elapsed)
    let isOwed = box.isSitJournaled && before == 0
    // One that is written down as over is kept whatever comes.
    let isOver = box.journaled > 0 && !isOwed
    note("gone")
    let isCut = random.below(2) == 0
    let gap = seconds(1...(random.below(2) == 0 ? 500 : 8_000))
    try box.goAway(for: gap, powerCut: isCut, losingClock: isCut && random.below(2) == 0)
    let (told, back) = (box.changes, box.elapsed)
    note("back, clock \(box.isClockKnown), \(told)")
    if let first = box.earliestStrike, first < box.now { return "a bell for the past" }
    if told.count != (isOwed ? 1 : 0) { return "\(told) of \(isOwed ? 1 : 0) at the restart" }
    let isPressed = random.below(2) == 0
    if isPressed { press() }
    let waits = told == [.offered] || pausedFrom != nil
    let known = known(gone: gone, back: back, isPressed: isPressed, waits: waits)
    box.pass(.hours(6))
    let sits = box.sits
    try box.goAway(for: .seconds(1), powerCut: true)
    if box.sits != sits || !box.changes.isEmpty { return "another restart is not the same" }
    if box.journal != nil { return "the journal stays" }
    return problem(told.first, before: isOver ? 1 : before, known: known)
  }

  /// The most that can be known to have been sat.
  private func known(gone: Span, back: Span, isPressed: Bool, waits: Bool) -> Span {
    let pause = pausedFrom.map { gone - $0 } ?? .zero
    let before = max(.zero, gone - begins - paused - pause)
    if isPressed { return before + (box.elapsed - back) }
    // Nobody comes. Where it is known how late it is, the planned end is waited for.
    guard let planned, box.isClockKnown, !waits else { return before }
    return before + max(.zero, begins + paused + planned - back)
  }

  private func problem(_ told: SessionChange?, before: Int, known: Span) -> String? {
    let sits = box.sits
    let least = told == nil || told == .discarded ? before : 1
    // What did not last its minute is not kept. A hand that comes after a pause is over is counted
    // here for up to 200 s, and ends nothing.
    let isShort = told != .closed && sits.isEmpty && known < .seconds(260)
    guard sits.count == least || isShort else { return "\(sits.count) records" }
    guard let sit = sits.first else { return nil }
    if sit.durationSeconds > known.wholeSeconds {
      return "\(sit.durationSeconds) s credited, \(known.wholeSeconds) s known"
    }
    let span = sit.endDate.milliseconds - sit.startDate.milliseconds
    return sit.durationSeconds * 1_000 > span ? "longer than from its start to its end" : nil
  }

  private mutating func begin() {
    box.pass(seconds(1...100))
    begins = box.elapsed + preparation
    switch random.below(4) {
    case 0: box.command(.start(.open))
    case 1:
      planned = .minutes(12)
      box.command(.start(.programme("walk")))
    default:
      let length = seconds(60...1_200)
      planned = length
      box.command(.start(.fixed(length)))
    }
  }

  private mutating func pauseOnce() {
    box.pass(seconds(30...59))
    pausedFrom = box.elapsed
    box.command(.timer(.pause))
    note("paused")
    guard random.below(2) == 0 else { return }
    let span = seconds(1...800)
    box.pass(span)
    box.command(.timer(.resume))
    (paused, pausedFrom) = (span, nil)
  }

  private mutating func press() {
    box.pass(seconds(1...100))
    box.command(.timer(.resume))
    box.pass(seconds(1...100))
    box.command(.timer(.stop))
    note("pressed")
  }

  private mutating func note(_ text: String) {
    story.append("\(text) at \(box.elapsed.nanoseconds / 1_000_000) ms in \(box.phase.name)")
  }

  private mutating func seconds(_ range: ClosedRange<UInt64>) -> Span {
    .seconds(Int64(range.lowerBound + random.below(range.upperBound - range.lowerBound + 1)))
  }
}
