import TimerMachine

/// Where two clicks in a row are a double: for which button, in which phase. Everywhere else a
/// click is decided at once, without waiting for a second one.
public struct DoubleBinding: Equatable, Sendable {
  /// One bit a phase for each button, in the order of `Button`.
  private var phases = [UInt8](repeating: 0, count: Button.allCases.count)

  /// No double anywhere.
  public static let none = DoubleBinding()

  /// Where PRODUCT's crown table has a double click.
  public static let standard: DoubleBinding = {
    var binding = DoubleBinding.none
    binding[.crown, .idle] = true
    binding[.crown, .running] = true
    return binding
  }()

  /// Whether a double of a button counts in a phase.
  public subscript(button: Button, phase: Phase) -> Bool {
    get { phases[Int(button.rawValue)] & (1 << phase.rawValue) != 0 }
    set {
      let bit: UInt8 = 1 << phase.rawValue
      let others = phases[Int(button.rawValue)] & ~bit
      phases[Int(button.rawValue)] = newValue ? others | bit : others
    }
  }
}
