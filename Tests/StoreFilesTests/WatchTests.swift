import Glibc
import LinuxIO
import Sessions
import Testing

@testable import StoreFiles

/// Asks how many sits a box has until it has so many, or ten seconds are over.
private func reaches(_ sits: Int, _ thread: StorageThread) throws -> Bool {
  for token in 0..<1_000 {
    #expect(thread.send(.usage(token: token)))
    let all = try answers(thread) { if case .usage(_, token) = $0 { true } else { false } }
    for case .usage(let usage, token) in all where usage.sits == sits { return true }
    usleep(10_000)
  }
  return false
}

/// A box's storage thread on a shared folder, and another box that writes into it.
private final class Pair {
  let shared: String
  let thread: StorageThread
  var other: Storekeeper<FolderDisk, SharedFolder>

  init(_ root: String) throws {
    shared = "\(root)/shared"
    thread = try StorageThread(state: "\(root)/a", shared: shared)
    other = try keeper("\(root)/b", shared: shared)
    _ = other.open()
    _ = other.look()
    #expect(try reaches(0))
  }

  func reaches(_ sits: Int) throws -> Bool { try StoreFilesTests.reaches(sits, thread) }

  /// Waits until the thread has looked at the folder after an instant, or ten seconds are over.
  func hasLooked(after instant: WallInstant) throws -> Bool {
    for token in 0..<1_000 {
      #expect(thread.send(.status(token: token)))
      let all = try answers(thread) { if case .status(_, token) = $0 { true } else { false } }
      for case .status(let status, token) in all {
        if let look = status.lastMerge, look >= instant { return true }
      }
      usleep(10_000)
    }
    return false
  }

  /// How often the thread looked within a time.
  func looks(within milliseconds: UInt32) -> Int {
    _ = thread.takeAnswers()
    usleep(milliseconds * 1_000)
    return thread.takeAnswers().filter { if case .status = $0 { true } else { false } }.count
  }
}

@Suite struct WatchTests {
  @Test func copy_thatAnotherBoxWrites_isMergedWithoutBeingAsked() throws {
    try withTemporaryFolder { root in
      let pair = try Pair(root)
      _ = pair.other.add(sit(0))
      #expect(try pair.reaches(1))
      _ = pair.other.add(sit(1))
      #expect(try pair.reaches(2))
      #expect(pair.thread.stop(timeoutMilliseconds: 10_000) == true)
    }
  }

  @Test func writesOfOneself_areLookedAtOnceAtMost() throws {
    try withTemporaryFolder { root in
      let pair = try Pair(root)
      _ = pair.looks(within: 5_000)
      #expect(pair.thread.send(.add(sit(0))))
      #expect(try pair.reaches(1))
      #expect(pair.looks(within: 5_000) <= 1)
      #expect(pair.looks(within: 3_000) == 0)
      #expect(pair.thread.stop(timeoutMilliseconds: 10_000) == true)
    }
  }

  @Test func folder_thatGoesAndComesBack_isWatchedAnew() throws {
    try withTemporaryFolder { root in
      let pair = try Pair(root)
      #expect(rename(pair.shared, "\(root)/away") == 0)
      #expect(pair.thread.send(.look))
      #expect(pair.thread.send(.status(token: 1)))
      let all = try answers(pair.thread) { if case .status(_, 1?) = $0 { true } else { false } }
      let states = all.compactMap { if case .status(let status, 1?) = $0 { status } else { nil } }
      let status = try #require(states.first)
      #expect(status.folderProblem == "\(pair.shared) is not there")
      #expect(rename("\(root)/away", pair.shared) == 0)
      #expect(pair.thread.send(.look))
      _ = pair.other.add(sit(0))
      #expect(try pair.reaches(1))
      // Another folder in its place has another number.
      #expect(rename(pair.shared, "\(root)/away") == 0)
      try Files.makeFolder(pair.shared)
      let made = WallInstant(nanoseconds: Clock.wall())
      #expect(try pair.hasLooked(after: made))
      _ = pair.other.add(sit(1))
      #expect(try pair.reaches(2))
      #expect(pair.thread.stop(timeoutMilliseconds: 10_000) == true)
    }
  }

  @Test func folder_thatComesBack_isNoticedWithoutBeingAsked() throws {
    try withTemporaryFolder { root in
      let pair = try Pair(root)
      _ = pair.other.add(sit(0))
      #expect(try pair.reaches(1))
      #expect(rename(pair.shared, "\(root)/away") == 0)
      _ = try problem(of: pair.thread) { $0 == "\(pair.shared) is not there" }
      try Files.makeFolder("\(root)/other/archive")
      let text = try content("\(root)/b/truth.kv")
      try Files.open("\(root)/other/x.kv", [.writeOnly, .create]).writeAll(text)
      #expect(rename("\(root)/other", pair.shared) == 0)
      _ = try problem(of: pair.thread) { $0 == nil }
      #expect(pair.thread.stop(timeoutMilliseconds: 10_000) == true)
    }
  }

  /// Waits until the status that the thread tells by itself has a fitting problem of the folder.
  private func problem(
    of thread: StorageThread, until isWanted: (String?) -> Bool
  ) throws -> [StorageAnswer] {
    try answers(thread) {
      if case .status(let status, nil) = $0 { isWanted(status.folderProblem) } else { false }
    }
  }

  @Test(.enabled(if: isRoot, "mounting needs the right to"))
  func disk_thatIsMountedOverTheFolder_isNoticed() throws {
    try withTemporaryFolder { root in
      let stick = "\(root)/stick"
      try Files.makeFolder(stick)
      try #require(mount("tmpfs", stick, "tmpfs", 0, "size=8388608") == 0, "errno \(errno)")
      defer { umount2(stick, Int32(MNT_DETACH)) }
      do {
        var other = try keeper("\(root)/b", shared: stick)
        _ = other.open()
        _ = other.add(sit(0))
      }
      let shared = "\(root)/shared"
      let thread = try StorageThread(state: "\(root)/a", shared: shared)
      #expect(try reaches(0, thread))
      try #require(mount(stick, shared, "", UInt(MS_BIND), nil) == 0, "errno \(errno)")
      defer { umount2(shared, Int32(MNT_DETACH)) }
      #expect(try reaches(1, thread))
      #expect(thread.stop(timeoutMilliseconds: 10_000) == true)
    }
  }

  @Test func sync_withAnotherFolder_goesBothWays() throws {
    try withTemporaryFolder { root in
      let stick = "\(root)/stick"
      try Files.makeFolder(stick)
      let thread = try StorageThread(state: "\(root)/a", shared: nil)
      var other = try keeper("\(root)/b", shared: stick)
      _ = other.open()
      _ = other.add(sit(0))
      #expect(thread.send(.sync(folder: stick, adopt: false, token: 7)))
      let all = try answers(thread) { if case .synced(_, 7) = $0 { true } else { false } }
      let merges = all.compactMap { if case .synced(let merge, _) = $0 { merge } else { nil } }
      let merge = try #require(merges.first)
      #expect(merge.newSits == 1 && merge.status.usage.sits == 1)
      #expect(merge.otherReports.contains { $0.isExchanged })
      #expect(thread.send(.add(sit(1))))
      #expect(thread.send(.sync(folder: stick, adopt: false, token: 8)))
      _ = try answers(thread) { if case .synced(_, 8) = $0 { true } else { false } }
      _ = other.look()
      #expect(other.store.sessions == [sit(0), sit(1)])
      #expect(thread.stop(timeoutMilliseconds: 10_000) == true)
    }
  }
}
