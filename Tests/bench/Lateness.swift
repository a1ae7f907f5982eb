import Box
import Glibc
import LinuxIO
import Ticks
import Zones

/// How late wake-ups were, in microseconds.
struct Lateness {
  var median: Double
  var percentile99: Double
  var greatest: Double

  init(_ microseconds: [Double]) {
    let sorted = microseconds.sorted()
    median = sorted[sorted.count / 2]
    percentile99 = sorted[sorted.count * 99 / 100]
    greatest = sorted[sorted.count - 1]
  }

  var text: String {
    "p50 \(fixed(median, 0)) us, p99 \(fixed(percentile99, 0)) us, max \(fixed(greatest, 0)) us"
  }
}

private let loops = 2_500

/// The wake-ups of the service's own loop next to those of cyclictest, both every millisecond at
/// the same policy and priority, in turns of 2.5 s.
func measureLateness() throws {
  try Machine.setFinestTimerSlack()
  for isRealTime in [false, true] {
    // A thread that has become real-time stays it, so the ordinary policy comes first.
    if isRealTime && !Machine.requestRealTime(priority: 20) {
      Row(name: "lateness, SCHED_FIFO 20", value: "not permitted here", aim: nil).write()
      return
    }
    let policy = isRealTime ? "SCHED_FIFO 20" : "SCHED_OTHER"
    var ours: [Double] = []
    var theirs: [Double] = []
    for _ in 0..<4 {
      ours += try serviceLoop()
      theirs += try cyclictest(isRealTime ? "--policy=fifo -p 20" : "--policy=other")
    }
    let (box, peer) = (Lateness(ours), Lateness(theirs))
    Row(name: "tick lateness, timerbox, \(policy)", value: box.text, aim: nil).write()
    Row(name: "tick lateness, cyclictest, \(policy)", value: peer.text, aim: nil).write()
    let ratio = box.percentile99 / max(1, peer.percentile99)
    Row(
      name: "  ratio p50, p99, max",
      value: "\(fixed(box.median / max(1, peer.median), 2)), \(fixed(ratio, 2)), "
        + fixed(box.greatest / max(1, peer.greatest), 2),
      aim: ("p99 at most 1.50", ratio <= 1.5)
    ).write()
  }
}

private func idleBox() -> Box {
  Box(
    settings: BoxSettings(seed: 1), zone: .utc,
    wall: WallReading(at: Clock.bootTime(), unixNanoseconds: Clock.wall(), isKnown: true))
}

/// The very steps of the service's loop: arm the deadline, wait, read the clock, hand it to the
/// box.
private func serviceLoop() throws -> [Double] {
  var loop = try EventLoop()
  var box = idleBox()
  var lateness: [Double] = []
  let start = Clock.bootTime() + .milliseconds(10)
  for index in 0..<loops {
    let deadline = start + .milliseconds(Int64(index))
    try loop.setDeadline(deadline)
    _ = try loop.wait()
    let now = Clock.bootTime()
    while box.advance(to: now) {}
    lateness.append(Double((now - deadline).nanoseconds) / 1_000)
  }
  return lateness
}

/// cyclictest's latencies, read from its histogram. Without `--laptop` it forbids the processor to
/// sleep while it runs (/dev/cpu_dma_latency); a box that is to be quiet does not, so that would
/// compare two machines.
private func cyclictest(_ policy: String) throws -> [Double] {
  let command = "cyclictest --laptop -q -t1 -i 1000 -l \(loops) -h 20000 \(policy) 2>&1"
  guard let pipe = popen(command, "r") else { throw Failure("cyclictest cannot be run") }
  var lateness: [Double] = []
  var line = [CChar](repeating: 0, count: 512)
  var all = ""
  while fgets(&line, Int32(line.count), pipe) != nil {
    let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let text = String(decoding: bytes, as: UTF8.self)
    all += text
    let words = text.split { $0 == " " || $0 == "\t" || $0 == "\n" }
    guard words.count == 2, let micros = Int(words[0]), let count = Int(words[1]) else { continue }
    lateness += Array(repeating: Double(micros), count: count)
  }
  guard pclose(pipe) == 0, lateness.count > loops / 2 else { throw Failure("cyclictest: \(all)") }
  return lateness
}

/// A sit's real seconds through the same loop: each tick has its own instant, and none is lost.
func measureDrift(seconds: Int64) throws {
  var loop = try EventLoop()
  var box = idleBox()
  let begin = Clock.bootTime()
  box.handle(.appliance(.ticksWanted(true)), at: begin)
  box.handle(.appliance(.command(.start(.fixed(.hours(1))))), at: begin)
  while let due = box.nextDeadline, box.appliance.phase == .preparing {
    try loop.setDeadline(due)
    _ = try loop.wait()
    let now = Clock.bootTime()
    while box.advance(to: now) {}
  }
  while box.nextAction() != nil {}
  let start = Clock.bootTime() - box.appliance.timer.elapsed(at: Clock.bootTime())
  var ticks: Int64 = 0
  var worst = Span.zero
  while ticks < seconds {
    try loop.setDeadline(box.nextDeadline)
    _ = try loop.wait()
    let now = Clock.bootTime()
    while box.advance(to: now) {}
    while let action = box.nextAction() {
      guard case .appliance(.notice(.tick, let at)) = action else { continue }
      ticks += 1
      let off = at - (start + .seconds(ticks))
      worst = max(worst, max(off, .zero - off))
    }
  }
  // `start` was read from the clock a moment after the sit's own instant was known; a tick is a
  // million times that.
  let drift = worst.nanoseconds / 1_000_000_000
  Row(
    name: "drift after \(seconds) s", value: "\(drift) ticks (\(ticks) ticks came)",
    aim: ("0", drift == 0)
  ).write()
}

/// Why something could not be measured.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
