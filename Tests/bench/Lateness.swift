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

  /// Writes both and their ratios.
  /// - Parameter isAimed: whether the ratio of p99 is held to its aim.
  static func write(_ what: String, _ box: Lateness, peer: Lateness, isAimed: Bool) {
    Row(name: "timerbox, \(what)", value: box.text, aim: nil).write()
    Row(name: "cyclictest, \(what)", value: peer.text, aim: nil).write()
    let ratio = box.percentile99 / max(1, peer.percentile99)
    Row(
      name: "  ratio p50, p99, max",
      value: "\(fixed(box.median / max(1, peer.median), 2)), \(fixed(ratio, 2)), "
        + fixed(box.greatest / max(1, peer.greatest), 2),
      aim: isAimed ? ("p99 at most 1.50", ratio <= 1.5) : nil
    ).write()
  }
}

private let loops = 500
private let turns = 20

/// The wake-ups of the service's own loop next to those of cyclictest, both every millisecond at
/// the same policy and priority, in turns of half a second, so that what else the machine does
/// meets both alike.
func measureLateness() throws {
  for isRealTime in [false, true] {
    if isRealTime && !Machine.requestRealTime(priority: 20) {
      Row(name: "lateness, SCHED_FIFO 20", value: "not permitted here", aim: nil).write()
      return
    }
    var ours: [Double] = []
    var theirs: [Double] = []
    for _ in 0..<turns {
      ours += try serviceLoop()
      let peer = try Child.cyclictest(intervalMicroseconds: 1_000, loops, isRealTime: isRealTime)
      theirs += try peer.latencies(loops)
    }
    if isRealTime { try giveUpRealTime() }
    Lateness.write(
      "\(loops * turns) x 1 ms, " + (isRealTime ? "SCHED_FIFO 20" : "SCHED_OTHER"),
      Lateness(ours), peer: Lateness(theirs), isAimed: true)
  }
}

func idleBox() -> Box {
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

extension Child {
  /// Starts cyclictest. Without `--laptop` it forbids the processor to sleep while it runs
  /// (/dev/cpu_dma_latency); a box that is to be quiet does not, so that would compare two
  /// machines. The timer slack it inherits is ours.
  static func cyclictest(
    intervalMicroseconds: Int, _ loops: Int, isRealTime: Bool = false
  ) throws -> Child {
    let policy = isRealTime ? ["--policy=fifo", "-p20"] : ["--policy=other"]
    let words = ["--laptop", "-q", "-t1", "-i", "\(intervalMicroseconds)", "-l", "\(loops)"]
    return try Child("cyclictest", words + ["-h", "1000000"] + policy)
  }

  /// cyclictest's latencies, read from its histogram in whole microseconds.
  func latencies(_ loops: Int) throws -> [Double] {
    var lateness: [Double] = []
    for line in try output().split(separator: "\n") {
      let words = line.split { $0 == " " || $0 == "\t" }
      guard words.count == 2, let micros = Int(words[0]), let count = Int(words[1]) else {
        continue
      }
      lateness += Array(repeating: Double(micros), count: count)
    }
    guard lateness.count == loops else {
      throw Failure("cyclictest: \(lateness.count) latencies, expected \(loops)")
    }
    return lateness
  }
}

/// Lets this thread, and the programs that it starts, be as ordinary as before.
private func giveUpRealTime() throws {
  var parameters = sched_param()
  guard pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameters) == 0 else {
    throw Failure("real-time scheduling cannot be given up")
  }
}
