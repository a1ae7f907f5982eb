import FoundationEssentials
import Settings

/// What a client asks of the running service: one JSON object a line.
public struct ControlRequest: Equatable, Sendable {
  /// What can be asked; the raw value is the name on the line.
  public enum Command: String, CaseIterable, Sendable {
    /// The state line, once.
    case status
    /// The state line, and another at each change.
    case watch
    /// Begin a sit.
    case start
    /// Hold it.
    case pause
    /// Go on.
    case resume
    /// End it here and keep it.
    case stop
    /// End it and keep nothing.
    case discard
    /// Go from the preparation to the sit.
    case skip
    /// Ring a bell now.
    case ring
    /// Bring the last deleted sit back.
    case undo
    /// Make a device-local choice.
    case set
    /// Forget one.
    case unset
    /// Merge all replicas once, now. The answer is a text of JSON.
    case sync
    /// Change sits. The answer is a text of JSON.
    case sits
    /// Set a key of the store. The answer is a text of JSON.
    case keySet = "kv-set"
    /// Delete one. The answer is a text of JSON.
    case keyDelete = "kv-delete"
  }

  /// What is asked.
  public var command: Command
  /// `start`: the length, as `20m`.
  public var length: String?
  /// `start`: the programme's name.
  public var programme: String?
  /// `start`: the clock time to end at, as `07:00`.
  public var until: String?
  /// `start`: without an end.
  public var open = false
  /// `start`: also where another box has a sit running.
  public var anyway = false
  /// `ring`: the sound's name.
  public var sound: String?
  /// `set`, `unset`: the choice's name. `kv-set`, `kv-delete`: the key.
  public var key: String?
  /// `set`: the choice. `kv-set`: the value, as JSON. `sits`: the changes, as a list in JSON.
  public var value: String?
  /// `sync`: another folder to merge with both ways, its path from the root.
  public var folder: String?
  /// `sync`: also the copies of another owner, whose this store becomes.
  public var adopt = false
  /// `sync`, `sits`, `kv-set`, `kv-delete`: the number of the process that is meant, as the lock of
  /// the state folder names it. Another service refuses.
  public var process: String?

  /// Makes a request without fields.
  public init(_ command: Command) {
    self.command = command
  }

  private static var words: [(name: String, path: WritableKeyPath<Self, String?>)] {
    [
      ("length", \.length), ("programme", \.programme), ("until", \.until), ("sound", \.sound),
      ("key", \.key), ("value", \.value), ("folder", \.folder), ("process", \.process),
    ]
  }

  private static var flags: [(name: String, path: WritableKeyPath<Self, Bool>)] {
    [("open", \.open), ("anyway", \.anyway), ("adopt", \.adopt)]
  }

  /// The fields that a command takes.
  private static func fields(of command: Command) -> [String] {
    switch command {
    case .start: ["length", "programme", "until", "open", "anyway"]
    case .ring: ["sound"]
    case .set: ["key", "value"]
    case .unset: ["key"]
    case .sync: ["folder", "adopt", "process"]
    case .sits: ["value", "process"]
    case .keySet: ["key", "value", "process"]
    case .keyDelete: ["key", "process"]
    case .status, .watch, .pause, .resume, .stop, .discard, .skip, .undo: []
    }
  }

  /// The fields that a command cannot do without.
  private static func neededFields(of command: Command) -> [String] {
    switch command {
    case .set, .unset, .sits, .keySet, .keyDelete: fields(of: command)
    default: []
    }
  }
}

/// Why a line is no request; the text goes back to the client.
public struct RequestError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, and the nearest right name where there is one.
  public let description: String
}

extension ControlRequest {
  /// Reads one line, without its end.
  public init(line: [UInt8]) throws(RequestError) {
    let object: [String: RequestValue]
    do {
      object = try JSONDecoder().decode([String: RequestValue].self, from: Data(line))
    } catch {
      throw RequestError(description: "a request is one JSON object a line")
    }
    guard let name = object["command"] else {
      throw RequestError(description: "\"command\" is missing")
    }
    guard case .word(let word) = name else {
      throw RequestError(description: "\"command\" must be a string")
    }
    guard let command = Command(rawValue: word) else {
      let hint = suggestion(for: word, among: Command.allCases.map(\.rawValue))
      throw RequestError(description: "unknown command \"\(word)\"\(hint)")
    }
    self.init(command)
    for name in object.keys.sorted() where name != "command" {
      if let value = object[name] { try take(name, value) }
    }
    for name in Self.neededFields(of: command) where object[name] == nil {
      throw RequestError(description: "\"\(command.rawValue)\" needs \"\(name)\"")
    }
  }

  private mutating func take(_ name: String, _ value: RequestValue) throws(RequestError) {
    let allowed = Self.fields(of: command)
    guard allowed.contains(name) else {
      let hint = suggestion(for: name, among: allowed)
      throw RequestError(description: "\"\(command.rawValue)\" has no field \"\(name)\"\(hint)")
    }
    if let field = Self.words.first(where: { $0.name == name }) {
      guard case .word(let word) = value else {
        throw RequestError(description: "\"\(name)\" must be a string")
      }
      self[keyPath: field.path] = word
    } else if let field = Self.flags.first(where: { $0.name == name }) {
      guard case .flag(let flag) = value else {
        throw RequestError(description: "\"\(name)\" must be true or false")
      }
      self[keyPath: field.path] = flag
    }
  }

  /// The request as one line with its end.
  public func encoded() -> [UInt8] {
    var object: [String: RequestValue] = ["command": .word(command.rawValue)]
    for field in Self.words {
      if let word = self[keyPath: field.path] { object[field.name] = .word(word) }
    }
    for field in Self.flags where self[keyPath: field.path] {
      object[field.name] = .flag(true)
    }
    return JSONLine.encode(object)
  }
}

/// A value in a request: all of them are words but the flags.
private enum RequestValue: Codable {
  case word(String)
  case flag(Bool)
  case other

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let word = try? value.decode(String.self) {
      self = .word(word)
    } else if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else {
      self = .other
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .word(let word): try value.encode(word)
    case .flag(let flag): try value.encode(flag)
    case .other: try value.encodeNil()
    }
  }
}
