import Simulation
import Testing

@Test func scenarios_ofTheProject_areThere() {
  #expect(Scenarios.names.contains("first-sit.scenario"))
  #expect(Scenarios.names.count > 20)
}

@Test(arguments: Scenarios.names)
func scenario_ofTheProject_holds(name: String) throws {
  #expect(try Scenarios.failures(Scenarios.text(name)) == [])
}

/// Each expectation of the first sit, changed by one unit, with what is then said of its line.
private let changes: [(original: String, changed: String, message: String)] = [
  ("expect phase preparing", "expect phase running", "expected phase running, got preparing"),
  ("14s   expect phase running", "14s expect phase paused", "expected phase paused, got running"),
  ("expect phase paused", "expect phase running", "expected phase running, got paused"),
  ("17m1s expect phase running", "17m1s expect phase ended", "expected phase ended, got running"),
  ("completed true", "completed false", "expected record 1 completed false, got true"),
  ("duration 30m", "duration 29m59s", "expected record 1 duration 29m59s, got 30m"),
  ("duration 30m", "duration 30m1s", "expected record 1 duration 30m1s, got 30m"),
  ("expect records 1", "expect records 0", "expected records 0, got 1"),
  ("expect records 1", "expect records 2", "expected records 2, got 1"),
  ("record 1 duration", "record 2 duration", "expected record 2 to be there, got 1 records"),
]

@Test(arguments: changes)
func firstSit_oneExpectationChanged_failsWithItsLine(
  original: String, changed: String, message: String
) throws {
  let text = try Scenarios.text("first-sit.scenario")
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  let index = try #require(lines.firstIndex { $0.contains(original) })
  let failures = try Scenarios.failures(text.replacing(original, with: changed))
  #expect(failures == ["t:\(index + 1): \(message)"])
}

private let bells = [
  "13450ms:start", "313450ms:interval", "1213110ms:interval", "1513110ms:interval",
  "1813110ms:interval", "2113110ms:interval", "2413110ms:end",
]

@Test(arguments: bells, [-1, 1])
func firstSit_oneBellMovedByAMillisecond_failsWithItsLine(bell: String, change: Int) throws {
  let text = try Scenarios.text("first-sit.scenario")
  let parts = bell.split(separator: ":")
  let onset = try #require(Int(parts[0].dropLast(2)))
  let moved = text.replacing(bell, with: "\(onset + change)ms:\(parts[1])")
  let failures = try Scenarios.failures(moved)
  #expect(failures.count == 1)
  #expect(failures.first?.hasPrefix("t:18: expected bells ") == true)
  #expect(failures.first?.hasSuffix(", got " + bells.joined(separator: " ")) == true)
}

@Test(arguments: bells)
func firstSit_oneBellLeftOut_failsWithItsLine(bell: String) throws {
  let text = try Scenarios.text("first-sit.scenario").replacing(" " + bell, with: "")
  let failures = try Scenarios.failures(text)
  #expect(failures.count == 1 && failures.first?.hasPrefix("t:18: expected bells ") == true)
}

/// Each expectation of bells and of the number of sits in every scenario, changed by one.
@Test(arguments: Scenarios.names)
func scenario_bellsOrRecordsChangedByOne_failsWithItsLine(name: String) throws {
  let lines = try Scenarios.text(name).split(separator: "\n", omittingEmptySubsequences: false)
  for (index, line) in lines.enumerated() {
    var words = line.split(separator: " ").map(String.init)
    if line.hasPrefix("expect records "), let count = Int(words[2]) {
      words[2] = "\(count + 1)"
    } else if line.hasPrefix("expect bells ") {
      words.removeLast()
      if words.count == 2 { words = ["expect", "no", "bell"] }
    } else if line == "expect no bell" {
      words = ["expect", "bells", "0:start"]
    } else {
      continue
    }
    var changed = lines
    changed[index] = Substring(words.joined(separator: " "))
    let failures = try Scenarios.failures(changed.joined(separator: "\n"))
    #expect(failures.count == 1)
    #expect(failures.first?.hasPrefix("t:\(index + 1): expected ") == true)
  }
}
