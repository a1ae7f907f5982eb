// Every way out of the terminal, and what happens to it meanwhile.
import Glibc
import Testing

@Test(arguments: [SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGABRT, SIGSEGV])
func terminal_leftByASignal_isAsItWas(signal: Int32) throws {
  let hand = try Hand()
  let before = hand.modes
  let service = try box(on: hand)
  #expect(hand.modes != before)
  let end = try service.program.finish(signal)
  // A crash ends by its signal, as it would have without the terminal.
  let isCrash = signal == SIGABRT || signal == SIGSEGV
  #expect(end.status == (isCrash ? 128 + signal : 0))
  #expect(hand.modes == before)
  hand.look()
  #expect(hand.text.hasSuffix("\u{1B}[?1049l"))
}

@Test(arguments: [SIGUSR1, SIGUSR2, SIGALRM])
func terminal_ofABoxThatGetsAStraySignal_isStillItsOwn(signal: Int32) throws {
  let hand = try Hand()
  let before = hand.modes
  let service = try box(on: hand)
  let raw = hand.modes
  kill(service.program.process, signal)
  #expect(try service.phase() == "idle")
  #expect(hand.modes == raw)
  #expect(try service.program.finish(SIGTERM).status == 0)
  #expect(hand.modes == before)
}

@Test func terminal_ofAStoppedBox_isAsItWasUntilItGoesOn() throws {
  let hand = try Hand()
  let before = hand.modes
  let service = try box(on: hand)
  let raw = hand.modes
  kill(service.program.process, SIGTSTP)
  try eventually("the box is stopped") {
    stateOfProcess(service.program.process) == "T"
  }
  #expect(hand.modes == before)
  hand.look()
  let count = hand.seen.count
  kill(service.program.process, SIGCONT)
  try hand.see("volume 60", after: count)
  #expect(hand.modes == raw)
  #expect(try service.program.finish(SIGTERM).status == 0)
  #expect(hand.modes == before)
}

/// The letter after the name in `/proc/PID/stat`.
private func stateOfProcess(_ process: pid_t) -> String {
  guard let file = fopen("/proc/\(process)/stat", "r") else { return "" }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 512)
  let count = fread(&bytes, 1, bytes.count, file)
  let text = String(decoding: bytes.prefix(count), as: UTF8.self)
  return text.split(separator: " ").dropFirst(2).first.map { String($0) } ?? ""
}

@Test func terminal_resized_isDrawnAnewInItsSize() throws {
  let hand = try Hand(columns: 80, rows: 24)
  let service = try box(on: hand, "NO_COLOR=1")
  try hand.see("q quit")
  let count = hand.seen.count
  hand.resize(columns: 40, rows: 10)
  try hand.see("q quit", after: count)
  let rows = String(decoding: hand.seen.dropFirst(count), as: UTF8.self)
    .split(separator: "\u{1B}[").filter { $0.contains(";1H") }
  // Twice where something else was drawn between the change and its signal.
  #expect(rows.count >= 10)
  for row in rows { #expect(row.split(separator: "H", maxSplits: 1).last?.count == 40) }
  #expect(try service.program.finish(SIGTERM).status == 0)
}

@Test func terminal_mouseWheel_turnsTheKnob() throws {
  let hand = try Hand()
  let service = try box(on: hand)
  hand.type("\u{1B}[<64;10;10M\u{1B}[<64;10;10M\u{1B}[<65;10;10M")
  try eventually("the knob is turned to 21 min") {
    try service.state("setSeconds").integerValue == 1_260
  }
  #expect(try service.program.finish(SIGTERM).status == 0)
}

@Test func terminal_thatIsFull_getsTheRestOfTheFaceWhenItIsRead() throws {
  let hand = try Hand(columns: 200, rows: 60)
  let service = try box(on: hand)
  // Whole faces until the terminal takes no more: then the sizes differ from what is drawn last.
  for round in 0..<60 {
    hand.resize(columns: round % 2 == 0 ? 200 : 199, rows: 60)
    _ = try service.phase()
  }
  // Idle, nothing else happens: what had no room comes as soon as there is some.
  hand.resize(columns: 40, rows: 10)
  #expect(try service.phase() == "idle")
  try eventually("the face for the last size is drawn") {
    hand.look()
    let last = hand.text.components(after: "\u{1B}[2J")
    return last.contains("\u{1B}[10;1H") && last.contains("q quit")
      && !last.contains("\u{1B}[11;1H")
  }
  #expect(try service.program.finish(SIGTERM).status == 0)
}

extension String {
  /// What stands after the last place of a text.
  fileprivate func components(after text: String) -> Substring {
    var rest = self[...]
    while let range = rest.firstRange(of: text) { rest = rest[range.upperBound...] }
    return rest
  }
}
