import ALSAOutput
import Appliance
import Box
import LinuxIO
import Sessions
import Ticks

// Invariants:
// - The end is made from the outside in: the sit is closed, its strikes are cancelled, sound stops,
//   the sit is written, its journal is erased, the socket and the terminal are given back.
// - A sit that is left to the next start is neither closed nor written: its journal is.

// The end of the service.
extension Service {
  /// How long the end of the service waits for the sound card, and after it for the disk: 2 s in
  /// all, less what the rest takes.
  private static let audioStopSpan = Span.milliseconds(800)
  private static let storageStopMilliseconds: Int32 = 1_000

  mutating func end() -> [String] {
    LocalSocket.notify("STOPPING=1")
    let now = Clock.bootTime()
    advance(to: now)
    switch box.appliance.phase {
    case .idle, .ended: break
    case .preparing: handle(.appliance(.command(.timer(.discard))), at: now)
    case .running, .paused, .overtime: handle(.appliance(.command(.timer(.stop))), at: now)
    }
    box.keepChoices()
    work()
    endSound()
    let isSaved = storage.stop(timeoutMilliseconds: Service.storageStopMilliseconds)
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
