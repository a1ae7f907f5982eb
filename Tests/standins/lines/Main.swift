import Controls
import GPIOInput
import Glibc
import LinuxIO
import Settings
import Ticks

// A program that does with the lines of a board what it is told, and prints what comes of it:
//
//   timerbox-lines FOLDER CHIP PART=LINE… -- COMMAND…
//
//   read           what there is to read
//   go             lets the stand-in play its script up to the next `go`
//   skip SECONDS   the time that later commands are told is so much later
//   levels LETTERS | mask LETTERS | on ROLE | off ROLE
//   readable       whether something waits
//   deadline       when it is to be read at the latest
//   devices        every chip and line
//   run            reads whatever comes until SIGTERM

@main struct Lines: ~Copyable {
  private var input: GPIOInput
  private let wiring: Wiring
  private let folder: String
  private var skipped = Span.zero

  private init(_ wiring: Wiring, folder: String, taking input: consuming GPIOInput) {
    self.input = input
    self.wiring = wiring
    self.folder = folder
  }

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard let folder = arguments.first, let end = arguments.firstIndex(of: "--"),
      let words = WiringWords(Array(arguments[1..<end]))
    else { return complain("timerbox-lines FOLDER CHIP PART=LINE… -- COMMAND…") }
    do throws(SystemError) {
      let input = try GPIOInput(words.wiring, folder: folder)
      var lines = Lines(words.wiring, folder: folder, taking: input)
      for command in arguments[(end + 1)...] { try lines.obey(command) }
    } catch {
      complain(error.description)
    }
  }

  private var now: Instant { Clock.bootTime() + skipped }

  private mutating func obey(_ command: String) throws(SystemError) {
    let words = command.split(separator: " ")
    let operand = words.count > 1 ? words[1] : ""
    switch words[0] {
    case "read": show(input.read(at: now))
    case "go": go()
    case "skip": skipped += .seconds(Int64(operand) ?? 0)
    case "levels": say("levels " + text(input.levels(of: lineSet(operand))))
    case "mask": input.mask(lineSet(operand))
    case "on", "off":
      if let role = OutputRole(rawValue: String(operand)) { input.set(role, on: words[0] == "on") }
    case "readable":
      say(try input.lent.waitReadable(timeoutMilliseconds: 0) ? "readable" : "nothing to read")
    case "deadline": sayDeadline()
    case "devices": sayDevices()
    case "run": try run()
    default: Self.complain("what is \(command)?")
    }
  }

  private func go() {
    // Safety: the stand-in's own function, of the type that kernel.h declares.
    guard let address = dlsym(nil, "standin_go") else { return Self.complain("no stand-in") }
    unsafeBitCast(address, to: (@convention(c) () -> Void).self)()
  }

  private func show(_ news: GPIONews) {
    let first = news.edges.first?.at ?? .zero
    for edge in news.edges {
      let level = edge.level == .low ? "low" : "high"
      say("edge \(text(LineSet(edge.line))) \(level) \((edge.at - first).nanoseconds / 1_000)")
    }
    if !news.gap.isEmpty { say("gap " + text(news.gap)) }
    if !news.lost.isEmpty { say("lost " + text(news.lost)) }
    if let taken = news.taken { say("taken " + text(taken)) }
    for fault in news.faults ?? [] { say("fault " + fault.description) }
    if news.faults?.isEmpty == true { say("no fault") }
    if news.isEmpty { say("no news") }
  }

  private func sayDeadline() {
    guard let deadline = input.nextDeadline else { return say("no deadline") }
    let milliseconds = (deadline - now).nanoseconds / 1_000_000
    say(
      milliseconds <= 0
        ? "due" : milliseconds < 100 ? "soon" : "in \((milliseconds + 999) / 1_000) s")
  }

  private func sayDevices() {
    let survey = GPIOSurvey(of: wiring, folder: folder)
    for entry in survey.entries {
      say("\(entry.chip.name) \(entry.chip.label) \(entry.chip.lineCount)")
      for (line, use) in entry.lines where line.isUsed || !line.name.isEmpty || use != nil {
        let parts = [
          "\(line.offset)", line.name, line.consumer, line.isOutput ? "output" : "input",
          use?.text ?? "",
        ]
        say("  " + parts.joined(separator: "|"))
      }
    }
    for fault in survey.faults { say("fault " + fault.description) }
  }

  private mutating func run() throws(SystemError) {
    var loop = try EventLoop()
    try loop.register(input.lent, token: 0)
    var edgeCount = 0
    say("running")
    while true {
      try loop.setDeadline(input.nextDeadline)
      let events = try loop.wait()
      if events.contains(.signal(.terminate)) { break }
      edgeCount += input.read(at: now).edges.count
    }
    say(edgeCount > 0 ? "edges" : "no edges")
  }

  private func say(_ line: String) {
    print(line)
    // Somebody may wait for it.
    fflush(nil)
  }

  private static func complain(_ text: String) {
    print(text)
    exit(2)
  }
}
