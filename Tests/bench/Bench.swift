// What the product does in real time, next to a peer where there is one. Run by `make bench`.
//
//   timerbox-bench PROGRAM [--long]
//
// PROGRAM is the static release binary. Each row is measured in this run; nothing fails for being
// slow, since a machine that is busy or virtual says little. What cannot be measured is an error.
import Glibc
import LinuxIO

/// One row of the table.
struct Row {
  var name: String
  var value: String
  /// What is aimed at, and whether it was reached; nil where there is no aim.
  var aim: (text: String, isReached: Bool)?

  func write() {
    let verdict = aim.map { "\($0.text): \($0.isReached ? "PASS" : "MISS")" } ?? "-"
    Row.write(name, value, verdict)
  }

  static func write(_ name: String, _ value: String, _ aim: String) {
    print(padded(name, to: 46) + padded(value, to: 42) + aim)
    fflush(nil)
  }

  private static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(1, columns - text.count))
  }
}

@main
struct Bench {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count >= 2 else {
      print("usage: timerbox-bench PROGRAM [--long]")
      exit(64)
    }
    do {
      try measure(arguments[1], isLong: arguments.contains("--long"))
    } catch {
      print("timerbox-bench: \(error)")
      exit(1)
    }
  }

  private static func measure(_ program: String, isLong: Bool) throws {
    Row.write("figure", "measured", "aim")
    try measureLateness()
    try measureDrift(seconds: isLong ? 600 : 20)
    try measureService(program)
    try measureSimulation()
  }
}

/// A number with so many digits after the point.
func fixed(_ value: Double, _ digits: Int) -> String {
  var scale = 1.0
  for _ in 0..<digits { scale *= 10 }
  let whole = Int64((value * scale).rounded())
  guard digits > 0 else { return "\(whole)" }
  let rest = String(abs(whole) % Int64(scale))
  let zeros = String(repeating: "0", count: digits - rest.count)
  return "\(whole / Int64(scale)).\(zeros)\(rest)"
}
