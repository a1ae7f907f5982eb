import Bells
import CALSA

/// A call of libasound that failed. It is kept as numbers, since the audio thread may not allocate;
/// the control side turns it into words.
public struct ALSAFault: Error, Equatable, Sendable {
  /// What was being done.
  public enum Call: UInt8, Sendable {
    case open
    case configure
    /// It takes no plain samples, only IEC958 subframes.
    case encoding
    case prepare
    case start
    case status
    case write

    var name: String {
      switch self {
      case .open: "snd_pcm_open"
      case .configure, .encoding: "snd_pcm_hw_params"
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
  /// Another program holds the card; who, as far as the kernel tells.
  case busy(name: String, holder: String?)
  /// ALSA's configuration has no such name.
  case unknown(name: String)
  /// There is no sound card at all, at least not yet.
  case noCard(name: String)
  /// There is no such card, or not any more; the ids of those there are.
  case absent(name: String, cards: [String])
  /// This process may not use it; the node that it may not use, where one is known.
  case forbidden(name: String, node: String?)
  /// Nothing that could be heard is behind the HDMI connector.
  case noListener(name: String)
  /// The sound server that the name stands for does not answer.
  case noServer(name: String)
  /// The device runs but takes nothing.
  case stalled(name: String)
  /// A system call failed.
  case system(call: String, code: Int32)
  /// The audio thread is stuck in the sound card's driver.
  case stuck(name: String)

  /// ENOTSUPP, which the kernel keeps for itself and some drivers give all the same.
  private static let notSupported: Int32 = 524

  /// What a fault of a device means as far as it tells itself.
  init(_ name: String, _ fault: ALSAFault) {
    switch fault.code {
    case EBUSY: self = .busy(name: name, holder: nil)
    case Self.notSupported: self = .noListener(name: name)
    case EHOSTDOWN, ECONNREFUSED: self = .noServer(name: name)
    default: self = .device(name: name, fault: fault)
    }
  }

  /// What a fault of a device means on this system. It reads files, and may wait for a driver.
  init(_ name: String, _ fault: ALSAFault, on system: SoundSystem) {
    let output = OutputName(name)
    let cards = system.cards
    let card = output.card(among: cards)
    let isMissing = [ENOENT, ENODEV, ENXIO, EACCES, EPERM].contains(fault.code)
    switch fault.code {
    case EBUSY: self = .busy(name: name, holder: card.flatMap { system.holder(of: $0) })
    case _ where isMissing && calsa_knows(output.base) == 0: self = .unknown(name: name)
    case _ where isMissing:
      self = Self.missing(name, fault, card: card, among: cards, on: system)
    default: self.init(name, fault)
    }
  }

  /// Why a card is not to be had whose name is fine. To whoever may not use the nodes libasound
  /// says that there is no card, though the kernel lists it.
  private static func missing(
    _ name: String, _ fault: ALSAFault, card: ALSACard?, among cards: [ALSACard],
    on system: SoundSystem
  ) -> ALSAOutputError {
    let node = system.forbiddenNode
    if node != nil || fault.code == EACCES || fault.code == EPERM {
      return .forbidden(name: name, node: node)
    }
    if let card {
      let isDark = card.kind == .hdmi && fault.code == ENODEV && fault.call == .open
      return isDark ? .noListener(name: name) : .device(name: name, fault: fault)
    }
    let output = OutputName(name)
    if cards.isEmpty, output.isOfCards { return .noCard(name: name) }
    return output.card == nil || cards.isEmpty
      ? .device(name: name, fault: fault) : .absent(name: name, cards: cards.map(\.id))
  }

  /// One line for a person: the device, the call, the reason.
  public var description: String {
    guard case .system(let call, let code) = self else {
      return "sound device '\(name)': \(reason)"
    }
    return "\(call): \(Self.text(code))"
  }

  /// What the face says: short, and without the name of a call.
  public var short: String {
    switch self {
    case .device(_, let fault): "No sound ('\(name)': \(Self.text(fault.code)))"
    case .busy(_, let holder): "No sound ('\(name)' is held by \(holder ?? "another program"))"
    case .unknown: "No sound ('\(name)' is no sound device)"
    case .noCard where OutputName(name).card == nil: "No sound card"
    case .noCard: "No sound card ('\(name)' is not there)"
    case .absent: "No sound card ('\(name)' is not there)"
    case .forbidden: "No sound (no permission for '\(name)'; see the group audio)"
    case .noListener: "No sound (no television listens)"
    case .noServer: "No sound (the sound server of '\(name)' does not answer)"
    case .stalled: "No sound ('\(name)' plays nothing)"
    case .system(_, let code): "No sound (\(Self.text(code)))"
    case .stuck: "No sound (the driver of '\(name)' does not return)"
    }
  }

  private var name: String {
    switch self {
    case .device(let name, _), .busy(let name, _), .unknown(let name), .noCard(let name),
      .absent(let name, _), .forbidden(let name, _), .noListener(let name), .noServer(let name),
      .stalled(let name), .stuck(let name), .system(let name, _):
      name
    }
  }

  private var reason: String {
    switch self {
    case .device(_, let fault):
      fault.call == .encoding
        ? "it takes IEC958 samples only; name it as default:CARD=… or hdmi:CARD=…"
        : "\(fault.call.name): \(Self.text(fault.code))"
    case .busy(_, let holder): "\(holder ?? "another program") holds it"
    case .unknown: "ALSA's configuration has no such name"
    case .noCard: "there is no sound card"
    case .absent(_, let cards): "no such card; there are: \(cards.joined(separator: ", "))"
    case .forbidden(_, let node):
      "no permission\(node.map { " for \($0)" } ?? ""): "
        + "whoever runs timerbox must be in the group audio"
    case .noListener: "no television listens (none is connected, or it takes no sound)"
    case .noServer:
      "the sound server does not answer; name a card instead, as default:CARD=…"
    case .stalled: "it runs, but plays nothing"
    case .stuck: "the driver does not return"
    case .system(_, let code): Self.text(code)
    }
  }

  // Safety: the library gives a string of its own that lives at least until its next call on this
  // thread; it is copied at once.
  private static func text(_ code: Int32) -> String { String(cString: snd_strerror(-code)) }
}
