import Ticks

/// Something that is wrong though the device plays.
public enum AudioWarning: Equatable, Sendable, CustomStringConvertible {
  /// The output was opened by another name than the one asked for.
  case otherName(asked: String, taken: String, reason: String)
  /// A control of the card keeps it silent.
  case mixer(MixerWarning)
  /// So often since the last time the card played faster than it was fed.
  case underruns(Int)

  /// One line for a person.
  public var description: String {
    switch self {
    case .otherName(let asked, let taken, let reason):
      "sound device '\(asked)': \(reason); '\(taken)' is taken instead"
    case .mixer(let warning): warning.description
    case .underruns(let count): "sound: \(count == 1 ? "1 gap" : "\(count) gaps") (underrun)"
    }
  }
}

/// Warnings that wait to be told, each once while it does not change.
struct WarningList {
  /// How often gaps are told at most.
  static let underrunSpan = Span.seconds(10)

  private var waiting: [AudioWarning] = []
  private var told: [AudioWarning] = []
  private var toldUnderruns = 0
  private var underrunsToldAt: Instant?

  mutating func add(_ warning: AudioWarning) {
    guard !told.contains(warning) else { return }
    told.append(warning)
    waiting.append(warning)
  }

  mutating func take(underruns: Int, at now: Instant) -> [AudioWarning] {
    defer { waiting.removeAll() }
    let isQuiet = underrunsToldAt.map { now - $0 < Self.underrunSpan } ?? false
    guard underruns > toldUnderruns, !isQuiet else { return waiting }
    defer {
      toldUnderruns = underruns
      underrunsToldAt = now
    }
    return waiting + [.underruns(underruns - toldUnderruns)]
  }
}
