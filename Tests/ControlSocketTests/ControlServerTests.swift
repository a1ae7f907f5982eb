import Box
import LinuxIO
import Testing

@testable import ControlSocket

// The loop takes the process's signals, so one at a time.
@Suite(.serialized) struct ControlServerTests {
  @Test func request_whole_isAnsweredByOneLine() throws {
    let bench = try Bench()
    let client = try Raw(bench.path)
    try client.send(#"{"command":"start","length":"20m"}"# + "\n")
    let requests = try bench.turn { _ in .refused(reason: "a sit is running") }
    var expected = ControlRequest(.start)
    expected.length = "20m"
    #expect(requests == [expected])
    #expect(
      try client.receive() == #"{"answer":"refused","reason":"a sit is running"}"# + "\n")
    #expect(bench.clientCount == 1)
  }

  @Test func request_inParts_isAnsweredOnceItIsWhole() throws {
    let bench = try Bench()
    let client = try Raw(bench.path)
    for part in [#"{"comm"#, #"and":"#, #""pause"}"#] {
      try client.send(part)
      #expect(try bench.turn() == [])
    }
    try client.send("\r\n" + #"{"command":"resume"}"# + "\n")
    #expect(try bench.turn().map(\.command) == [.pause, .resume])
    #expect(try client.receive() == "{\"answer\":\"ok\"}\n{\"answer\":\"ok\"}\n")
  }

  @Test func request_wrong_isAnsweredAndTheNextServed() throws {
    let bench = try Bench()
    let client = try Raw(bench.path)
    try client.send("nonsense\n" + #"{"command":"stop"}"# + "\n")
    #expect(try bench.turn().map(\.command) == [.stop])
    let error = #"{"answer":"error","message":"a request is one JSON object a line"}"#
    #expect(try client.receive() == error + "\n{\"answer\":\"ok\"}\n")
  }

  @Test func line_atItsLimit_isTakenAndOneByteMoreIsNot() throws {
    let start = #"{"command":"ring","sound":""#
    func line(_ count: Int) -> String {
      start + String(repeating: "x", count: count - start.utf8.count - 2) + "\"}"
    }
    for (count, isTaken) in [(2_101_248, true), (2_101_249, false)] {
      let bench = try Bench()
      let client = try Raw(bench.path)
      var rest = Array((line(count) + "\n").utf8)[...]
      var requests = 0
      while !rest.isEmpty {
        rest = rest.dropFirst(try client.sendSome(Array(rest.prefix(65_536))))
        requests += try bench.turn().count
      }
      #expect(requests == (isTaken ? 1 : 0))
      let error = #"{"answer":"error","message":"a request has at most 2101248 bytes"}"#
      #expect(try client.receive() == (isTaken ? #"{"answer":"ok"}"# : error) + "\n")
      #expect(bench.clientCount == (isTaken ? 1 : 0))
    }
  }

  @Test func linesBegun_ofTwiceTheLimitInAll_areRefusedToWhoGoesOver() throws {
    let bench = try Bench()
    let clients = try (0..<3).map { _ in try Raw(bench.path) }
    func send(_ count: Int, _ client: Raw) throws {
      var rest = [UInt8](repeating: UInt8(ascii: "x"), count: count)[...]
      while !rest.isEmpty {
        rest = rest.dropFirst(try client.sendSome(Array(rest.prefix(65_536))))
        try bench.turn()
      }
    }
    for (client, count) in zip(clients, [1_500_000, 1_500_000, 1_202_496]) {
      try send(count, client)
    }
    #expect(bench.clientCount == 3)
    // A short line of another is still taken.
    let asks = try Raw(bench.path)
    try asks.send(#"{"command":"status"}"# + "\n")
    #expect(try bench.turn().map(\.command) == [.status])
    try send(1, clients[2])
    let answer = #"{"answer":"refused","reason":"too much is being sent at once; try again"}"#
    #expect(try clients[2].receive() == answer + "\n")
    #expect(bench.clientCount == 3)
  }

  @Test func client_beyondTheLimit_isToldAndClosed() throws {
    let bench = try Bench()
    var clients: [Raw] = []
    for _ in 0..<65 {
      clients.append(try Raw(bench.path))
      try bench.turn()
    }
    #expect(bench.clientCount == 64)
    let error = #"{"answer":"error","message":"64 clients are connected already"}"# + "\n"
    #expect(try clients[64].receive() == error)
    #expect(try clients[64].receive() == nil)
    clients.remove(at: 3)
    try bench.turn()
    #expect(bench.clientCount == 63)
    let late = try Raw(bench.path)
    try late.send("{\"command\":\"skip\"}\n")
    try bench.turn()
    #expect(try late.receive() == "{\"answer\":\"ok\"}\n")
  }

  @Test func watcher_isToldEachChangeOnce() throws {
    let bench = try Bench()
    let (watcher, other) = (try Raw(bench.path), try Raw(bench.path))
    var state = StateLine()
    try watcher.send("{\"command\":\"watch\"}\n")
    try bench.turn { _ in .state(state) }
    let first = String(decoding: JSONLine.encode(state), as: UTF8.self)
    #expect(try watcher.receive() == first)
    state.volume = 61
    bench.announce(state)
    bench.announce(state)
    let second = String(decoding: JSONLine.encode(state), as: UTF8.self)
    #expect(try watcher.receive() == second)
    #expect(try other.receive() == "")
  }

  @Test func watcher_thatDoesNotRead_isDroppedAloneAtItsBound() throws {
    let bench = try Bench()
    let (deaf, good) = (try Raw(bench.path), try Raw(bench.path))
    for client in [deaf, good] { try client.send("{\"command\":\"watch\"}\n") }
    try bench.turn()
    #expect(try good.receive() == "{\"answer\":\"ok\"}\n")
    var state = StateLine()
    var sent = 0
    while bench.clientCount == 2, sent < 100_000 {
      sent += 1
      state.elapsedSeconds += 1
      bench.announce(state)
      try bench.turn()
      #expect(try good.receive() == String(decoding: JSONLine.encode(state), as: UTF8.self))
    }
    #expect(bench.clientCount == 1)
    // What the server kept, and what the kernel's own buffer took before.
    let bytes = sent * JSONLine.encode(state).count
    #expect(bytes > ControlServer.outputLimit)
    #expect(bytes < ControlServer.outputLimit * 8)
  }

  @Test func client_goneBeforeItsAnswer_changesNothing() throws {
    let bench = try Bench()
    var first: Raw? = try Raw(bench.path)
    try bench.turn()
    try first?.send("{\"command\":\"undo\"}\n")
    let calls = try bench.calls()
    #expect(calls.count == 1)
    first = nil
    try bench.turn()
    let second = try Raw(bench.path)
    try bench.turn()
    // The second sits in the first one's place, and must not get its answer.
    for call in calls { bench.answer(call.caller, .ok) }
    try bench.turn()
    #expect(try second.receive() == "")
    #expect(bench.clientCount == 1)
  }

  @Test func client_sendingWithoutReading_isBounded() throws {
    let bench = try Bench()
    let client = try Raw(bench.path)
    let flood = Array(String(repeating: "x\n", count: 8_000).utf8)
    var turns = 0
    try bench.turn()
    repeat {
      turns += 1
      do { _ = try client.sendSome(flood) } catch { break }
      try bench.turn()
    } while bench.clientCount == 1 && turns < 1_000
    #expect(bench.clientCount == 0)
  }

  @Test func server_closed_removesItsSocket() throws {
    let bench = try Bench()
    #expect(try Files.status(bench.path).kind == .socket)
    bench.close()
    #expect(throws: ControlError.notRunning) { _ = try ControlClient(paths: [bench.path]) }
  }

  @Test func server_whereOneLives_isRefused() throws {
    let bench = try Bench()
    let error = SystemError(call: "bind", path: bench.path, errno: .addressInUse)
    #expect(throws: error) {
      _ = try ControlServer(path: bench.path, firstToken: 200, loop: bench.loop)
    }
  }
}

extension ControlServerTests {
  @Test func client_ofARealService_asksAndIsAnswered() throws {
    let bench = try Bench()
    let path = bench.path
    let done = try EventSignal()
    let tell = done.lent
    let asking = try Thread(name: "client") {
      var request = ControlRequest(.set)
      (request.key, request.value) = ("volume", "40")
      let answer = try? Self.ask(request, path)
      _ = try? tell.writeAll([answer == .refused(reason: "no") ? 1 : 2] + [0, 0, 0, 0, 0, 0, 0])
    }
    try bench.loop.register(done.lent, token: 1)
    var isDone = false
    while !isDone {
      // The bench turns whatever is ready; the signal stays ready until it is read.
      let calls = try bench.calls()
      for call in calls {
        #expect(call.request.value == "40")
        bench.answer(call.caller, .refused(reason: "no"))
      }
      isDone = try done.lent.waitReadable(timeoutMilliseconds: calls.isEmpty ? 1 : 0)
    }
    asking.join()
    let count = try done.lent.read(limit: 8)
    #expect(count?.first == 1)
  }

  static func ask(_ request: ControlRequest, _ path: String) throws -> ControlAnswer {
    var client = try ControlClient(paths: ["/nowhere/control.sock", path])
    return try client.ask(request)
  }

  @Test func client_ofASilentService_givesUp() throws {
    let bench = try Bench()
    #expect(throws: ControlError.timedOut) {
      var client = try ControlClient(paths: [bench.path])
      try client.send(ControlRequest(.status))
      _ = try client.readLine(timeoutMilliseconds: 20)
    }
  }

  @Test func errors_ofAClient_haveTheirExitStatus() {
    #expect(ControlError.notRunning.exitStatus == 69)
    #expect(ControlError.notRunning.description == "service not running")
    #expect(ControlError.notPermitted(path: "/x").exitStatus == 77)
    let failed = ControlError.failed(SystemError(call: "connect", path: "/x", errno: .inputOutput))
    #expect(failed.exitStatus == 74)
    #expect(failed.description == "connect /x: Input/output error")
  }
}
