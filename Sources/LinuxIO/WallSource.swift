import Synchronization
import Ticks

/// Who vouches for the wall clock. A board without a battery clock wakes up in the past, and no
/// date can be told from its looks.
public enum WallSource: String, Equatable, Sendable {
  /// The kernel holds it for true: whoever sets it (timesyncd, chrony, ntpd) told it how far it may
  /// be off, and that is under 16 s.
  case kernel
  /// timesyncd has set it in this boot. The kernel gives a clock up 9 h after it was last compared,
  /// though it has hardly drifted by then.
  case timesyncd
  /// The kernel took it at boot from a clock with a battery that shows the same time now.
  case batteryClock
}

extension Clock {
  /// Who vouches for the wall clock now; nil where nobody does, and its time is not known.
  public static func wallSource() -> WallSource? {
    if kernelVouches() { return .kernel }
    if (try? Files.status(timeSyncMark)) != nil { return .timesyncd }
    return batteryClockVouches() ? .batteryClock : nil
  }

  /// Whether the wall clock shows the time, and not only what a board woke up with.
  public static func wallIsKnown() -> Bool { wallSource() != nil }

  /// The file that timesyncd makes at its first comparison in a boot and touches at each further
  /// one (systemd-timesyncd.service(8)).
  public static let timeSyncMark = "/run/systemd/timesync/synchronized"

  /// Whether the kernel's greatest error is under 16 s, the value at which the kernel itself gives
  /// the clock up (NTP_PHASE_LIMIT, linux/timex.h). Where the call is forbidden it vouches for
  /// nothing.
  private static func kernelVouches() -> Bool {
    let error = wallErrorMicroseconds()
    return error >= 0 && error < 16_000_000
  }

  /// What was found at a distance between the wall and the boot-time clock. To read a battery clock
  /// takes up to a millisecond, and it says nothing new until somebody sets the wall clock.
  private static let batteryFinding = Mutex<(offset: Int64, vouches: Bool)?>(nil)

  private static func batteryClockVouches() -> Bool {
    let offset = wall() - bootTime().nanoseconds
    if let known = batteryFinding.withLock({ $0 }), abs(known.offset - offset) < 1_000_000_000 {
      return known.vouches
    }
    let vouches = BatteryClock.vouches(forUnixSeconds: wall() / 1_000_000_000)
    batteryFinding.withLock { $0 = (offset, vouches) }
    return vouches
  }
}

/// The clocks with a battery that the kernel knows (Documentation/ABI/testing/rtc-cdev, sysfs).
enum BatteryClock {
  /// The kernel's clocks.
  static let folder = "/sys/class/rtc"
  /// A clock that was never set begins in 1970 or 2000: 2026-01-01, before which there was no
  /// timerbox.
  private static let earliest: Int64 = 1_767_225_600
  /// How far the two may drift apart while nobody compares them: 20 ppm for half a year. One that
  /// has lost its power is years off.
  private static let toleranceSeconds: Int64 = 300

  /// Whether the kernel took its time from one at boot that shows the same time now. Where that one
  /// had lost its power, something else has set the clock since, and they differ.
  static func vouches(forUnixSeconds wall: Int64, in folder: String = folder) -> Bool {
    guard let found = try? Files.open(folder, [.folder]),
      let names = try? Files.names(in: found, limit: 16).names
    else { return false }
    return names.contains { name in
      guard number("\(folder)/\(name)/hctosys") == 1,
        let shown = number("\(folder)/\(name)/since_epoch")
      else { return false }
      return shown >= earliest && abs(shown - wall) <= toleranceSeconds
    }
  }

  private static func number(_ path: String) -> Int64? {
    let bytes = try? Files.readWhole(path, limit: 64)
    return bytes.flatMap { Int64(String(decoding: $0.prefix { $0 > 0x20 }, as: UTF8.self)) }
  }
}
