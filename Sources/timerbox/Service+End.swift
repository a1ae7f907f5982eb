import ALSAOutput
import Appliance
import Box
import LinuxIO
import Sessions
import Settings
import Ticks

// Invariants:
// - The end is made from the outside in: the sit is closed, its strikes are cancelled, sound stops,
//   the sit is written, its journal is erased, the socket and the terminal are given back.
// - A sit that is left to the next start is neither closed nor written: its journal is.

// The end of the service.
extension Service {
  /// How long the end of the service waits: for the journal of a sit that is left, for the sound
  /// card, for the store, and for the journal of a sit that is kept. 2 s in all.
  private static let journalLeaveMilliseconds: Int32 = 300
  private static let audioStopSpan = Span.milliseconds(800)
  private static let storageStopMilliseconds: Int32 = 800
  private static let journalStopMilliseconds: Int32 = 100

  mutating func take(_ reading: TerminalFront.Reading, hasHungUp: Bool) {
    switch reading {
    case .left: isEnding = true
    case .goesOn where !hasHungUp: break
    case .goesOn, .gone: leaveSit()
    }
  }

  /// The box ends, and no hand wants it: nobody has said that the sit that is on is over.
  mutating func leaveSit() {
    leavesSit = true
    isEnding = true
  }

  mutating func end() -> [String] {
    LocalSocket.notify("STOPPING=1")
    let now = Clock.bootTime()
    advance(to: now)
    if !isSitLeft() { endSit(at: now) }
    box.keepChoices()
    work()
    endSound()
    let isSaved = storage.stop(timeoutMilliseconds: Service.storageStopMilliseconds)
    // A sit that is on the disk needs its journal no more. One that is left is found stored, and
    // erased by the next start.
    takeStorageAnswers(at: box.now)
    _ = journal.stop(timeoutMilliseconds: Service.journalStopMilliseconds)
    answerSitCallers(at: now + Service.sitAnswerSpan)
    server.take()?.close()
    front.leave()
    var faults = loopFault.map { [$0.description] } ?? []
    if isSaved != true || !unsent.isEmpty {
      // The report of an earlier sit may have emptied the list; something is missing all the same.
      faults += unwritten.isEmpty ? ["the store could not be written whole"] : []
      faults += unwritten.map(Service.lament)
    }
    return faults
  }

  /// Leaves a sit to the next start, if that is wanted and its journal can be written.
  private mutating func isSitLeft() -> Bool {
    switch box.appliance.phase {
    case .idle, .ended: return false
    // Of a preparation only the word is left that there was one.
    case .preparing, .running, .paused, .overtime: break
    }
    guard leavesSit else { return false }
    box.keepJournal()
    work()
    // Where the disk takes longer than that, the journal of the last minute is there already.
    return journal.stop(timeoutMilliseconds: Service.journalLeaveMilliseconds) != false
  }

  private mutating func endSit(at now: Instant) {
    switch box.appliance.phase {
    case .idle, .ended: break
    case .preparing: handle(.appliance(.command(.timer(.discard))), at: now)
    case .running, .paused, .overtime:
      guard leavesSit else { return handle(.appliance(.command(.timer(.stop))), at: now) }
      box.closeAsKnown()
      work()
    }
  }

  /// Lamps go out and the amplifier is switched off after what rings was damped, and before the
  /// card stops.
  private mutating func endSound() {
    let deadline = Clock.bootTime() + Service.audioStopSpan
    retiredAudio?.waitForClosing(until: deadline)
    for role in OutputRole.allCases where role != .amp { hands.lines.set(role, on: false) }
    if outputs.isWired {
      audio.finish()
      audio.waitForClosing(until: deadline)
      hands.lines.set(.amp, on: false)
    }
    try? audio.stop(within: max(deadline - Clock.bootTime(), .zero))
    try? retiredAudio?.stop(within: .zero)
  }

  /// A sit that is on no disk is at least in the terminal or in the system's log.
  private static func lament(_ session: MeditationSession) -> String {
    "a sit could not be written: " + String(decoding: session.json.encoded(), as: UTF8.self)
  }
}
