import LinuxIO
import Simulation

/// How fast virtual time passes, with the output's device opened, held and closed in it. There is
/// no peer to compare with.
func measureSimulation() throws {
  var year = "set bell.end.strikes 1\n"
  for day in 0..<365 { year += "at \(day)d1h start 20m\n" }
  year += "expect records 365\nend 365d\n"
  let yearRun = try play(year, ticks: false)
  Row(
    name: "a simulated year of daily sits", value: yearRun.text,
    aim: ("under 0.3", yearRun.seconds < 0.3)
  ).write()
  var day = "set bell.end.strikes 1\n"
  for hour in 0..<24 { day += "at \(hour)h1s start 50m\n" }
  day += "expect records 24\nend 24h\n"
  let dayRun = try play(day, ticks: true)
  Row(
    name: "a simulated day of 24 sits, each tick traced", value: dayRun.text,
    aim: ("under 1", dayRun.seconds < 1)
  ).write()
}

private struct SimulatedRun {
  var seconds: Double
  var events: Int

  var text: String {
    "\(fixed(seconds, 2)) s (\(events) events, \(fixed(Double(events) / seconds, 0)) /s)"
  }
}

/// Plays a scenario from its text; its events are the lines of its trace.
private func play(_ text: String, ticks: Bool) throws -> SimulatedRun {
  var run = SimulatedRun(seconds: 0, events: 0)
  run.seconds = try timed {
    var events = 0
    let scenario = try ScenarioParser.parse(text, file: "bench")
    let result = Simulation.run(scenario, ticks: ticks) { _ in events += 1 }
    guard result.failures.isEmpty else { throw Failure(result.failures[0]) }
    run.events = events
  }
  return run
}

private func timed(_ work: () throws -> Void) rethrows -> Double {
  let begin = Clock.monotonic()
  try work()
  return Double(Clock.monotonic() - begin) / 1e9
}
