import CALSA
import Ticks

/// The system calls of the audio thread, all in this file.
enum System {
  /// Now, on the boot-time clock.
  static func now() -> Instant { Instant(nanoseconds: calsa_boot_time()) }

  /// By how much the boot-time clock is ahead of the monotonic clock, which stands still while the
  /// machine sleeps. Card stamps are on the monotonic clock.
  static func bootTimeLead() -> Span {
    let before = calsa_monotonic()
    let boot = calsa_boot_time()
    let after = calsa_monotonic()
    return Span(nanoseconds: boot - (before + (after - before) / 2))
  }
}

/// A counter in the kernel that one thread raises and another waits for.
struct EventDescriptor: ~Copyable {
  let number: Int32

  init() throws(ALSAOutputError) {
    number = calsa_event_make()
    if number < 0 { throw .system(call: "eventfd", code: -number) }
  }

  deinit { calsa_close(number) }

  func signal() { calsa_event_signal(number) }
  func clear() { calsa_event_clear(number) }
}

/// A timer on the boot-time clock: time asleep counts.
struct TimerDescriptor: ~Copyable {
  let number: Int32

  init() throws(ALSAOutputError) {
    number = calsa_timer_make()
    if number < 0 { throw .system(call: "timerfd_create", code: -number) }
  }

  deinit { calsa_close(number) }

  /// Waits until the instant has come or the event has been raised; without an instant, for the
  /// event alone.
  func wait(until instant: Instant?, or event: borrowing EventDescriptor) {
    // An instant of zero would disarm the timer, and the first nanosecond is past just as well.
    calsa_timer_set(number, instant.map { max(1, $0.nanoseconds) } ?? 0)
    calsa_wait(event.number, number)
  }
}
