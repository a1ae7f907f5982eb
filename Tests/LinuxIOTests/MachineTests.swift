import Testing
import Ticks

@testable import LinuxIO

@Suite struct MachineTests {
  @Test func clocks_read_runForwards() {
    let first = Clock.bootTime()
    let second = Clock.bootTime()
    #expect(first > .zero)
    #expect(second >= first)
    #expect(Clock.monotonic() > 0)
    // 2020-01-01: a machine that builds this is later.
    #expect(Clock.wall() > 1_577_836_800 * 1_000_000_000)
    _ = Clock.wallIsKnown()
  }

  @Test func clocks_aStampOfTheMonotonicClock_liesBetweenTwoOfTheBootClock() {
    let before = Clock.bootTime()
    let stamp = Clock.monotonic()
    let converted = Clock.bootTime(ofMonotonic: stamp)
    let after = Clock.bootTime()
    // The two clocks are not read at one instant; a preempted thread may be late by much, so only
    // the order with a margin is claimed.
    #expect(converted >= before - .milliseconds(50))
    #expect(converted <= after + .milliseconds(50))
  }

  @Test func machine_identity_isThere() throws {
    #expect(try Machine.bootIdentity().utf8.count == 36)
    #expect(try Machine.bootIdentity() == Machine.bootIdentity())
    #expect(try !Machine.hostName().isEmpty)
    let random = try Machine.random(count: 16)
    #expect(random.count == 16)
    #expect(try random != Machine.random(count: 16))
    #expect(Machine.environment("TIMERBOX_NO_SUCH_VARIABLE") == nil)
    #expect(Machine.environment("PATH") != nil)
  }

  @Test(arguments: [
    ("/usr/share/zoneinfo/Asia/Seoul", "Asia/Seoul"),
    ("../usr/share/zoneinfo/Etc/UTC", "Etc/UTC"),
    (":Europe/Paris", "Europe/Paris"),
    (":/usr/share/zoneinfo/America/Indiana/Knox", "America/Indiana/Knox"),
  ])
  func zone_path_leadsToItsName(path: String, name: String) {
    #expect(Machine.zoneName(inPath: path) == name)
  }

  @Test func zone_pathWithoutZones_hasNoName() {
    #expect(Machine.zoneName(inPath: "/etc/localtime") == nil)
    #expect(Machine.zoneName(inPath: "/usr/share/zoneinfo") == nil)
    #expect(!Machine.zoneName().isEmpty)
  }

  @Test func thread_run_sharesItsWorkAndIsJoined() throws {
    let signal = try EventSignal()
    let lent = signal.lent
    let thread = try Thread(name: "tick") {
      // The box's own descriptor, lent: the test joins before it ends.
      _ = try? lent.writeAll([1, 0, 0, 0, 0, 0, 0, 0])
    }
    check(signal.wait(timeoutMilliseconds: 5_000))
    thread.join()
    check(!signal.clear())
  }

  @Test func thread_named_isNamedInTheKernel() throws {
    let named = try EventSignal()
    let done = try EventSignal()
    let (tell, go) = (named.lent, done.lent)
    let thread = try Thread(name: "bell-ringer") {
      let name = try? Files.readWhole("/proc/thread-self/comm", limit: 32)
      let mask = try? Files.readWhole("/proc/thread-self/status", limit: 8_192)
      let text = String(decoding: mask ?? [], as: UTF8.self)
      // SIGTERM is bit 14 of the mask of blocked signals.
      let blocked = text.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
      let bits = blocked.flatMap { UInt64($0.dropFirst(7).drop { $0 == "\t" }, radix: 16) } ?? 0
      let good = name == Array("bell-ringer\n".utf8) && bits & (1 << 14) != 0
      _ = try? (good ? tell : go).writeAll([1, 0, 0, 0, 0, 0, 0, 0])
    }
    thread.join()
    check(named.clear())
    check(!done.clear())
  }
}
