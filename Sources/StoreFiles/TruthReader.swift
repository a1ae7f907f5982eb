import LinuxIO
import Sessions

/// The files of a truth as they were found.
public struct TruthFiles: Equatable, Sendable {
  /// The volumes that are there, the main one first.
  public var volumes: [VolumeFile] = []
  /// The main volume's earlier generation, where that is missing or damaged and this one is there.
  public var earlier: [UInt8]?

  /// All there is to be read. What the earlier generation says of other files gives way to what the
  /// main volume says of them.
  public var all: [VolumeFile] { (earlier.map { [VolumeFile(.main, $0)] } ?? []) + volumes }

  /// Whether there is something, and not the file that all others belong to.
  public var isMainMissing: Bool { main == nil && !all.isEmpty }

  var main: [UInt8]? { volumes.first { $0.volume == .main }?.bytes }
}

/// Reads the truth without the lock, as a verb does while a box runs on it.
public enum TruthReader {
  /// How often reading is begun again because the truth was written meanwhile.
  private static let tries = 5

  /// The files of the truth, the main one first; none where there is no truth.
  ///
  /// A month can move from one volume to another between two reads. The main volume is written
  /// after the others, so what was read belongs together where it is the same before and after.
  public static func files(inState path: String) throws(StoreFileFault) -> TruthFiles {
    var files = TruthFiles()
    for _ in 0..<tries {
      guard let state = try folder(path) else { return TruthFiles() }
      files = try read(state)
      let main = try state.read(Volume.main.truthPath, limit: FolderDisk.readLimit)
      if main == files.main { break }
    }
    return files
  }

  private static func folder(_ path: String) throws(StoreFileFault) -> DurableFolder? {
    do throws(StoreFileFault) { return try DurableFolder(path) } catch {
      if error.errno == .noSuchFile { return nil }
      throw error
    }
  }

  private static func read(_ state: DurableFolder) throws(StoreFileFault) -> TruthFiles {
    var files = TruthFiles()
    let limit = FolderDisk.readLimit
    if let bytes = try state.read(Volume.main.truthPath, limit: limit) {
      files.volumes.append(VolumeFile(.main, bytes))
    }
    for volume in try FolderDisk.volumes(in: state) where volume != .main {
      let place = FolderPlace(volume.truthPath)
      if let bytes = try place.folder(in: state)?.read(place.name, limit: limit) {
        files.volumes.append(VolumeFile(volume, bytes))
      }
    }
    if files.main.map(SessionStore.isUndamaged) != true {
      files.earlier = try state.read(Volume.main.truthPath + ".1", limit: limit)
    }
    return files
  }
}
