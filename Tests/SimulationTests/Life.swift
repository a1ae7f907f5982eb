import Appliance
import Box
import Sessions
import Ticks
import TimerMachine
import Zones

/// A life of sits on one box, with all that comes between, and an account of what was sat that
/// knows nothing of how the box counts.
///
/// - Every instant is a whole second, so that nothing is rounded and sums are equal to the second.
/// - Of the wall clock it is asked that it is never set back past the end of an earlier sit: where
///   somebody does that, two sits that never were at one time show the same hour.
struct Life {
  /// What one sit ought to have left.
  struct Account: Equatable {
    /// On which day it ought to be, in days since 1970.
    var day: Int64
    var seconds: Int64
  }

  private(set) var box: LifeBox
  private(set) var accounts: [Account] = []
  /// The rule of its days.
  let rule: DayRule
  private var random: SeededGenerator
  private var zone: ZoneRules
  private let zones: [ZoneRules]
  /// The days of sits as they were when each was kept.
  private(set) var days: [Identity: LocalDate] = [:]

  /// What happened when, in seconds since its begin.
  private(set) var story: [(what: StaticString, at: Int64)] = []

  // MARK: of the sit that is on
  private var sat = Span.zero
  /// What was sat of all sits, in seconds since the life's begin.
  private(set) var stretches: [Range<Int64>] = []
  private var ranFrom = Span.zero
  private var deadline: Span?
  private var isAtEnd = false

  /// Whether one sit follows the other within minutes, and nobody sets the clock.
  private let isBusy: Bool

  /// - Parameter start: when a busy life begins, in seconds since 1970; nil for any other.
  init(seed: UInt64, zones: [ZoneRules], busyFrom start: Int64? = nil) {
    isBusy = start != nil
    random = SeededGenerator(seed: seed)
    self.zones = zones
    zone = zones[Int(random.below(UInt64(zones.count)))]
    rule = DayRule(
      startsSeconds: Int64(random.below(7)) * 3_600, graceDays: Int(random.below(3)))
    var appliance = ApplianceSettings()
    let silent = BellRole.allCases.map { _ in BellRecipe(sound: nil) }
    appliance.cues.hasTaps = false
    var simple = Programme.simple
    simple.plan = SitPlan(preparation: .zero, length: nil)
    simple.bells = silent
    let further = Programme(
      name: "further", length: .fixed,
      plan: SitPlan(preparation: .zero, length: .minutes(5), overtime: true), bells: silent)
    appliance.programmes = [simple, further]
    // 2026 to 2030, at any second.
    let anyTime = 1_767_225_600 + Int64(random.below(4 * 365 * 86_400))
    box = LifeBox(
      BoxSettings(appliance: appliance, seed: random.next()), zone: zone, unixSeconds: start ?? anyTime)
  }

  /// The days since 1970 of now.
  var today: Int64 { day(box.elapsed, zone) }

  /// The offset of now.
  var offsetSeconds: Int64 {
    Int64(zone.offsetSeconds(atUnixSeconds: box.unixSeconds(box.elapsed)))
  }

  private func day(_ elapsed: Span, _ zone: ZoneRules) -> Int64 {
    let unix = box.unixSeconds(elapsed)
    let local = unix + Int64(zone.offsetSeconds(atUnixSeconds: unix)) - rule.startsSeconds
    return local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
  }

  private mutating func seconds(_ range: ClosedRange<UInt64>) -> Span {
    .seconds(Int64(range.lowerBound + random.below(range.upperBound - range.lowerBound + 1)))
  }

  private mutating func note(_ what: StaticString) {
    story.append((what, box.elapsed.wholeSeconds))
  }

  private mutating func isOne(of count: UInt64) -> Bool { random.below(count) == 0 }

  // MARK: - Between sits

  /// Hours or days go by, with clocks, zones and outages.
  mutating func rest() throws {
    if isBusy { return box.pass(seconds(1...900)) }
    box.pass(seconds(10_000...(isOne(of: 4) ? 400_000 : 90_000)))
    if isOne(of: 6) { try box.goAway(for: seconds(1...50_000), powerCut: isOne(of: 2)) }
    if isOne(of: 6) { box.sleep(seconds(1...50_000)) }
    if isOne(of: 5) {
      zone = zones[Int(random.below(UInt64(zones.count)))]
      box.travel(to: zone)
    }
    if isOne(of: 5) { stepWall() }
  }

  private mutating func stepWall() {
    if isBusy { return }
    note("step")
    let span = seconds(1...3_600)
    box.step(isOne(of: 2) ? span : .zero - span)
  }

  // MARK: - A sit

  mutating func sit() throws {
    let begun = box.elapsed
    let began = zone
    note("start")
    (sat, ranFrom, isAtEnd) = (.zero, begun, false)
    let kind = random.below(8)
    switch kind {
    case 0:
      deadline = nil
      box.command(.start(.open))
    case 1:
      deadline = begun + .minutes(5)
      box.command(.start(.programme("further")))
    default:
      let length = seconds(200...900)
      deadline = begun + length
      box.command(.start(.fixed(length)))
    }
    let isFurther = kind == 1
    var hasStepped = false
    var hasGone = false
    var isOn = true
    var events = random.below(3)
    // Long enough to be kept whatever comes.
    box.pass(seconds(125...180))
    while isOn && events > 0 {
      events -= 1
      switch random.below(isFurther ? 2 : 6) {
      case 0, 1: isOn = try pause(allowingOutage: !hasStepped)
      case 2 where !hasStepped:
        hasGone = true
        isOn = try outage()
      case 3: isOn = sleep()
      case 4 where !hasGone:
        hasStepped = true
        stepWall()
      case _: isOn = !stop()
      }
      if isOn { isOn = goOn(seconds(1...200)) }
    }
    if isOn { finish() }
    if isFurther && isAtEnd { goFurther() }
    box.pass(.minutes(2))
    accounts.append(Account(day: day(begun, began), seconds: sat.wholeSeconds))
    if box.phase != .idle { note("still on") }
    note(isFurther ? "(further)" : deadline == nil ? "(open)" : "(fixed)")
    if let last = box.sits.last { days[last.id] = rule.day(of: last) }
  }

  /// Runs on for a while.
  /// - Returns: whether it is still on.
  private mutating func goOn(_ span: Span) -> Bool {
    guard let deadline, box.elapsed + span >= deadline else {
      box.pass(span)
      return true
    }
    return reachEnd()
  }

  private mutating func reachEnd() -> Bool {
    guard let deadline else { return true }
    if box.elapsed < deadline { box.pass(deadline - box.elapsed) }
    credit(to: deadline)
    isAtEnd = true
    return false
  }

  private mutating func finish() {
    guard deadline == nil else { return _ = reachEnd() }
    box.pass(seconds(1...300))
    _ = stop()
  }

  private mutating func goFurther() {
    let further = seconds(1...600)
    // Left alone, what nobody confirms by a press is not credited.
    guard !isOne(of: 4) else { return box.pass(.minutes(61)) }
    ranFrom = box.elapsed
    box.pass(further)
    box.command(.timer(.stop))
    credit(to: box.elapsed)
  }

  /// It was sat from when it ran last.
  private mutating func credit(to end: Span) {
    sat += end - ranFrom
    stretches.append(ranFrom.wholeSeconds..<end.wholeSeconds)
  }

  private mutating func stop() -> Bool {
    note("stop")
    credit(to: box.elapsed)
    box.command(.timer(.stop))
    return true
  }

  private mutating func pause(allowingOutage: Bool) throws -> Bool {
    let began = box.elapsed
    note("pause")
    credit(to: began)
    box.command(.timer(.pause))
    box.pass(seconds(1...300))
    if allowingOutage, isOne(of: 3) {
      note("outage")
      try box.goAway(for: seconds(1...300), powerCut: isOne(of: 2))
      note("back")
    }
    if isOne(of: 8) { box.sleep(seconds(1...300)) }
    guard !isOne(of: 10) else {
      box.pass(.minutes(61))
      return false
    }
    box.pass(seconds(1...300))
    note("resume")
    box.command(.timer(.resume))
    goOnAfter(began)
    return true
  }

  /// What was not sat since an instant moves the end.
  private mutating func goOnAfter(_ began: Span) {
    deadline = deadline.map { $0 + (box.elapsed - began) }
    ranFrom = box.elapsed
  }

  private mutating func sleep() -> Bool {
    note("sleep")
    if deadline == nil {
      // An open sit ends as the machine falls asleep.
      credit(to: box.elapsed)
      box.sleep(seconds(1...5_000))
      return false
    }
    box.sleep(seconds(1...600))
    return deadline.map { box.elapsed < $0 } ?? true || reachEnd()
  }

  private mutating func outage() throws -> Bool {
    let known = box.journalElapsed
    note("outage")
    story.append(("known", known.wholeSeconds))
    credit(to: known)
    try box.goAway(for: seconds(1...(isOne(of: 2) ? 500 : 5_000)), powerCut: isOne(of: 2))
    let gap = box.elapsed - known
    note(box.changes == [.discarded] ? "discarded" : box.changes == [.closed] ? "closed" : "back")
    if gap > .minutes(60) { return false }
    if gap <= .minutes(10) {
      ranFrom = box.elapsed
      return deadline.map { box.elapsed < $0 } ?? true
    }
    guard !isOne(of: 4) else {
      box.pass(.minutes(61))
      return false
    }
    box.pass(seconds(1...3_000))
    note("resume")
    box.command(.timer(.resume))
    goOnAfter(known)
    return true
  }
}
