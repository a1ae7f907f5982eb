// What the product does in real time, next to a peer where there is one. Run by `make bench`.
//
//   timerbox-bench PROGRAM UNSTRIPPED STANDIN CARD [--long] [--only=PART]
//
// PROGRAM is the static release binary, stripped as it is installed; STANDIN is the stand-in for
// this machine's libgpiod (Tests/standins), CARD the sound card of Tests/alsa-card, both made as
// libraries. Each row is measured in this run; nothing fails for being slow, since a machine that
// is busy or virtual says little. What cannot be measured is an error.
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
    guard arguments.count >= 5 else {
      print("usage: timerbox-bench PROGRAM UNSTRIPPED STANDIN CARD [--long] [--only=PART]")
      exit(64)
    }
    do {
      try measure(
        arguments[1], unstripped: arguments[2], standIn: arguments[3], card: arguments[4],
        isLong: arguments.contains("--long"),
        only: arguments.last.flatMap { $0.hasPrefix("--only=") ? String($0.dropFirst(7)) : nil })
    } catch {
      print("timerbox-bench: \(error)")
      exit(1)
    }
  }

  private static func measure(
    _ program: String, unstripped: String, standIn: String, card: String, isLong: Bool,
    only: String?
  ) throws {
    let driftSeconds: Int64 = isLong ? 600 : 60
    print(
      explanation + "\nDrift is measured over \(driftSeconds) s; all takes "
        + (isLong ? "18" : "9") + " minutes at most.\n")
    Row.write("figure", "measured", "aim")
    try Machine.setFinestTimerSlack()
    let parts: [(name: String, measure: () throws -> Void)] = [
      ("lateness", measureLateness),
      ("drift", { try measureDrift(seconds: driftSeconds) }),
      ("service", { try measureService(program) }),
      ("size", { try measureSizes(stripped: program, unstripped: unstripped) }),
      ("simulation", measureSimulation),
      ("store", measureStore),
      ("stats", { try measureStats(program) }),
      ("sound", { try measureSound(program, card: card) }),
      ("onsets", { try measureOnsets(library: card) }),
      ("decoding", measureDecoding),
      ("hand", { try measureHand(program, standIn: standIn) }),
    ]
    for part in parts where only == nil || only == part.name { try part.measure() }
  }

  private static let explanation = """
    Lateness: from a deadline to the reading of the clock after the wake-up, in the service's own
    loop (timerfd on CLOCK_BOOTTIME, epoll, timer slack 1 ns) in this process; of cyclictest, its
    own latencies (clock_nanosleep on CLOCK_MONOTONIC, the same slack), which cannot do BOOTTIME.
    Wake-ups, memory and readiness: of the static release binary, a process of its own, without a
    presenter, on ALSA's null output.
    Store: the time of a process that does nothing else, each step the least of five; a save is
    durable (fsync of file and folder). SQLite keeps the sits in one table, synchronous = full; its
    merge is an insert of those it has not. Python's json writes the file anew, as we do. Bytes are
    what is handed to the kernel; the box writes its truth and its copy in the shared folder.
    Stats: processes from start to end, of the release binary and of SQLite's shell.
    Sound: CPU of the service's threads and wake-ups of its audio thread, on a card that keeps time
    (Tests/alsa-card); of mpg123, of all its threads, playing a recording of the large bowl on that
    card. The service makes its sound while it plays; mpg123 decodes it.
    Onset: from the instant of a bell to the first frame that is heard, as the card tells; of aplay,
    which is started at the instant, from that instant.
    Edges a second: of one list without bounce, through Controls with each reading of levels that
    it asks for answered, and through gpiozero's RotaryEncoder and Button on its mock pins; no
    kernel and no libgpiod in either. In brackets: detents either way, and presses.
    CPU: in percent of one core, of the service's own threads, on a stand-in for libgpiod. Its
    readings of levels, every 2 ms while the knob moves, cost no system call; on a board they are
    one or two calls each.
    """
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
