import LinuxIO
import SoundFiles

/// Why a file was not taken.
enum ImportError: Error, Equatable {
  /// A call failed on it.
  case system(Errno)
  /// It is no ordinary file.
  case notAFile(String)
  /// It has no bytes.
  case empty
  /// It has more bytes than are read.
  case tooLarge(bytes: Int64)
  /// Its first bytes are those of nothing that is read.
  case unknownKind(found: String)
  /// The library that decodes this kind could not read it.
  case undecodable(kind: String, reason: String)
  case channels(Int)
  case rate(Int)
  /// It has more than so many seconds.
  case tooLong
  /// It decodes to no frames at all.
  case noFrames
  /// It is over before it could be heard as a sound.
  case tooShort
  case silent(peakDecibels: Int?)
  /// It holds numbers that are none.
  case notNumbers
  /// There is no memory for it, or a library failed without a reason.
  case failed(String)
  /// The result could not be written.
  case unwritable(SoundFileFault)

  /// What was found and what was expected, without the file's name.
  var text: String {
    switch self {
    case .system(let errno): errno.text
    case .notAFile(let what): "found \(what), expected an ordinary file"
    case .empty: "found an empty file, expected a recording"
    case .tooLarge(let bytes):
      "found \(bytes) bytes, expected at most \(Limits.fileBytes) (32 MB)"
    case .unknownKind(let found): "found \(found), expected WAV, FLAC, Ogg (Vorbis, Opus) or MP3"
    case .undecodable(let kind, let reason): "found \(kind) that cannot be decoded: \(reason)"
    case .channels(let count):
      "found \(count) channels, expected 1 to \(Limits.channels.upperBound)"
    case .rate(let hertz): "found \(hertz) Hz, expected 8000 to 192000 Hz"
    case .tooLong: "found more than \(Limits.seconds) s of sound, expected at most that"
    case .noFrames: "found no sound in it, expected a recording"
    case .tooShort:
      "found less than \(Limits.millisecondsMin) ms of sound, expected a recording"
    case .silent(let peak):
      "found silence" + (peak.map { " (its peak is \($0) dBFS)" } ?? "")
        + ", expected a sound that can be heard"
    case .notNumbers: "found samples that are no numbers, expected sound"
    case .failed(let what): what
    case .unwritable(let fault): fault.description
    }
  }

  var status: ImportStatus {
    switch self {
    case .system(.permissionDenied), .system(.notPermitted): return .noPermission
    case .system, .failed: return .inputOutput
    case .unwritable(let fault):
      let refusals: [Errno?] = [.permissionDenied, .notPermitted]
      return refusals.contains(fault.errno) ? .noPermission : .inputOutput
    default: return .badData
    }
  }
}

/// The exit statuses of the contract (sysexits.h).
enum ImportStatus: Int32 {
  case done = 0
  case usage = 64
  case badData = 65
  case inputOutput = 74
  case noPermission = 77
}

/// What is taken.
enum Limits {
  static let fileBytes: Int64 = 32_000_000
  static let seconds = 120
  static let millisecondsMin = 10
  static let channels = 1...8
  static let ratesHertz = 8_000...192_000
}
