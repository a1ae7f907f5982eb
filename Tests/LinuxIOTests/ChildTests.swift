import LinuxIO
import Testing

@Test func run_programThatEnds_givesItsStatus() throws {
  #expect(try Machine.run("/bin/true", [], timeoutMilliseconds: 10_000) == 0)
  #expect(try Machine.run("/bin/sh", ["-c", "exit 65"], timeoutMilliseconds: 10_000) == 65)
  #expect(try Machine.run("/bin/sh", ["-c", "kill -9 $$"], timeoutMilliseconds: 10_000) == 137)
  // It has what was said, word by word.
  let words = ["-c", "test \"$1\" = \"a  b\" && test $# = 1", "sh", "a  b"]
  #expect(try Machine.run("/bin/sh", words, timeoutMilliseconds: 10_000) == 0)
}

@Test func run_programThatDoesNotEnd_isKilledWhenTheTimeIsOver() {
  let begin = Clock.monotonic()
  var errno: Errno?
  do throws(SystemError) {
    _ = try Machine.run("/bin/sleep", ["60"], timeoutMilliseconds: 100)
  } catch { errno = error.errno }
  #expect(errno == .timedOut)
  #expect((100_000_000..<10_000_000_000).contains(Clock.monotonic() - begin))
}

@Test func run_programThatIsNotThere_saysSo() {
  var found: SystemError?
  do throws(SystemError) {
    _ = try Machine.run("/nonexistent/program", [], timeoutMilliseconds: 100)
  } catch { found = error }
  #expect(
    found == SystemError(call: "posix_spawn", path: "/nonexistent/program", errno: .noSuchFile))
}

// MARK: - Beside this process

/// Waits until a child has ended, at most 10 s, and takes its status.
private func end(of child: inout ChildProcess) throws -> Int32? {
  let hasEnded = try child.ending.waitReadable(timeoutMilliseconds: 10_000)
  try #require(hasEnded)
  let isReaped = child.reap()
  try #require(isReaped)
  return child.status
}

@Test func child_whoseInputEnds_endsByItselfAndIsReaped() throws {
  var child = try ChildProcess.start("cat", [])
  let hasEnded = try child.ending.waitReadable(timeoutMilliseconds: 50)
  let isReaped = child.reap()
  #expect(!hasEnded && !isReaped)
  child.closeInput()
  let status = try end(of: &child)
  // Its status is kept.
  let isReapedStill = child.reap()
  #expect(status == 0 && isReapedStill)
}

@Test func child_thatEndsByItself_tellsHow() throws {
  var child = try ChildProcess.start("sh", ["-c", "exit 7"])
  let status = try end(of: &child)
  var killed = try ChildProcess.start("sh", ["-c", "kill -9 $$"])
  let signal = try end(of: &killed)
  #expect(status == 7 && signal == 137)
}

@Test func child_ofAProcessThatBlocksSignals_hasThemOpenAndAGroupOfItsOwn() throws {
  // The loop blocks and ignores signals of this thread and of this process.
  let loop = try EventLoop()
  let script = """
    read -r process name state parent group rest </proc/$$/stat
    test "$group" = $$ && kill -TERM $$; exit 1
    """
  var child = try ChildProcess.start("sh", ["-c", script])
  let status = try end(of: &child)
  #expect(status == 143)
  _ = consume loop
}

@Test func child_thatIsNotThere_saysSo() {
  var found: SystemError?
  do throws(SystemError) { _ = try ChildProcess.start("no-such-program", []) } catch {
    found = error
  }
  #expect(found == SystemError(call: "posix_spawn", path: "no-such-program", errno: .noSuchFile))
}
