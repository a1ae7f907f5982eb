import LinuxIO
import Sessions

/// Reads the truth without the lock, as a verb does while a box runs on it.
public enum TruthReader {
  /// How often reading is begun again because the truth was written meanwhile.
  private static let tries = 5

  /// The files of the truth, the main one first; none where there is no truth.
  ///
  /// A month can move from one volume to another between two reads. The main volume is written
  /// after the others, so what was read belongs together where it is the same before and after.
  public static func files(inState path: String) throws(StoreFileFault) -> [VolumeFile] {
    var files: [VolumeFile] = []
    for _ in 0..<tries {
      guard let state = try folder(path) else { return [] }
      files = try read(state)
      let main = try state.read(Volume.main.truthPath, limit: FolderDisk.readLimit)
      if main == files.first(where: { $0.volume == .main })?.bytes { break }
    }
    return files
  }

  private static func folder(_ path: String) throws(StoreFileFault) -> DurableFolder? {
    do throws(StoreFileFault) { return try DurableFolder(path) } catch {
      if error.errno == .noSuchFile { return nil }
      throw error
    }
  }

  private static func read(_ state: DurableFolder) throws(StoreFileFault) -> [VolumeFile] {
    var files: [VolumeFile] = []
    let limit = FolderDisk.readLimit
    if let bytes = try state.read(Volume.main.truthPath, limit: limit) {
      files.append(VolumeFile(.main, bytes))
    }
    for volume in try FolderDisk.volumes(in: state) where volume != .main {
      let place = FolderPlace(volume.truthPath)
      if let bytes = try place.folder(in: state)?.read(place.name, limit: limit) {
        files.append(VolumeFile(volume, bytes))
      }
    }
    return files
  }
}
