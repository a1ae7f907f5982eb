/// Something that is wrong though the device plays.
public enum AudioWarning: Equatable, Sendable, CustomStringConvertible {
  /// The output was opened by another name than the one asked for.
  case otherName(asked: String, taken: String, reason: String)
  /// A control of the card keeps it silent.
  case mixer(MixerWarning)
  /// No control keeps the card silent any more.
  case mixerWorks
  /// So often since the last time the card played faster than it was fed.
  case underruns(Int)

  /// One line for a person.
  public var description: String {
    switch self {
    case .otherName(let asked, let taken, let reason):
      "sound device '\(asked)': \(reason); '\(taken)' is taken instead"
    case .mixer(let warning): warning.description
    case .mixerWorks: "the controls of the card are on"
    case .underruns(let count): "sound: \(count == 1 ? "1 gap" : "\(count) gaps") (underrun)"
    }
  }
}

/// Warnings that wait to be told. What does not pass by itself is told once, and what a mixer has
/// put right is told too.
struct WarningList {
  private var waiting: [AudioWarning] = []
  private var told: [AudioWarning] = []
  private var mixer: [MixerWarning] = []

  mutating func add(_ warning: AudioWarning) {
    if case .underruns = warning {
      waiting.append(warning)
    } else if !told.contains(warning) {
      told.append(warning)
      waiting.append(warning)
    }
  }

  /// Takes what an opening has found of the mixer; all of it is told where any of it is new.
  mutating func set(mixer found: [MixerWarning]) {
    guard found != mixer else { return }
    mixer = found
    waiting += found.isEmpty ? [.mixerWorks] : found.map { .mixer($0) }
  }

  mutating func take() -> [AudioWarning] {
    defer { waiting.removeAll() }
    return waiting
  }
}
