import Testing
import Ticks

@testable import LinuxIO

// One loop at a time: each takes the process's signals for itself.
@Suite(.serialized) struct EventLoopTests {
  @Test func loop_nothingDue_reportsNothing() throws {
    var loop = try EventLoop()
    check(try loop.wait(blocking: false), is: [])
    try loop.setDeadline(Clock.bootTime() + .hours(1))
    check(try loop.wait(blocking: false), is: [])
    try loop.setDeadline(nil)
    check(try loop.wait(blocking: false), is: [])
  }

  @Test func deadline_ahead_isDueNotBeforeAndOnce() throws {
    var loop = try EventLoop()
    let due = Clock.bootTime() + .milliseconds(20)
    try loop.setDeadline(due)
    try loop.setDeadline(due)
    check(try loop.wait(blocking: false), is: [])
    check(try loop.wait(), is: [.deadline])
    let now = Clock.bootTime()
    #expect(now >= due)
    // Loose: a loaded machine may hold the thread back for long.
    #expect(now < due + .seconds(5))
    check(try loop.wait(blocking: false), is: [])
  }

  @Test(arguments: [Instant.zero, Instant(nanoseconds: -5), Instant(nanoseconds: 1)])
  func deadline_past_isDueAtOnceAndAgainWhenSetAgain(past: Instant) throws {
    var loop = try EventLoop()
    try loop.setDeadline(past)
    check(try loop.wait(), is: [.deadline])
    try loop.setDeadline(past)
    check(try loop.wait(), is: [.deadline])
  }

  @Test func deadline_movedLater_isNotDueAtTheOldInstant() throws {
    var loop = try EventLoop()
    try loop.setDeadline(Clock.bootTime() + .milliseconds(5))
    try loop.setDeadline(Clock.bootTime() + .hours(1))
    let signal = try EventSignal()
    try loop.register(signal.lent, token: 4)
    let pause = try EventSignal()
    check(!pause.wait(timeoutMilliseconds: 20))
    check(try loop.wait(blocking: false), is: [])
    signal.signal()
    check(try loop.wait(), is: [.ready(token: 4, readable: true, writable: false, hungUp: false)])
  }

  @Test func signal_givenTwice_wakesOnceAndIsCleared() throws {
    var loop = try EventLoop()
    let signal = try EventSignal()
    try loop.register(signal.lent, token: 0)
    signal.signal()
    signal.signal()
    let ready = [LoopEvent.ready(token: 0, readable: true, writable: false, hungUp: false)]
    check(try loop.wait(), is: ready)
    check(try loop.wait(blocking: false), is: ready)
    check(signal.clear())
    check(!signal.clear())
    check(try loop.wait(blocking: false), is: [])
    signal.signal()
    try loop.forget(signal.lent)
    check(try loop.wait(blocking: false), is: [])
  }

  @Test func descriptor_interestChanged_isReportedSo() throws {
    try withConnection { client, served in
      var loop = try EventLoop()
      try loop.register(served.lent, token: 7)
      check(try loop.wait(blocking: false), is: [])
      try loop.change(served.lent, token: 7, to: [.reading, .writing])
      check(
        try loop.wait(), is: [.ready(token: 7, readable: false, writable: true, hungUp: false)])
      try client.writeAll([9])
      try loop.change(served.lent, token: 7, to: .reading)
      check(
        try loop.wait(), is: [.ready(token: 7, readable: true, writable: false, hungUp: false)])
    }
  }
}

// The process's signals reach the loop only where every thread has them blocked, as in a program
// that makes its loop first. The test runner's threads came before, so a signal sent to the
// process could end it; these tests send one to the thread alone.
extension EventLoopTests {
  @Test func signals_sentToThisThread_areReported() throws {
    var loop = try EventLoop()
    for signal in [Signal.terminate, .interrupt, .hangUp, .windowSize, .stop] {
      raiseHere(signal)
      check(try loop.wait(), is: [.signal(signal)])
    }
    check(try loop.wait(blocking: false), is: [])
  }
}
