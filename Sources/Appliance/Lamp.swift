import Ticks
import TimerMachine

/// What a status lamp on an output line shows: one table of phase and darkness, for a line that can
/// only be on or off.
///
/// It breathes while somebody sits, blinks where something is about to begin or waits (a reminder
/// does), and is off where the face is dark by choice. All of it counts from the instant at which
/// the phase began, so that a lamp that is looked at late shows the same.
public enum Lamp: UInt8, CaseIterable, Sendable {
  /// Dark.
  case off
  /// Lit.
  case on
  /// Lit and dark for `breathSpan` each, as slow as a breath.
  case breathing
  /// Lit and dark for `blinkSpan` each.
  case blinking
  /// Lit and dark for `signalSpan` each: the end of a sit that no card and no sounder can tell.
  case signalling

  /// How long a breath in or out lasts.
  public static let breathSpan = Span.seconds(4)
  /// How long a blink lasts.
  public static let blinkSpan = Span.seconds(1)
  /// How long a blink of the signal lasts: seen through closed lids, and slower than the three
  /// flashes a second that can harm.
  public static let signalSpan = Span.milliseconds(200)
  /// How long the signal of the end lasts.
  public static let signalLength = Span.seconds(10)

  /// One row a phase, in the order of `Phase`; all of them are off on a dark face.
  private static let table: [Lamp] = [
    .on,  // idle
    .blinking,  // preparing
    .breathing,  // running
    .blinking,  // paused
    .breathing,  // overtime
    .on,  // ended
  ]

  /// What the lamp shows.
  /// - Parameters:
  ///   - phase: where the sit stands.
  ///   - isDark: whether the face is dark by choice.
  ///   - isCalled: whether a reminder calls; it is all that a dark face shows of it.
  public init(in phase: Phase, isDark: Bool, isCalled: Bool = false) {
    self = isCalled ? .blinking : isDark ? .off : Lamp.table[Int(phase.rawValue)]
  }

  /// Whether it is lit at an instant.
  /// - Parameters:
  ///   - instant: not before `began`.
  ///   - began: when the phase began.
  public func isLit(at instant: Instant, since began: Instant) -> Bool {
    guard let span = halfSpan else { return self == .on }
    return (instant - began) / span % 2 == 0
  }

  /// When it is next switched if nothing happens; nil if it stays as it is.
  /// - Parameters:
  ///   - instant: not before `began`.
  ///   - began: when the phase began.
  /// - Returns: an instant after `instant`.
  public func nextChange(after instant: Instant, since began: Instant) -> Instant? {
    halfSpan.map { began + $0 * ((instant - began) / $0 + 1) }
  }

  /// Whether the lamp at the door is on: somebody sits, and wants quiet.
  public static func isQuietLit(in phase: Phase) -> Bool {
    switch phase {
    case .idle, .ended: false
    case .preparing, .running, .paused, .overtime: true
    }
  }

  private var halfSpan: Span? {
    switch self {
    case .off, .on: nil
    case .breathing: Lamp.breathSpan
    case .blinking: Lamp.blinkSpan
    case .signalling: Lamp.signalSpan
    }
  }
}
