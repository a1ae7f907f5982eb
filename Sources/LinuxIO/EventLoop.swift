import CLinux
import Ticks

/// Something that woke the loop.
public enum LoopEvent: Equatable, Sendable {
  /// A registered descriptor can be used. `hungUp`: the other end has gone, or an error waits in
  /// the next read.
  case ready(token: Int, readable: Bool, writable: Bool, hungUp: Bool)
  /// The deadline is due.
  case deadline
  /// The wall clock was set, or the machine woke from sleep.
  case wallClockChanged
  /// A signal came.
  case signal(Signal)
}

/// Which readiness of a descriptor the loop reports.
public struct Interest: OptionSet, Sendable {
  /// The bits of this type, not the kernel's.
  public let rawValue: UInt8
  /// Makes a set.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Something can be read, or the other end has gone.
  public static let reading = Interest(rawValue: 1)
  /// Something can be written.
  public static let writing = Interest(rawValue: 2)

  fileprivate var kernelBits: UInt32 {
    (contains(.reading) ? clinux_epollin | clinux_epollrdhup : 0)
      | (contains(.writing) ? clinux_epollout : 0)
  }
}

/// The control thread's one place to wait.
///
/// - Nothing wakes it but what it was told of: a descriptor, the one deadline, a step of the wall
///   clock, a signal. It has no period of its own.
/// - The deadline is absolute, so a late wake-up moves no later one.
/// - Readiness is reported again as long as it lasts; a caller need not empty a descriptor.
public struct EventLoop: ~Copyable {
  private let epoll: OwnedDescriptor
  private let timer: OwnedDescriptor
  private let wallTimer: OwnedDescriptor
  private let signals: OwnedDescriptor
  private var armed: Instant?

  // Tokens of the loop's own descriptors; a caller's are not negative and so never meet them.
  private static let timerToken: UInt64 = .max
  private static let wallToken: UInt64 = .max - 1
  private static let signalToken: UInt64 = .max - 2
  private static let eventLimit = 16

  /// Makes a loop, and takes the signals of `Signal` for it.
  /// - Precondition: it is made before the first thread, which would else get those signals.
  public init() throws(SystemError) {
    // Each is made whole before the first is kept: a half-made owner cannot be unmade.
    let epoll = OwnedDescriptor(owning: try checked(clinux_epoll(), "epoll_create"))
    let timer = OwnedDescriptor(owning: try checked(clinux_timer_boot_time(), "timerfd_create"))
    let wallTimer = OwnedDescriptor(owning: try checked(clinux_timer_wall(), "timerfd_create"))
    let signals = OwnedDescriptor(owning: try checked(clinux_signals(), "signalfd"))
    try checked(clinux_timer_arm_cancelled_on_set(wallTimer.number), "timerfd_settime")
    let own = [
      (timer.number, Self.timerToken), (wallTimer.number, Self.wallToken),
      (signals.number, Self.signalToken),
    ]
    for (number, token) in own {
      let result = clinux_epoll_add(epoll.number, number, Interest.reading.kernelBits, token)
      try checked(result, "epoll_ctl")
    }
    self.epoll = epoll
    self.timer = timer
    self.wallTimer = wallTimer
    self.signals = signals
  }

  /// Reports a descriptor's readiness from now on.
  /// - Precondition: `token` is not negative; the descriptor is forgotten before it is closed.
  public func register(
    _ descriptor: LentDescriptor, token: Int, for interest: Interest = .reading
  ) throws(SystemError) {
    precondition(token >= 0, "a token is not negative")
    let result = clinux_epoll_add(
      epoll.number, descriptor.number, interest.kernelBits, UInt64(token))
    try checked(result, "epoll_ctl")
  }

  /// Reports another readiness of a registered descriptor.
  public func change(
    _ descriptor: LentDescriptor, token: Int, to interest: Interest
  ) throws(SystemError) {
    precondition(token >= 0, "a token is not negative")
    let result = clinux_epoll_change(
      epoll.number, descriptor.number, interest.kernelBits, UInt64(token))
    try checked(result, "epoll_ctl")
  }

  /// Reports nothing of a descriptor any more.
  public func forget(_ descriptor: LentDescriptor) throws(SystemError) {
    try checked(clinux_epoll_remove(epoll.number, descriptor.number), "epoll_ctl")
  }

  /// Sets the instant of the next `deadline` event; nil: none. One that has passed is due at once.
  /// It costs no system call where nothing changes.
  public mutating func setDeadline(_ deadline: Instant?) throws(SystemError) {
    guard deadline != armed else { return }
    // Zero would disarm the kernel's timer; the first nanosecond after boot is as past.
    let nanoseconds = deadline.map { max($0.nanoseconds, 1) } ?? 0
    try checked(clinux_timer_arm(timer.number, nanoseconds), "timerfd_settime")
    armed = deadline
  }

  /// Waits until something happens and says what, at most 16 things at once.
  /// - Parameter blocking: false only looks.
  /// - Returns: nothing only when it does not block.
  public mutating func wait(blocking: Bool = true) throws(SystemError) -> [LoopEvent] {
    var events: [LoopEvent] = []
    repeat {
      var found = [clinux_event](repeating: clinux_event(), count: Self.eventLimit)
      let count = clinux_epoll_wait(
        epoll.number, &found, Int32(Self.eventLimit), blocking ? -1 : 0)
      for event in found.prefix(Int(try checked(count, "epoll_wait"))) {
        if let translated = try translate(event) { events.append(translated) }
      }
    } while blocking && events.isEmpty
    return events
  }

  private mutating func translate(_ event: clinux_event) throws(SystemError) -> LoopEvent? {
    switch event.token {
    case Self.timerToken:
      guard try timer.lent.read(limit: 8) != nil else { return nil }
      armed = nil
      return .deadline
    case Self.wallToken:
      return try takeWallClockChange()
    case Self.signalToken:
      let number = try checkedUnlessWaiting(clinux_signal_next(signals.number), "read")
      return number.flatMap { Signal(number: $0) }.map { .signal($0) }
    default:
      let bits = event.readiness
      return .ready(
        token: Int(event.token),
        readable: bits & clinux_epollin != 0,
        writable: bits & clinux_epollout != 0,
        hungUp: bits & (clinux_epollhup | clinux_epollerr | clinux_epollrdhup) != 0)
    }
  }

  private func takeWallClockChange() throws(SystemError) -> LoopEvent? {
    do throws(SystemError) {
      _ = try wallTimer.lent.read(limit: 8)
      return nil
    } catch {
      guard error.errno == .cancelled else { throw error }
      try checked(clinux_timer_arm_cancelled_on_set(wallTimer.number), "timerfd_settime")
      return .wallClockChanged
    }
  }
}
