import Bells
import CALSA

/// A call of libasound that failed. It is kept as numbers, since the audio thread may not allocate;
/// the control side turns it into words.
public struct ALSAFault: Error, Equatable, Sendable {
  /// What was being done.
  public enum Call: UInt8, Sendable {
    case open
    case configure
    case prepare
    case start
    case status
    case write

    var name: String {
      switch self {
      case .open: "snd_pcm_open"
      case .configure: "snd_pcm_hw_params"
      case .prepare: "snd_pcm_prepare"
      case .start: "snd_pcm_start"
      case .status: "snd_pcm_status"
      case .write: "snd_pcm_writei"
      }
    }
  }

  /// What was being done.
  public let call: Call
  /// A positive errno.
  public let code: Int32

  /// Makes a fault.
  public init(call: Call, code: Int32) {
    self.call = call
    self.code = code
  }
}

/// Why there is no sound.
public enum ALSAOutputError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A call of libasound failed.
  case device(name: String, fault: ALSAFault)
  /// The device runs but takes nothing.
  case stalled(name: String)
  /// A system call failed.
  case system(call: String, code: Int32)
  /// The audio thread is stuck in the sound card's driver.
  case stuck(name: String)

  /// One line for a person: the device, the call, the reason.
  public var description: String {
    switch self {
    case .device(let name, let fault):
      let said = "sound device '\(name)': \(fault.call.name): \(Self.text(fault.code))"
      return fault.code == EBUSY ? said + " (another program holds it)" : said
    case .stalled(let name): return "sound device '\(name)': it runs, but plays nothing"
    case .system(let call, let code): return "\(call): \(Self.text(code))"
    case .stuck(let name): return "sound device '\(name)': the driver does not return"
    }
  }

  /// What the face says: short, and without the name of a call.
  public var short: String {
    switch self {
    case .device(let name, let fault) where fault.code == EBUSY:
      "No sound ('\(name)' is held by another program)"
    case .device(let name, let fault): "No sound card ('\(name)': \(Self.text(fault.code)))"
    case .stalled(let name): "No sound ('\(name)' plays nothing)"
    case .system(_, let code): "No sound (\(Self.text(code)))"
    case .stuck(let name): "No sound (the driver of '\(name)' does not return)"
    }
  }

  // Safety: the library gives a string of its own that lives at least until its next call on this
  // thread; it is copied at once.
  private static func text(_ code: Int32) -> String { String(cString: snd_strerror(-code)) }
}
