import LinuxIO
import Sessions
import Settings
import StoreFiles

/// The settings of this device, as its state folder holds them.
///
/// Invariant: nothing is written over a file that could not be read, or of which a copy could not
/// be kept: no file and one that cannot be read are different, and only the first holds nothing.
struct LocalSettings {
  /// What holds.
  var file = SettingsFile()
  /// Why nothing may be written in this run; nil if all is well.
  private(set) var writeFault: String?
  /// What is wrong, each as a sentence for people.
  private(set) var complaints: [String] = []

  /// Looks at the settings and changes nothing; what waits to be moved counts as moved.
  static func look(state: String) -> LocalSettings {
    LocalSettings(state: state, inStore: inStore(state: state), isChanging: false)
  }

  /// Reads the settings at the start of a box, which holds the folder's lock: mends a damaged file,
  /// and once in the device's life moves over what earlier versions kept elsewhere.
  /// - Parameter inStore: what the store held before this start.
  static func open(state: String, inStore: InStore) -> LocalSettings {
    LocalSettings(state: state, inStore: inStore, isChanging: true)
  }

  /// Moves over what earlier versions kept elsewhere, where that was not done yet. A verb that has
  /// the folder's lock does it before it opens the store: what a peer brings is not this device's.
  /// - Returns: what is to be told, each a sentence for people.
  static func move(state: String) -> [String] {
    do throws(StoreFileFault) {
      if try StateFiles(state).read(SettingsMove.flagName) != nil { return [] }
    } catch {
      return ["the settings of this device are not read: \(error)"]
    }
    return open(state: state, inStore: inStore(state: state)).complaints
  }

  private init(state: String, inStore: InStore, isChanging: Bool) {
    do throws(StoreFileFault) {
      let files = try StateFiles(state)
      let move = try LocalSettings.plan(files, inStore)
      file = move.settings
      if isChanging {
        complaints = move.told
        carryOut(move.steps, in: files)
      }
    } catch {
      writeFault = error.description
      complaints.append("the settings of this device are not read: \(error)")
    }
  }

  private static func plan(
    _ files: borrowing StateFiles, _ inStore: InStore
  ) throws(StoreFileFault) -> SettingsMove {
    let isMoved = try files.read(SettingsMove.flagName) != nil
    return SettingsMove(
      isMoved: isMoved, settings: try files.read(SettingsFile.name),
      earlier: isMoved ? nil : try files.read(SettingsMove.earlierName),
      store: isMoved ? [] : try inStore.get(), version: Version.number)
  }

  /// Values of the store under names that are a device's own, or why they cannot be read.
  typealias InStore = Result<[(key: String, value: String)], StoreFileFault>

  /// What this device's store holds under such names, as long as that is to be moved. It is looked
  /// at before the store is opened: what a peer brings at that is not this device's.
  ///
  /// A damaged store is the business of whoever opens it; here counts what can be read of it.
  static func inStore(state: String) -> InStore {
    // A new device has no folder yet.
    if (try? Files.status(state)) == nil { return .success([]) }
    do throws(StoreFileFault) {
      let files = try StateFiles(state)
      if try files.read(SettingsMove.flagName) != nil { return .success([]) }
      let store = StoreFile.store(try TruthReader.files(inState: state).all)
      return .success(
        SettingsMove.storeKeys.compactMap { key in
          store.value(forKey: key)?.settingText.map { (key, $0) }
        })
    } catch {
      return .failure(error)
    }
  }

  private mutating func carryOut(_ steps: [SettingsMove.Step], in files: borrowing StateFiles) {
    for step in steps {
      do throws(StoreFileFault) {
        switch step {
        case .keepDamaged(let bytes):
          let copy = try files.keepCopy(of: bytes, damaged: SettingsFile.name)
          complaints.append(
            "the settings of this device were damaged; the damaged file is kept as \(copy)")
        case .write(let bytes): try files.replace(SettingsFile.name, with: bytes)
        case .setFlag:
          try files.replace(SettingsMove.flagName, with: Array("\(Version.number)\n".utf8))
        }
      } catch {
        complaints.append("the settings of this device are not written: \(error)")
        if case .keepDamaged = step { writeFault = error.description }
        return
      }
    }
  }
}

extension JSONValue {
  /// The value as a person would write it in a file of settings; nil if no setting is such.
  fileprivate var settingText: String? {
    switch self {
    case .bool(let isYes): isYes ? "yes" : "no"
    case .number(let digits): digits
    case .string(let text): text
    case .null, .array, .object: nil
    }
  }
}
