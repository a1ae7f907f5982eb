import FoundationEssentials
import Glibc
import LinuxIO

/// A chip of Tests/standins that the service's board is wired to, in place of the kernel's.
struct StandInChip {
  /// The stand-in for the libgpiod of this machine.
  var library: String
  /// How fast its knob turns clockwise, without end.
  var detentsPerSecond: Int

  /// Writes the chip's node and script and a board of it.
  func install(in folder: String) throws -> (file: String, environment: [String]) {
    let board = """
      [board]
      name = bench
      chip = \(folder)/gpiochip0
      [lines]
      bias = pull-up
      active = low
      crown-a = 17
      crown-b = 27
      crown-switch = 22

      """
    var script = "chip gpiochip0 bench 54\n"
    if detentsPerSecond > 0 {
      // Each contact changes twice a detent, the second a quarter of a detent after the first.
      let quarter = 250_000 / detentsPerSecond
      script +=
        "flutter 17 \(2 * detentsPerSecond)\nflutter 27 \(2 * detentsPerSecond) \(quarter)\n"
    }
    for (name, text) in [("gpiochip0", ""), ("board.ini", board), ("script", script)] {
      try text.write(toFile: folder + "/" + name, atomically: false, encoding: .utf8)
    }
    return (
      folder + "/board.ini", ["LD_PRELOAD=\(library)", "TIMERBOX_STANDIN=\(folder)/script"]
    )
  }
}

/// What an idle box costs whose lines are taken, and one whose knob is turned.
func measureHand(_ program: String, standIn: String) throws {
  try measureCost(
    "idle, its lines taken, 60 s", program, StandInChip(library: standIn, detentsPerSecond: 0),
    seconds: 60, aim: "no wake-up"
  ) { $0.wakeUps == 0 && $0.detents == 0 }
  try measureCost(
    "20 detents a second", program, StandInChip(library: standIn, detentsPerSecond: 20),
    seconds: 20, aim: "under 5 %, all counted"
  ) { $0.percent < 5 && abs($0.detents - 400) <= 2 }
}

private struct Cost {
  /// Of one core.
  var percent: Double
  var wakeUps: Int
  var detents: Int
}

private func measureCost(
  _ state: String, _ program: String, _ chip: StandInChip, seconds: Int, aim: String,
  isReached: (Cost) -> Bool
) throws {
  let service = try RunningService(program, chip: chip)
  sleep(2)
  let set = try service.setSeconds()
  let begun = Clock.monotonic()
  let (time, wakes) = (try service.processorTime(), try service.wakeUps(of: ownThreads))
  sleep(UInt32(seconds))
  let spent = try service.processorTime() - time
  let wakeUps = try service.wakeUps(of: ownThreads) - wakes
  let passed = Clock.monotonic() - begun
  let detents = (try service.setSeconds() - set) / 60
  let cost = Cost(
    percent: Double(spent) * 100 / Double(passed), wakeUps: wakeUps, detents: detents)
  Row(
    name: "CPU, \(state)",
    value:
      "\(fixed(cost.percent, 2)) %, \(fixed(Double(wakeUps) / Double(seconds), 1)) wake-ups /s, "
      + "\(detents) detents",
    aim: (aim, isReached(cost))
  ).write()
}

/// The stand-in's threads are not the service's.
private let ownThreads = ["control", "storage", "audio"]

extension RunningService {
  fileprivate func wakeUps(of threads: [String]) throws -> Int {
    let counts = try wakeUps()
    return threads.reduce(0) { $0 + counts[$1, default: 0] }
  }

  /// Nanoseconds that its threads have run.
  func processorTime() throws -> Int64 {
    try tasks().reduce(0) { sum, task in
      guard ownThreads.contains(task.name) else { return sum }
      return sum + (try timerbox_bench.processorTime(ofTask: task.folder))
    }
  }

  /// The length that its knob has set; a detent of a slow hand is a minute.
  fileprivate func setSeconds() throws -> Int {
    let status = try status()
    guard let key = status.firstRange(of: "\"setSeconds\":"),
      let number = Int(status[key.upperBound...].prefix { $0.isNumber })
    else { throw Failure("no setSeconds in \(status)") }
    return number
  }
}
