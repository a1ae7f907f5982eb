/// Something that is wrong though the device plays.
public enum AudioWarning: Equatable, Sendable, CustomStringConvertible {
  /// The output was opened by another name than the one asked for.
  case otherName(asked: String, taken: String, reason: String)
  /// So often since the last time the card played faster than it was fed.
  case underruns(Int)

  /// One line for a person.
  public var description: String {
    switch self {
    case .otherName(let asked, let taken, let reason):
      "sound device '\(asked)': \(reason); '\(taken)' is taken instead"
    case .underruns(let count): "sound: \(count == 1 ? "1 gap" : "\(count) gaps") (underrun)"
    }
  }
}

/// Warnings that wait to be told. What does not pass by itself is told once.
struct WarningList {
  private var waiting: [AudioWarning] = []
  private var told: [AudioWarning] = []

  mutating func add(_ warning: AudioWarning) {
    if case .underruns = warning {
      waiting.append(warning)
    } else if !told.contains(warning) {
      told.append(warning)
      waiting.append(warning)
    }
  }

  mutating func take() -> [AudioWarning] {
    defer { waiting.removeAll() }
    return waiting
  }
}
