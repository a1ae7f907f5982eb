import Box
import LinuxIO
import Testing

@testable import ControlSocket

/// A server with its loop and its folder. Everything stays in one thread: a client sends, the
/// server is turned until nothing is left, the client reads.
final class Bench {
  let folder: String
  var path: String { "\(folder)/control.sock" }
  var loop: EventLoop
  private var server: ControlServer?

  init() throws {
    let name = try Machine.random(count: 8).map { String($0, radix: 16) }.joined()
    folder = "/tmp/control-\(name)"
    try Files.makeFolder(folder, permissions: 0o700)
    loop = try EventLoop()
    server = try ControlServer(path: "\(folder)/control.sock", firstToken: 100, loop: loop)
  }

  deinit {
    try? Files.unlink("\(folder)/control.sock")
    try? Files.removeFolder(folder)
  }

  var clientCount: Int { server?.clientCount ?? 0 }

  /// Handles what is there, and answers each call.
  @discardableResult
  func turn(_ answer: (ControlRequest) -> ControlAnswer = { _ in .ok }) throws -> [ControlRequest] {
    var requests: [ControlRequest] = []
    while true {
      let events = try loop.wait(blocking: false)
      if events.isEmpty { return requests }
      for event in events {
        for call in server?.handle(event, loop: loop) ?? [] {
          requests.append(call.request)
          server?.answer(call.caller, answer(call.request), loop: loop)
        }
      }
    }
  }

  /// Handles what is there, and leaves the calls unanswered.
  func calls() throws -> [ControlCall] {
    var calls: [ControlCall] = []
    for event in try loop.wait(blocking: false) {
      calls += server?.handle(event, loop: loop) ?? []
    }
    return calls
  }

  func answer(_ caller: ControlCall.Caller, _ answer: ControlAnswer) {
    server?.answer(caller, answer, loop: loop)
  }

  func announce(_ state: StateLine) { server?.announce(state, loop: loop) }

  func close() {
    let server = self.server.take()
    server?.close()
  }
}

/// A connection that sends what it likes.
final class Raw {
  private let socket: OwnedDescriptor

  init(_ path: String) throws { socket = try LocalSocket.connect(path) }

  func send(_ text: String) throws { try socket.writeAll(Array(text.utf8)) }

  /// Sends as much as goes in.
  func sendSome(_ bytes: [UInt8]) throws -> Int { try socket.lent.writeOnce(bytes) ?? 0 }

  /// What has come; nil at the end.
  func receive() throws -> String? {
    var text = ""
    while let bytes = try socket.lent.read(limit: 1 << 16) {
      if bytes.isEmpty { return text.isEmpty ? nil : text }
      text += String(decoding: bytes, as: UTF8.self)
    }
    return text
  }
}
