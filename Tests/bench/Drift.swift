import Box
import LinuxIO
import Ticks

/// A sit's real seconds through the service's loop: as many ticks come as another clock counts
/// seconds, and the k-th has the instant of the start and k seconds, to the nanosecond. Beside it
/// runs cyclictest with the same interval.
func measureDrift(seconds: Int64) throws {
  var sit = try TickingSit()
  let peer = try Child.cyclictest(intervalMicroseconds: 1_000_000, Int(seconds))
  while sit.ticks < seconds { try sit.turn() }
  let elapsed = Span(nanoseconds: Clock.monotonic() - sit.startMonotonic)
  let latencies = try peer.latencies(Int(seconds))
  // Too few for a percentile to be held to an aim: of 60, p99 is the greatest.
  Lateness.write(
    "\(seconds) x 1 s, SCHED_OTHER", Lateness(sit.lateness), peer: Lateness(latencies),
    isAimed: false)
  let drift = elapsed.wholeSeconds - sit.ticks
  Row(
    name: "drift after \(seconds) s",
    value: "\(drift) ticks (\(sit.ticks) came, each at most \(sit.worst.nanoseconds) ns off)",
    aim: ("0", drift == 0 && sit.worst == .zero)
  ).write()
}

private struct TickingSit: ~Copyable {
  private var loop: EventLoop
  private var box = idleBox()
  private var start: Instant?
  /// When the sit began, on CLOCK_MONOTONIC.
  private(set) var startMonotonic: Int64 = 0
  private(set) var ticks: Int64 = 0
  /// The greatest distance of a tick's instant from its place.
  private(set) var worst = Span.zero
  /// From each tick's place to the wake-up that brought it, in microseconds.
  private(set) var lateness: [Double] = []

  init() throws {
    // In two steps: Swift 6.0 cannot unmake half an owner.
    self.init(waitingIn: try EventLoop())
    begin()
  }

  private init(waitingIn loop: consuming EventLoop) {
    self.loop = loop
  }

  private mutating func begin() {
    let now = Clock.bootTime()
    box.handle(.appliance(.ticksWanted(true)), at: now)
    box.handle(.appliance(.command(.start(.fixed(.hours(1))))), at: now)
    box.handle(.appliance(.command(.timer(.skip))), at: now)
    takeNews(at: now)
  }

  mutating func turn() throws {
    try loop.setDeadline(box.nextDeadline)
    _ = try loop.wait()
    let now = Clock.bootTime()
    while box.advance(to: now) {}
    takeNews(at: now)
  }

  private mutating func takeNews(at now: Instant) {
    while let action = box.nextAction() {
      switch action {
      case .appliance(.notice(.phase(_, to: .running), let instant)):
        start = instant
        startMonotonic = Clock.monotonic() - (Clock.bootTime() - instant).nanoseconds
      case .appliance(.notice(.tick, let instant)):
        guard let start else { continue }
        ticks += 1
        let place = start + .seconds(ticks)
        worst = max(worst, max(instant - place, place - instant))
        lateness.append(Double((now - place).nanoseconds) / 1_000)
      default: break
      }
    }
  }
}
