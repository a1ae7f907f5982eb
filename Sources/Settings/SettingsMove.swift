/// What is done with the files of this device's settings at a start: once in the device's life what
/// earlier versions kept elsewhere is moved into the settings file, and a damaged settings file is
/// mended, never silently replaced.
///
/// Earlier versions kept the choices in a file `choices`, and a hand could put one into the shared
/// store (`kv set volume 40`). Both stay as they are: the old file for a version that is put back,
/// the key because it is shared. So the move hangs on a flag of its own, and never on a value's
/// absence: what was reset to its default must not come back, whatever a peer or a backup brings.
///
/// Invariants:
/// - The flag is a file beside the settings, not a line in them: a settings file that is lost or
///   damaged must not begin the move again.
/// - The flag is set last, once the settings are durable. A settings file without the flag is that
///   of a move cut off just before, so it is whole, and stands as it is.
/// - The steps are done in order, and after a cut between any two the next plan leads to the same
///   end.
public struct SettingsMove: Equatable, Sendable {
  /// The flag's name in the state folder.
  public static let flagName = "settings-moved"
  /// The file of earlier versions, and its section.
  public static let earlierName = "choices"
  /// The keys of the shared store that are by name a device's own.
  public static let storeKeys = LocalChoice.all.map(\.name)

  /// A step, durable before the next is begun.
  public enum Step: Equatable, Sendable {
    /// Keep a copy of the damaged settings file under another name. If that fails the file must not
    /// be written over.
    case keepDamaged([UInt8])
    /// Replace the settings file.
    case write([UInt8])
    /// Set the flag.
    case setFlag
  }

  /// The settings that hold.
  public private(set) var settings: SettingsFile
  /// What is to be done, in order.
  public private(set) var steps: [Step] = []
  /// What is wrong, each as a sentence for people.
  public private(set) var told: [String]

  /// Decides.
  /// - Parameters:
  ///   - isMoved: whether the flag is set.
  ///   - settings: the settings file; nil if there is none.
  ///   - earlier: the file of earlier versions; nil if there is none.
  ///   - store: the values of `storeKeys` in the shared store, as a person would write them.
  ///   - version: the program's.
  public init(
    isMoved: Bool, settings bytes: [UInt8]?, earlier: [UInt8]? = nil,
    store: [(key: String, value: String)] = [], version: String
  ) {
    settings = bytes.map { SettingsFile($0) } ?? SettingsFile()
    told = settings.problems
    let isDamaged = !settings.problems.isEmpty
    if isDamaged, let bytes { steps.append(.keepDamaged(bytes)) }
    let isTakenOver = !isMoved && (bytes == nil || isDamaged)
    if isTakenOver {
      let old = earlier.map { SettingsFile($0, name: SettingsMove.earlierName) }
      told += settings.takeOver(old, store: store)
    }
    if isDamaged || (isTakenOver && !settings.isEmpty) {
      steps.append(.write(settings.bytes(version: version)))
    }
    if !isMoved { steps.append(.setFlag) }
  }
}
