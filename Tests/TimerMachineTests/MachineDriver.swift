import Ticks
import TimerMachine

/// Drives a machine by hand and keeps everything it tells.
struct MachineDriver {
  var machine = TimerMachine()
  var trace: [TimerOutput] = []

  init(ticks: Bool = false) {
    machine.ticksWanted = ticks
  }

  mutating func advance(to instant: Instant) {
    while machine.advance(to: instant) { drain() }
    drain()
  }

  mutating func start(_ plan: SitPlan, at instant: Instant, earliestStrike: Instant = .zero) {
    advance(to: instant)
    machine.start(plan, at: instant, earliestStrike: earliestStrike)
    drain()
    advance(to: instant)
  }

  mutating func command(_ event: TimerEvent, at instant: Instant, earliestStrike: Instant = .zero) {
    advance(to: instant)
    machine.command(event, at: instant, earliestStrike: earliestStrike)
    drain()
    advance(to: instant)
  }

  mutating func confirm(at instant: Instant) {
    advance(to: instant)
    machine.confirm(at: instant)
  }

  mutating func replan(end: Instant, at instant: Instant) {
    advance(to: instant)
    machine.replan(end: end, at: instant)
    drain()
    advance(to: instant)
  }

  mutating func sleep(from: Instant, to: Instant) {
    fallAsleep(from: from, to: to)
    advance(to: to)
  }

  mutating func fallAsleep(from: Instant, to: Instant) {
    advance(to: from)
    machine.slept(from: from, to: to)
    drain()
  }

  /// A fresh machine takes the sit up, as after an outage. What it told of that is dropped.
  mutating func restore(_ snapshot: TimerSnapshot, at instant: Instant) {
    let ticks = machine.ticksWanted
    machine = TimerMachine()
    machine.ticksWanted = ticks
    machine.restore(snapshot, at: instant)
    while machine.nextOutput() != nil {}
  }

  /// What became of each sit, in order: what was kept, or nil.
  var outcomes: [FinishedSit?] {
    trace.compactMap { output -> FinishedSit?? in
      switch output.news {
      case .closed(let sit): .some(sit)
      case .discarded: .some(nil)
      default: nil
      }
    }
  }

  /// Brings a fresh machine into a phase, at the instant that is returned.
  mutating func reach(_ phase: Phase) -> Instant {
    let plan = SitPlan(length: .minutes(10), overtime: phase == .overtime)
    switch phase {
    case .idle: return at(0)
    case .preparing:
      start(plan, at: at(1))
      return at(2)
    case .running, .paused:
      start(plan, at: at(1))
      advance(to: at(100))
      if phase == .paused { command(.pause, at: at(100)) }
      return at(101)
    case .overtime, .ended:
      start(plan, at: at(1))
      advance(to: at(620))
      return at(620)
    }
  }

  var bells: [Bell] {
    trace.compactMap { if case .bell(let bell) = $0.news { bell } else { nil } }
  }

  var closed: [FinishedSit] {
    trace.compactMap { if case .closed(let sit) = $0.news { sit } else { nil } }
  }

  private mutating func drain() {
    while let output = machine.nextOutput() { trace.append(output) }
  }
}

func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }
func at(ms milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }
let nanosecond = Span(nanoseconds: 1)
