import LinuxIO

/// Why a file of the store could not be read or written.
public enum StoreFileFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// A call failed; its path is whole.
  case system(SystemError)
  /// Something else than an ordinary file stands where one should be.
  case notAFile(path: String)
  /// A symbolic link stands where a file or a folder should be. It is not followed: it may lead out
  /// of the folder, and come from another device.
  case symbolicLink(path: String)
  /// A file went on changing while it was read, several times over.
  case unsteady(path: String)
  /// A file does not read back from the disk as it was written.
  case notKept(path: String)
  /// A folder is not there. It is not made: its disk may be unplugged.
  case away(path: String)
  /// A folder is there, and the disk that was mounted at it before is not.
  case notMounted(path: String, memory: String)
  /// A folder's file system has not answered in time.
  case stuck(path: String)
  /// A file is larger than any replica.
  case tooLarge(path: String, bytes: Int64, limit: Int)
  /// Another process has the state folder. Its number is nil where it left none.
  case locked(path: String, process: Int32?)

  /// A sentence for people, then the call and the path for whoever looks after the machine.
  public var description: String {
    switch self {
    case .system(let error): "\(StoreFileFault.sentence(error)) (\(error))"
    case .notAFile(let path): "\(path) is no ordinary file, and nothing else is read as a store"
    case .symbolicLink(let path): "\(path) is a symbolic link, and the store follows none"
    case .unsteady(let path): "\(path) changes all the time and could not be read whole"
    case .notKept(let path):
      "\(path) does not read back as it was written: the disk does not keep its data"
    case .away(let path): "\(path) is not there"
    case .notMounted(let path, let memory):
      "no disk is mounted at \(path), where one was before; if none will be again, remove \(memory)"
    case .stuck(let path): "\(path) does not answer"
    case .tooLarge(let path, let bytes, let limit):
      "\(path) has \(bytes) bytes; more than \(limit) are no store"
    case .locked(let path, let process):
      if let process {
        "another timerbox uses this state folder: process \(process) holds \(path)"
      } else {
        "another process holds \(path)"
      }
    }
  }

  private static func sentence(_ error: SystemError) -> String {
    let path = error.path ?? "the store"
    return switch error.errno {
    case .noSpace: "the disk is full"
    case .overQuota: "the user's share of the disk is used up"
    case .readOnlyFileSystem: "the disk with \(path) is read-only"
    case .permissionDenied, .notPermitted: "no permission for \(path)"
    case .inputOutput: "the disk failed"
    case .isFolder: "\(path) is a folder where a file should be"
    case .notFolder: "\(path) is no folder"
    case .linkLoop: "\(path) is a symbolic link, and the store follows none"
    case .noSuchFile: "\(path) is not there"
    case .noDeviceThere, .noSuchDevice: "the disk with \(path) has gone"
    default: "\(path) could not be read or written"
    }
  }

  /// The kernel's reason; nil where it is not the kernel's.
  var errno: Errno? {
    guard case .system(let error) = self else { return nil }
    return error.errno
  }

  /// Whether room would cure it.
  var isFullDisk: Bool { errno == .noSpace || errno == .overQuota }
}
