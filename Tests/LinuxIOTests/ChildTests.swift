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
