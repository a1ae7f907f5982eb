import LinuxIO
import Ticks
import Zones

/// Notices what changes around the box with no step of its clock: the zone it stands in, and that
/// the time became known. It wakes the box only for those.
///
/// That the time is known timesyncd says by a mark. Others (chrony, ntpd) tell the kernel alone,
/// which tells nobody: a moment or minutes after they have set the clock. So it is looked for
/// `lookSpan` after the start and after each step, then after twice as long, and so on up to
/// `lookSpanMost`; and whenever the box is awake for something else.
struct SurroundingsWatch: ~Copyable {
  /// What may name the zone; the first is a link (`timedatectl set-timezone` makes a new one).
  private static let zoneFiles = ["localtime", "timezone"]

  private let zoneFolder: FolderWatch?
  /// Nil once the time is known: timesyncd touches its mark again and again.
  private var markFolder: FolderWatch?
  private var zoneName: String
  /// When it is looked next whether the time is known, and how long after the look before.
  private var look: (at: Instant, span: Span)?

  private static let lookSpan = Span.seconds(2)
  private static let lookSpanMost = Span.seconds(256)

  /// Begins to watch. What cannot be watched is seen at the next start.
  init(_ loop: borrowing EventLoop, token: Int) {
    zoneName = Machine.zoneName()
    if Machine.environment("TZ") != nil {
      // Who names a zone for this process alone gets that one.
      zoneFolder = nil
    } else {
      zoneFolder = SurroundingsWatch.watch("/etc", loop, token)
    }
    let folder = Clock.timeSyncMark.split(separator: "/").dropLast().joined(separator: "/")
    if Clock.wallIsKnown() {
      markFolder = nil
    } else {
      markFolder = SurroundingsWatch.watch("/" + folder, loop, token)
      look = SurroundingsWatch.firstLook(after: Clock.bootTime())
    }
  }

  /// When the box is to look whether the time is known.
  var nextDeadline: Instant? { look?.at }

  /// The clock was set: whoever did it may say soon that it is right.
  mutating func clockWasSet(at now: Instant) {
    look = SurroundingsWatch.firstLook(after: now)
  }

  private static func firstLook(after now: Instant) -> (at: Instant, span: Span) {
    (now + lookSpan, lookSpan)
  }

  /// The box has looked whether the time is known.
  mutating func looked(at now: Instant, isKnown: Bool) {
    guard let (at, span) = look, isKnown || at <= now else { return }
    let next = Span(nanoseconds: span.nanoseconds * 2)
    look = isKnown || next > SurroundingsWatch.lookSpanMost ? nil : (now + next, next)
  }

  /// Takes what was noticed.
  /// - Returns: the rules of the zone, if it is another one now.
  mutating func newZone(_ loop: borrowing EventLoop) -> ZoneRules? {
    _ = try? markFolder?.names()
    if Clock.wallIsKnown(), let watch = markFolder.take() { try? loop.forget(watch.lent) }
    let names = (try? zoneFolder?.names()) ?? []
    guard names.contains(where: { $0.isEmpty || SurroundingsWatch.zoneFiles.contains($0) }) else {
      return nil
    }
    let name = Machine.zoneName()
    guard name != zoneName, let rules = try? Inputs.zone(name) else { return nil }
    zoneName = name
    return rules
  }

  private static func watch(
    _ folder: String, _ loop: borrowing EventLoop, _ token: Int
  ) -> FolderWatch? {
    do throws(SystemError) {
      let watch = try FolderWatch(folder, contents: true)
      try loop.register(watch.lent, token: token)
      return watch
    } catch {
      return nil
    }
  }
}
