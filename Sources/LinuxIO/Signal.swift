import CLinux

/// A signal that the event loop reports.
public enum Signal: Equatable, Sendable, CaseIterable {
  /// The service manager asks for an end (SIGTERM).
  case terminate
  /// The keyboard asks for an end (SIGINT).
  case interrupt
  /// The keyboard asks for an end in anger (SIGQUIT).
  case quit
  /// The terminal has gone (SIGHUP).
  case hangUp
  /// The terminal has another size (SIGWINCH).
  case windowSize
  /// The shell asks for a stop (SIGTSTP): restore the terminal, then `Machine.stopHere()`.
  case stop
  /// The process was continued (SIGCONT): draw everything anew.
  case continued

  var number: Int32 {
    switch self {
    case .terminate: clinux_sigterm
    case .interrupt: clinux_sigint
    case .quit: clinux_sigquit
    case .hangUp: clinux_sighup
    case .windowSize: clinux_sigwinch
    case .stop: clinux_sigtstp
    case .continued: clinux_sigcont
    }
  }

  init?(number: Int32) {
    guard let signal = Signal.allCases.first(where: { $0.number == number }) else { return nil }
    self = signal
  }
}
