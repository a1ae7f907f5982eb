import LinuxIO

/// Why a client has no answer.
public enum ControlError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Nobody listens at any of the paths.
  case notRunning
  /// Somebody listens, and does not let this user in.
  case notPermitted(path: String)
  /// No answer came in time.
  case timedOut
  /// The service closed the connection before it answered.
  case closed
  /// A call failed otherwise.
  case failed(SystemError)

  /// One sentence for the user.
  public var description: String {
    switch self {
    case .notRunning: "service not running"
    case .notPermitted(let path): "no permission to use \(path)"
    case .timedOut: "the service does not answer"
    case .closed: "the service closed the connection"
    case .failed(let error): error.description
    }
  }

  /// The exit status (CONTRACT, "Exit status").
  public var exitStatus: Int32 {
    switch self {
    case .notRunning, .timedOut, .closed: 69
    case .notPermitted: 77
    case .failed: 74
    }
  }
}

/// One connection to the running service, for a program that has nothing else to do meanwhile.
public struct ControlClient: ~Copyable {
  /// How long an answer may take.
  public static let answerMilliseconds: Int32 = 2_000

  private let socket: OwnedDescriptor
  private var input: [UInt8] = []
  private static let lineLimit = 1 << 20

  /// Connects to the first of the paths where a service listens.
  public init(paths: [String]) throws(ControlError) {
    // In two steps: Swift 6.0 cannot unmake half an owner.
    self.init(connected: try Self.connect(paths))
  }

  private init(connected socket: consuming OwnedDescriptor) {
    self.socket = socket
  }

  private static func connect(_ paths: [String]) throws(ControlError) -> OwnedDescriptor {
    var failure = ControlError.notRunning
    for path in paths {
      do throws(SystemError) {
        return try LocalSocket.connect(path)
      } catch {
        switch error.errno {
        case .noSuchFile, .connectionRefused, .notFolder: continue
        case .permissionDenied, .notPermitted: failure = .notPermitted(path: path)
        case .wouldBlock: failure = .timedOut
        default: failure = .failed(error)
        }
      }
    }
    throw failure
  }

  /// Sends a request.
  public func send(_ request: ControlRequest) throws(ControlError) {
    do throws(SystemError) {
      try socket.writeAll(request.encoded())
    } catch {
      throw error.errno == .brokenPipe ? .closed : .failed(error)
    }
  }

  /// The next line without its end.
  /// - Parameter timeoutMilliseconds: for each part of it; nil waits for ever, as `watch` does.
  /// - Returns: nil when the service has closed the connection.
  public mutating func readLine(
    timeoutMilliseconds: Int32? = ControlClient.answerMilliseconds
  ) throws(ControlError) -> [UInt8]? {
    while true {
      if let end = input.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(input[..<end])
        input.removeSubrange(...end)
        return line
      }
      guard input.count < Self.lineLimit else { throw .closed }
      guard try readMore(timeoutMilliseconds) else { return nil }
    }
  }

  private mutating func readMore(_ timeoutMilliseconds: Int32?) throws(ControlError) -> Bool {
    do throws(SystemError) {
      guard try socket.lent.waitReadable(timeoutMilliseconds: timeoutMilliseconds) else {
        throw SystemError(call: "read", errno: .timedOut)
      }
      guard let bytes = try socket.lent.read(limit: 1 << 14) else { return true }
      input += bytes
      return !bytes.isEmpty
    } catch {
      switch error.errno {
      case .timedOut: throw .timedOut
      case .connectionReset: return false
      default: throw .failed(error)
      }
    }
  }

  /// Sends a request and waits for its answer.
  /// - Parameter timeoutMilliseconds: how long at most; a disk can take longer than the service.
  public mutating func ask(
    _ request: ControlRequest, timeoutMilliseconds: Int32 = ControlClient.answerMilliseconds
  ) throws(ControlError) -> ControlAnswer {
    // Who is refused while still sending finds the reason waiting.
    do throws(ControlError) { try send(request) } catch { if error != .closed { throw error } }
    guard let line = try readLine(timeoutMilliseconds: timeoutMilliseconds),
      let answer = ControlAnswer(line: line)
    else { throw .closed }
    return answer
  }
}
