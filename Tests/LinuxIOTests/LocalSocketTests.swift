import Testing

@testable import LinuxIO

@Suite struct LocalSocketTests {
  @Test func connection_bytes_comeThroughUntilTheEnd() throws {
    try withTemporaryFolder { folder in
      let listener = try LocalSocket.listen("\(folder)/s")
      let early = try LocalSocket.accept(listener)
      check(early == nil)
      let client = try LocalSocket.connect("\(folder)/s")
      guard let served = try LocalSocket.accept(listener) else {
        Issue.record("no client")
        return
      }
      check(try served.lent.read(limit: 8), is: nil)
      try client.writeAll(Array("hello".utf8))
      check(try served.lent.read(limit: 3), is: Array("hel".utf8))
      check(try served.lent.read(limit: 8), is: Array("lo".utf8))
      try client.close()
      check(try served.lent.read(limit: 8), is: [])
    }
  }

  @Test func listener_ofADeadService_isReplaced() throws {
    try withTemporaryFolder { folder in
      try LocalSocket.listen("\(folder)/s").close()
      #expect(try Files.status("\(folder)/s").kind == .socket)
      let again = try LocalSocket.listen("\(folder)/s")
      let client = try LocalSocket.connect("\(folder)/s")
      let served = try LocalSocket.accept(again)
      check(served != nil)
      try client.close()
    }
  }

  @Test func listener_ofALiveService_isRefused() throws {
    try withTemporaryFolder { folder in
      let live = try LocalSocket.listen("\(folder)/s")
      let error = SystemError(call: "bind", path: "\(folder)/s", errno: .addressInUse)
      #expect(throws: error) { _ = try LocalSocket.listen("\(folder)/s") }
      try live.close()
    }
  }

  @Test func listener_whereAFileIs_isRefusedAndTheFileKept() throws {
    try withTemporaryFolder { folder in
      try Files.open("\(folder)/s", [.writeOnly, .create]).close()
      let error = SystemError(call: "bind", path: "\(folder)/s", errno: .addressInUse)
      #expect(throws: error) { _ = try LocalSocket.listen("\(folder)/s") }
      #expect(try Files.status("\(folder)/s").kind == .file)
    }
  }

  @Test func path_tooLong_isRefused() {
    let path = "/tmp/" + String(repeating: "x", count: 103)
    #expect(throws: SystemError(call: "connect", path: path, errno: .nameTooLong)) {
      _ = try LocalSocket.connect(path)
    }
    #expect(throws: SystemError(call: "connect", path: "/tmp/none", errno: .noSuchFile)) {
      _ = try LocalSocket.connect("/tmp/none")
    }
  }

  @Test func write_toAClosedPeer_throwsInsteadOfKillingTheProcess() throws {
    // The loop is what ignores SIGPIPE, for the whole process.
    _ = try EventLoop()
    try withTemporaryFolder { folder in
      let listener = try LocalSocket.listen("\(folder)/s")
      let client = try LocalSocket.connect("\(folder)/s")
      let served = try LocalSocket.accept(listener)
      check(served != nil)
      try client.close()
      #expect(throws: SystemError(call: "write", errno: .brokenPipe)) {
        try served?.writeAll([1])
      }
    }
  }

  @Test func notice_toTheManager_isOneDatagram() throws {
    try withTemporaryFolder { folder in
      #expect(!LocalSocket.notify("READY=1", at: "\(folder)/none"))
      let manager = try datagramListener("\(folder)/notify")
      #expect(LocalSocket.notify("READY=1\nSTATUS=Ready", at: "\(folder)/notify"))
      check(try manager.lent.read(limit: 64), is: Array("READY=1\nSTATUS=Ready".utf8))
    }
  }
}
