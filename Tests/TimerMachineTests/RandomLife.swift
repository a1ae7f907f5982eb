import Ticks
import TimerMachine

/// A life of sits with everything that can befall one: hands, clocks, sleep, and outages of every
/// kind, each as the box would answer it. The same seed gives the same life.
struct RandomLife {
  var generator: SeededGenerator
  var driver = MachineDriver()
  var instant = at(1)
  var ledger = Ledger()
  /// What became of each sit, in order: what was kept, or nil.
  var outcomes: [FinishedSit?] = []
  private var outcomesTaken = 0

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func live(events: Int) {
    for _ in 0..<events {
      pass(Span(nanoseconds: Int64(generator.below(300_000_000_000))))
      befall(generator.below(12))
    }
  }

  /// Time passes; the ledger sees every piece of it in its own phase.
  mutating func pass(_ span: Span) {
    let end = instant + span
    while let due = driver.machine.nextDeadline, due <= end { step(to: due) }
    step(to: end)
  }

  private mutating func step(to next: Instant) {
    ledger.run(driver.machine, from: instant, to: next)
    if driver.machine.phase == .paused { ledger.excuse(driver.machine) }
    instant = next
    driver.advance(to: next)
    settle()
  }

  private mutating func settle() {
    let all = driver.outcomes
    outcomes += all[outcomesTaken...]
    outcomesTaken = all.count
    if driver.machine.phase == .ended { ledger.end() }
  }

  private mutating func befall(_ kind: UInt64) {
    switch kind {
    case 0, 1: start()
    case 2, 3: command(.pause)
    case 4, 5: command(.resume)
    case 6:
      ledger.press(driver.machine)
      driver.confirm(at: instant)
    case 7: command(.stop)
    case 8: sleep()
    case 9, 10: outage()
    default: driver.replan(end: instant + .seconds(drawn(below: 1200) - 100), at: instant)
    }
    settle()
  }

  private mutating func drawn(below bound: UInt64) -> Int64 { Int64(generator.below(bound)) }

  private mutating func start() {
    guard driver.machine.phase == .idle || driver.machine.phase == .ended else { return }
    let (segments, length) = anySegments(&generator)
    let kind = generator.below(4)
    let isFixed = kind > 1
    driver.start(
      SitPlan(
        preparation: .seconds(drawn(below: 20)), length: isFixed ? length : nil,
        segments: isFixed ? segments : [], end: kind == 1 ? instant + .seconds(20) + length : nil,
        intervals: anyPlan(&generator, length: isFixed ? length : nil), seed: generator.next(),
        overtime: generator.below(2) == 0),
      at: instant)
  }

  private mutating func command(_ event: TimerEvent) {
    ledger.press(driver.machine)
    driver.command(event, at: instant)
  }

  private mutating func sleep() {
    let wake = instant + .seconds(drawn(below: 1000))
    ledger.excuse(driver.machine)
    let isClosed = driver.machine.phase == .overtime || driver.machine.plannedLength == nil
    driver.fallAsleep(from: instant, to: wake)
    settle()
    if !isClosed { pass(wake - instant) }
  }

  private mutating func outage() {
    guard let sit = driver.machine.snapshot, sit.phase != .preparing else { return }
    let back = instant + Span(nanoseconds: drawn(below: 200_000_000_000))
    let kind = generator.below(3)
    let restored =
      switch kind {
      case 0: sit.afterOutage(from: instant, to: back)
      case 1: sit.resumed(from: instant, to: back)
      default: sit.held(from: instant, to: back)
      }
    if kind == 1 && sit.phase != .paused { ledger.isDoubtful = true }
    if let restored, !restored.isOver(at: back) {
      driver.restore(restored, at: back)
    } else {
      ledger.excuse(driver.machine)
      outcomes.append(sit.closed(at: instant))
      driver.machine = TimerMachine()
      ledger.end()
    }
    instant = back
  }
}

/// What a sit is credited with, kept slowly: every piece of time that ran, with what it waits for.
struct Ledger {
  private struct Piece {
    var span: Span
    var isOvertime: Bool
    var isDoubtful: Bool
    var isNeglected: Bool
  }

  /// What a sit comes to.
  struct Account: Equatable {
    var credited = Span.zero
    var overtime = Span.zero
    var unconfirmed = Span.zero
  }

  /// The account of each sit that is over.
  private(set) var finished: [Account] = []
  var isDoubtful = false
  private var pieces: [Piece] = []
  private var account = Account()
  private var isOn = false

  mutating func run(_ machine: TimerMachine, from: Instant, to: Instant) {
    guard machine.phase == .running || machine.phase == .overtime else { return }
    isOn = true
    pieces.append(
      Piece(
        span: to - from, isOvertime: machine.phase == .overtime, isDoubtful: isDoubtful,
        isNeglected: machine.phase == .overtime || machine.plannedLength == nil))
  }

  /// A hand: all that ran counts.
  mutating func press(_ machine: TimerMachine) {
    switch machine.phase {
    case .idle, .preparing, .ended: return
    case .running, .paused, .overtime: break
    }
    isOn = true
    for piece in pieces { credit(piece) }
    pieces = []
    isDoubtful = false
  }

  /// An open-ended sit that waits, or that a sleep or an outage closes, was not neglected.
  mutating func excuse(_ machine: TimerMachine) {
    guard machine.phase != .overtime && machine.plannedLength == nil else { return }
    for index in pieces.indices { pieces[index].isNeglected = false }
  }

  mutating func end() {
    guard isOn else { return }
    for piece in pieces {
      if piece.isDoubtful || piece.isNeglected {
        account.unconfirmed += piece.span
      } else {
        credit(piece)
      }
    }
    finished.append(account)
    self = Ledger(finished: finished)
  }

  private mutating func credit(_ piece: Piece) {
    account.credited += piece.span
    if piece.isOvertime { account.overtime += piece.span }
  }

  init(finished: [Account] = []) {
    self.finished = finished
  }
}
