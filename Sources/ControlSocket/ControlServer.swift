import Box
import LinuxIO

/// A request and who made it.
public struct ControlCall: Equatable, Sendable {
  /// Names a connection; never used again after it has ended.
  public struct Caller: Hashable, Sendable {
    let slot: Int
    let serial: UInt64
  }

  /// Who asks, for `ControlServer.answer`.
  public let caller: Caller
  /// What is asked.
  public let request: ControlRequest
}

/// The service's side of the control socket, driven by the event loop of its thread.
///
/// - At most 64 clients; another is told so and closed.
/// - A request line has at most 2 MiB and 4 KiB, room for the longest value of the store as a text
///   in JSON; a longer one is answered by an error, and its client closed.
/// - The lines that all clients have begun hold two of that length: who goes over that with a line
///   of more than 64 KiB is refused, and closed.
/// - At most 256 KiB wait for a client that does not read; then it is dropped.
/// - Nothing that a client does or fails to do is an error of the service.
public struct ControlServer: ~Copyable {
  /// How many tokens of the loop it takes, from its first on.
  public static let tokenCount = 1 + clientLimit

  static let clientLimit = 64
  static let lineLimit = 2 * 1_048_576 + 4_096
  static let shortLineLimit = 64 * 1_024
  static let outputLimit = 256 * 1_024
  private static let readLimit = 16 * 1_024

  private final class Client {
    let socket: OwnedDescriptor
    let serial: UInt64
    var input: [UInt8] = []
    var output: [UInt8] = []
    var interest = Interest.reading
    var unanswered = 0
    var isWatching = false
    /// The client sends nothing more; it is closed once it has its answers.
    var hasEnded = false

    init(_ socket: consuming OwnedDescriptor, serial: UInt64) {
      self.socket = socket
      self.serial = serial
    }
  }

  private let path: String
  private let listener: OwnedDescriptor
  private let firstToken: Int
  // Given up when the process has no descriptor left: a client could else neither be taken nor be
  // turned away, and the loop would never rest.
  private var spare: OwnedDescriptor?
  private var clients: [Client?] = Array(repeating: nil, count: clientLimit)
  private var nextSerial: UInt64 = 0
  private var announced: StateLine?

  /// Listens at a path.
  /// - Parameters:
  ///   - firstToken: the first of `tokenCount` tokens that are this server's in the loop.
  ///   - loop: the loop of the thread that will call every other function.
  /// - Throws: `addressInUse` where another service lives.
  public init(
    path: String, firstToken: Int, loop: borrowing EventLoop
  ) throws(SystemError) {
    // In two steps: Swift 6.0 cannot unmake half an owner.
    let listener = try LocalSocket.listen(path)
    try loop.register(listener.lent, token: firstToken)
    self.init(listening: listener, path: path, firstToken: firstToken)
  }

  private init(listening listener: consuming OwnedDescriptor, path: String, firstToken: Int) {
    self.listener = listener
    self.path = path
    self.firstToken = firstToken
    spare = try? Files.open("/dev/null", .readOnly)
  }

  /// Closes every connection and removes the socket file.
  public consuming func close() {
    try? Files.unlink(path)
  }

  /// How many clients are connected.
  public var clientCount: Int { clients.count { $0 != nil } }

  /// Whether somebody wants to see each change.
  public var isWatched: Bool { clients.contains { $0?.isWatching == true } }

  /// Takes an event of the loop.
  /// - Returns: the requests that are now complete, in order; each wants one `answer`. Nothing for
  ///   an event that is not this server's.
  public mutating func handle(
    _ event: LoopEvent, loop: borrowing EventLoop
  ) -> [ControlCall] {
    guard case .ready(let token, let isReadable, let isWritable, let hasHungUp) = event else {
      return []
    }
    if token == firstToken {
      acceptAll(loop)
      return []
    }
    let slot = token - firstToken - 1
    guard clients.indices.contains(slot), let client = clients[slot] else { return [] }
    if isWritable { flush(slot, loop) }
    guard clients[slot] === client else { return [] }
    if isReadable { return read(client, slot, loop) }
    if hasHungUp { drop(slot, loop) }
    return []
  }

  /// Sends the answer to a call. One whose client has gone is not needed any more.
  public mutating func answer(
    _ caller: ControlCall.Caller, _ answer: ControlAnswer, loop: borrowing EventLoop
  ) {
    guard let client = clients[caller.slot], client.serial == caller.serial else { return }
    client.unanswered -= 1
    send(answer.encoded(), to: caller.slot, loop)
  }

  /// Sends the state to each client that watches, if it is another than the last one.
  public mutating func announce(_ state: StateLine, loop: borrowing EventLoop) {
    guard state != announced else { return }
    announced = state
    guard clients.contains(where: { $0?.isWatching == true }) else { return }
    let line = ControlAnswer.state(state).encoded()
    for slot in clients.indices where clients[slot]?.isWatching == true {
      send(line, to: slot, loop)
    }
  }

  private mutating func acceptAll(_ loop: borrowing EventLoop) {
    while true {
      do throws(SystemError) {
        guard let socket = try LocalSocket.accept(listener) else { return }
        take(socket, loop)
      } catch {
        guard turnOneAway() else { return }
      }
    }
  }

  /// Takes a client on the spare descriptor and closes it.
  private mutating func turnOneAway() -> Bool {
    guard spare != nil else { return false }
    spare = nil
    defer { spare = try? Files.open("/dev/null", .readOnly) }
    do throws(SystemError) {
      guard let socket = try LocalSocket.accept(listener) else { return false }
      try socket.close()
      return true
    } catch {
      return false
    }
  }

  private mutating func take(_ socket: consuming OwnedDescriptor, _ loop: borrowing EventLoop) {
    guard let slot = clients.firstIndex(where: { $0 == nil }) else {
      let answer = ControlAnswer.error(
        message: "\(Self.clientLimit) clients are connected already")
      // Its buffer is empty, so the line goes in; if not, the client sees the end alone.
      _ = try? socket.lent.writeOnce(answer.encoded())
      return
    }
    nextSerial += 1
    let client = Client(socket, serial: nextSerial)
    do throws(SystemError) {
      try loop.register(client.socket.lent, token: firstToken + 1 + slot)
      clients[slot] = client
    } catch {
      // The kernel has no room for another: the client sees the end.
    }
  }

  private mutating func read(
    _ client: Client, _ slot: Int, _ loop: borrowing EventLoop
  ) -> [ControlCall] {
    guard let bytes = try? client.socket.lent.read(limit: Self.readLimit) else {
      drop(slot, loop)
      return []
    }
    if bytes.isEmpty {
      client.hasEnded = true
      settle(slot, loop)
      return []
    }
    // What a client asked before it was dropped is still done: it was whole.
    var calls: [ControlCall] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")), clients[slot] != nil,
      client.input.count + (end - rest.startIndex) <= Self.lineLimit
    {
      let line = client.input + rest[..<end]
      client.input = []
      rest = rest[(end + 1)...]
      if let call = call(line, client, slot, loop) { calls.append(call) }
    }
    client.input += rest
    if client.input.count > Self.lineLimit {
      end(slot, with: .error(message: "a request has at most \(Self.lineLimit) bytes"), loop)
    } else if client.input.count > Self.shortLineLimit, begunBytes > 2 * Self.lineLimit {
      end(slot, with: .refused(reason: "too much is being sent at once; try again"), loop)
    }
    return calls
  }

  /// A line as a call, or an error that is answered at once.
  private mutating func call(
    _ line: [UInt8], _ client: Client, _ slot: Int, _ loop: borrowing EventLoop
  ) -> ControlCall? {
    do throws(RequestError) {
      let request = try ControlRequest(line: line)
      if request.command == .watch { client.isWatching = true }
      client.unanswered += 1
      let caller = ControlCall.Caller(slot: slot, serial: client.serial)
      return ControlCall(caller: caller, request: request)
    } catch {
      send(ControlAnswer.error(message: error.description).encoded(), to: slot, loop)
      return nil
    }
  }

  private var begunBytes: Int { clients.reduce(0) { $0 + ($1?.input.count ?? 0) } }

  private mutating func end(
    _ slot: Int, with answer: ControlAnswer, _ loop: borrowing EventLoop
  ) {
    send(answer.encoded(), to: slot, loop)
    drop(slot, loop)
  }

  private mutating func send(_ line: [UInt8], to slot: Int, _ loop: borrowing EventLoop) {
    guard let client = clients[slot] else { return }
    guard client.output.count + line.count <= Self.outputLimit else {
      drop(slot, loop)
      return
    }
    client.output += line
    flush(slot, loop)
  }

  private mutating func flush(_ slot: Int, _ loop: borrowing EventLoop) {
    guard let client = clients[slot] else { return }
    do throws(SystemError) {
      while !client.output.isEmpty,
        let count = try client.socket.lent.writeOnce(client.output)
      {
        client.output.removeFirst(count)
      }
      settle(slot, loop)
    } catch {
      drop(slot, loop)
    }
  }

  /// Closes a client that has all it asked for, or has the loop report what is now of interest.
  private mutating func settle(_ slot: Int, _ loop: borrowing EventLoop) {
    guard let client = clients[slot] else { return }
    let isDone = client.hasEnded && !client.isWatching && client.unanswered == 0
    if isDone && client.output.isEmpty {
      drop(slot, loop)
      return
    }
    var interest: Interest = client.hasEnded ? [] : .reading
    if !client.output.isEmpty { interest.insert(.writing) }
    guard interest != client.interest else { return }
    do throws(SystemError) {
      try loop.change(client.socket.lent, token: firstToken + 1 + slot, to: interest)
      client.interest = interest
    } catch {
      drop(slot, loop)
    }
  }

  private mutating func drop(_ slot: Int, _ loop: borrowing EventLoop) {
    guard let client = clients[slot] else { return }
    try? loop.forget(client.socket.lent)
    clients[slot] = nil
  }
}
