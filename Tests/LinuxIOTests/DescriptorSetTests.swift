import Testing

@testable import LinuxIO

@Suite struct DescriptorSetTests {
  @Test func set_whileOneOfItsDescriptorsCanBeRead_canBeRead() throws {
    let set = try DescriptorSet()
    let first = try EventSignal()
    let second = try EventSignal()
    try set.add(first.lent, token: 0)
    try set.add(second.lent, token: 7)
    check(try !set.lent.waitReadable(timeoutMilliseconds: 0))
    second.signal()
    check(try set.lent.waitReadable(timeoutMilliseconds: 0))
    check(try set.ready(), is: [DescriptorSet.Ready(token: 7, hungUp: false)])
    second.clear()
    check(try !set.lent.waitReadable(timeoutMilliseconds: 0))
    first.signal()
    try set.remove(first.lent)
    check(try set.ready(), is: [])
  }

  @Test func descriptor_whoseOtherEndHasGone_isReportedAsHungUp() throws {
    try withTemporaryFolder { folder in
      let set = try DescriptorSet()
      let listener = try LocalSocket.listen("\(folder)/s")
      let client = try LocalSocket.connect("\(folder)/s")
      try set.add(client.lent, token: 1)
      check(try set.ready(), is: [])
      // Its other end goes with the listener that has not yet accepted it.
      try listener.close()
      // A process that another test is just starting holds the listener until its program begins.
      check(try set.lent.waitReadable(timeoutMilliseconds: 10_000))
      check(try set.ready(), is: [DescriptorSet.Ready(token: 1, hungUp: true)])
    }
  }

  @Test func descriptor_thatIsClosed_leavesTheSet() throws {
    let set = try DescriptorSet()
    do {
      let signal = try EventSignal()
      signal.signal()
      try set.add(signal.lent, token: 1)
      check(try set.ready().count, is: 1)
    }
    check(try set.ready(), is: [])
  }
}

@Suite struct FolderWatchTests {
  @Test func names_thatComeGoOrChangeTheirPermissions_areHeardInTheirOrder() throws {
    try withTemporaryFolder { folder in
      let watch = try FolderWatch(folder)
      check(try watch.names(), is: [])
      _ = try Files.open(folder + "/gpiochip0", [.writeOnly, .create])
      _ = try Files.open(folder + "/b", [.writeOnly, .create])
      check(try watch.lent.waitReadable(timeoutMilliseconds: 0))
      check(try watch.names(), is: ["gpiochip0", "b"])
      try Files.unlink(folder + "/b")
      try Files.rename(folder + "/gpiochip0", to: folder + "/gpiochip10")
      check(try watch.names(), is: ["b", "gpiochip10"])
    }
  }

  @Test func contents_thatAreWrittenMovedAwayOrEnded_areHeard() throws {
    try withTemporaryFolder { folder in
      let inner = folder + "/inner"
      try Files.makeFolder(inner)
      let watch = try FolderWatch(inner, contents: true)
      do {
        let file = try Files.open(inner + "/a", [.writeOnly, .create])
        try file.writeAll([1])
      }
      check(try watch.names(), is: ["a", "a"])
      try Files.rename(inner + "/a", to: folder + "/a")
      check(try watch.names(), is: ["a"])
      try Files.removeFolder(inner)
      check(Set(try watch.names()), is: [""])
    }
  }

  @Test func mountTable_withoutAChange_isNoNews() throws {
    let set = try DescriptorSet()
    let table = try Files.open("/proc/self/mountinfo", .readOnly)
    try set.addForErrors(table.lent, token: 3)
    // Other programs may mount something just now; it is not always news.
    check(try (0..<20).contains { _ in try set.wait(timeoutMilliseconds: 1).isEmpty })
  }

  @Test func folder_thatIsNotThere_isRefused() {
    #expect(throws: SystemError(call: "inotify_add_watch", path: "/nowhere", errno: .noSuchFile)) {
      _ = try FolderWatch("/nowhere")
    }
  }
}
