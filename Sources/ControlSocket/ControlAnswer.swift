import Box
import FoundationEssentials

/// What the service answers to one request: one JSON object a line.
public enum ControlAnswer: Equatable, Sendable {
  /// Done: `{"answer":"ok"}`.
  case ok
  /// Not possible as things stand, and nothing has changed: `{"answer":"refused","reason":…}`.
  case refused(reason: String)
  /// Not possible while another box of this owner sits:
  /// `{"answer":"refused","cause":"elsewhere","reason":…}`.
  case elsewhere(reason: String)
  /// The request is wrong: `{"answer":"error","message":…}`.
  case error(message: String)
  /// The state line itself.
  case state(StateLine)
  /// A text that was asked for: `{"answer":"data","data":…}`.
  case data(String)

  /// The answer as one line with its end. Equal answers are equal bytes: keys are sorted.
  public func encoded() -> [UInt8] {
    switch self {
    case .ok: JSONLine.encode(["answer": "ok"])
    case .refused(let reason): JSONLine.encode(["answer": "refused", "reason": reason])
    case .elsewhere(let reason):
      JSONLine.encode(["answer": "refused", "cause": "elsewhere", "reason": reason])
    case .error(let message): JSONLine.encode(["answer": "error", "message": message])
    case .state(let state): JSONLine.encode(state)
    case .data(let data): JSONLine.encode(["answer": "data", "data": data])
    }
  }

  /// Reads one line; nil where it is no answer that this version knows.
  public init?(line: [UInt8]) {
    let data = Data(line)
    if let state = try? JSONDecoder().decode(StateLine.self, from: data) {
      self = .state(state)
      return
    }
    let fields = try? JSONDecoder().decode([String: String].self, from: data)
    switch (fields?["answer"], fields?["reason"], fields?["message"], fields?["data"]) {
    case ("ok", _, _, _): self = .ok
    case ("refused", let reason?, _, _):
      self = fields?["cause"] == "elsewhere" ? .elsewhere(reason: reason) : .refused(reason: reason)
    case ("error", _, let message?, _): self = .error(message: message)
    case ("data", _, _, let data?): self = .data(data)
    default: return nil
    }
  }
}

/// JSON as the control socket writes it.
public enum JSONLine {
  /// A value as one line with its end, keys sorted.
  /// - Precondition: it holds no number that JSON cannot write (infinite, not a number).
  public static func encode(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else {
      preconditionFailure("a value of strings and whole numbers is always JSON")
    }
    return Array(data) + [UInt8(ascii: "\n")]
  }
}
