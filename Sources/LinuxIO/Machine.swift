import CLinux
import Ticks

/// The three clocks. No other room reads one.
public enum Clock {
  /// The time since boot, sleep included (CLOCK_BOOTTIME).
  public static func bootTime() -> Instant { Instant(nanoseconds: clinux_boot_time()) }

  /// Nanoseconds since boot without sleep (CLOCK_MONOTONIC), as kernel and ALSA stamps have it.
  public static func monotonic() -> Int64 { clinux_monotonic() }

  /// Nanoseconds of Unix time (CLOCK_REALTIME).
  public static func wall() -> Int64 { clinux_wall() }

  /// A stamp of CLOCK_MONOTONIC on the boot-time clock. A sleep between the stamp and now makes it
  /// too late by the sleep's length; both clocks are read here, a few hundred nanoseconds apart.
  public static func bootTime(ofMonotonic stamp: Int64) -> Instant {
    let before = clinux_monotonic()
    let boot = clinux_boot_time()
    let after = clinux_monotonic()
    return Instant(nanoseconds: boot - (before + (after - before) / 2) + stamp)
  }

  /// The kernel's estimate of the wall clock's greatest error in microseconds; negative where the
  /// call is forbidden.
  static func wallErrorMicroseconds() -> Int64 { clinux_wall_error_us() }
}

/// What this machine and this process are.
public enum Machine {
  /// A variable of the environment; nil when it is not there or empty.
  public static func environment(_ name: String) -> String? {
    // Safety: the environment's text is copied here; nothing in this process changes it.
    guard let text = clinux_environment(name).map({ String(cString: $0) }), !text.isEmpty else {
      return nil
    }
    return text
  }

  /// The effective user's number; 0 is root.
  public static var user: UInt32 { clinux_user() }

  /// This process's number.
  public static var process: Int32 { clinux_process() }

  /// Bytes from the kernel's random source.
  public static func random(count: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let part = bytes.withUnsafeMutableBytes { buffer -> Int64 in
        // Safety: the part from `done` on lies inside the buffer.
        guard let start = buffer.baseAddress else { return 0 }
        return clinux_random(start + done, count - done)
      }
      done += Int(try checked(part, "getrandom"))
    }
    return bytes
  }

  /// The kernel's name for this boot: a UUID, new at each.
  public static func bootIdentity() throws(SystemError) -> String {
    let bytes = try Files.readWhole("/proc/sys/kernel/random/boot_id", limit: 64)
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// The host's name.
  public static func hostName() throws(SystemError) -> String {
    var name = [CChar](repeating: 0, count: 256)
    try checked(clinux_host_name(&name, 256), "gethostname")
    let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The name of the local time zone, such as `Asia/Seoul`: what TZ says, else where
  /// /etc/localtime leads, else what /etc/timezone says, else UTC.
  public static func zoneName() -> String {
    if let name = environment("TZ") { return zoneName(inPath: name) ?? name }
    if let name = linkTarget("/etc/localtime").flatMap({ zoneName(inPath: $0) }) { return name }
    if let bytes = try? Files.readWhole("/etc/timezone", limit: 256) {
      let line = bytes.prefix { $0 > UInt8(ascii: " ") }
      if !line.isEmpty { return String(decoding: line, as: UTF8.self) }
    }
    return "UTC"
  }

  /// What follows `zoneinfo/` in a path, or what follows the colon in `:Europe/Paris`.
  static func zoneName(inPath path: String) -> String? {
    if path.hasPrefix(":") {
      let rest = String(path.dropFirst())
      return zoneName(inPath: rest) ?? rest
    }
    let parts = path.split(separator: "/")
    guard let mark = parts.lastIndex(of: "zoneinfo"), mark + 1 < parts.count else { return nil }
    return parts[(mark + 1)...].joined(separator: "/")
  }

  /// What a symbolic link leads to, at most 1,024 bytes of it; nil where it is none.
  public static func linkTarget(_ path: String) -> String? {
    var target = [UInt8](repeating: 0, count: 1_024)
    let length = target.withUnsafeMutableBytes { buffer -> Int64 in
      // Safety: the call writes at most the 1,024 bytes that the buffer has.
      guard let start = buffer.baseAddress else { return 0 }
      return clinux_read_link(path, start.assumingMemoryBound(to: CChar.self), 1_024)
    }
    return length <= 0 ? nil : String(decoding: target.prefix(Int(length)), as: UTF8.self)
  }

  /// Stops this process, as a shell's Ctrl-Z does, and returns when it is continued.
  public static func stopHere() { clinux_stop_here() }

  /// Sends a signal to a process.
  public static func send(_ signal: Signal, to process: Int32) throws(SystemError) {
    try checked(clinux_send_signal(process, signal.number), "kill")
  }

  /// Asks the kernel to wake this thread within a nanosecond of its timers instead of 50 µs.
  public static func setFinestTimerSlack() throws(SystemError) {
    try checked(clinux_timer_slack(1), "prctl")
  }

  /// Asks for real-time scheduling (SCHED_FIFO) of this thread.
  /// - Returns: whether that was permitted.
  public static func requestRealTime(priority: Int32) -> Bool { clinux_real_time(priority) == 0 }

  /// Asks for all memory of the process, now and later, to stay in RAM.
  /// - Returns: whether that was permitted.
  public static func requestLockedMemory() -> Bool { clinux_lock_memory() == 0 }
}
