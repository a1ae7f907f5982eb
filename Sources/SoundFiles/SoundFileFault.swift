import Bells
import LinuxIO

/// A recording that could not be read or written.
public struct SoundFileFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// Why.
  public enum Reason: Equatable, Sendable {
    /// A call failed.
    case system(Errno)
    /// Something else than an ordinary file stands where one should be.
    case notAFile
    /// It is larger than any recording.
    case tooLarge
    /// There is no room for it in memory beside the others.
    case noRoom
    /// What the file holds is no recording.
    case content(RecordingFileError)
    /// A file that has no business in the folder.
    case strange
    /// More files than are read.
    case tooMany(Int)
  }

  /// The whole path.
  public let path: String
  /// The sound that is missing for it, as `own/NAME`; nil where it is about no one sound.
  public let name: String?
  /// Why.
  public let reason: Reason

  /// Makes a fault.
  public init(path: String, name: String? = nil, reason: Reason) {
    self.path = path
    self.name = name
    self.reason = reason
  }

  static func reason(_ error: SystemError) -> Reason {
    switch error.errno {
    case .invalidArgument, .noDeviceThere, .linkLoop, .isFolder: .notAFile
    case .fileTooLarge: .tooLarge
    case .noMemory: .noRoom
    default: .system(error.errno)
    }
  }

  /// The errno behind it; nil where no call failed.
  public var errno: Errno? {
    guard case .system(let errno) = reason else { return nil }
    return errno
  }

  /// One sentence: the sound, the file, what was found, what was expected.
  public var description: String {
    let file = SoundFiles.printable(path)
    let what =
      switch reason {
      case .system(let errno): "\(file): \(errno.text)"
      case .notAFile: "\(file) is no ordinary file"
      case .tooLarge:
        "\(file) has more than the \(RecordingFile.maximumBytes) bytes of the longest recording"
      case .noRoom:
        "\(file) does not fit beside the other recordings, which may have "
          + "\(SoundFiles.totalBytesMax / 1_000_000) MB in all"
      case .content(let error): "\(file) \(SoundFileFault.text(of: error))"
      case .strange:
        "\(file) is not in the box's own form; \"timerbox sounds add FILE\" brings it there"
      case .tooMany(let count):
        "\(file) has \(count) files; only the first \(SoundFiles.countMax) are read"
      }
    return name.map { "\($0): \(what)" } ?? what
  }

  private static func text(of error: RecordingFileError) -> String {
    switch error {
    case .empty: "is empty"
    case .notARecording: "is not in the box's own form"
    case .version(let found):
      "is of version \(found) of the box's own form, and this timerbox reads version 1"
    case .cut(let found, let expected): "is cut: \(found) bytes of \(expected)"
    case .tooLong(let found, let expected): "has \(found) bytes, and should have \(expected)"
    case .frames(let found):
      "says that it has \(found) frames; 1 to \(RecordingFile.maximumFrames) are possible"
    case .gain: "has a gain that is none"
    case .loudness: "has a loudness that is none"
    case .damaged: "is damaged: its checksum is another"
    }
  }
}
