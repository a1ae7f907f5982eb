import ALSAOutput
import Appliance
import Bells
import Testing
import Ticks

@testable import timerbox

private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

private func opening(ready: Int64, bufferFrames: Int = 9_600) -> Opening {
  Opening(
    output: 0, format: PCMFormat(rateHertz: 48_000, bufferFrames: bufferFrames), ready: at(ready))
}

private func warm(
  _ watch: inout ReadinessWatch, at now: Instant, nextStrike: Instant? = nil
) -> Bool {
  watch.warm(at: now, nextStrike: nextStrike)
}

@Test func readiness_ofAnOutputThatIsHeld_isItsQueueAndNotTheShortOne() {
  var watch = ReadinessWatch()
  watch.open(opening(ready: 100), at: at(0))
  #expect(watch.readiness == .open(from: at(100), latency: .milliseconds(200)))
  watch.open(opening(ready: 100, bufferFrames: 96_000), at: at(0))
  #expect(watch.readiness == .open(from: at(100), latency: .seconds(1)))
}

@Test func readiness_ofAHeldOutputThatIsWarmed_waitsForWhatIsQueued() {
  var watch = ReadinessWatch()
  watch.open(opening(ready: 100), at: at(0))
  #expect(warm(&watch, at: at(5_000)))
  #expect(watch.readiness == .open(from: at(5_200), latency: .milliseconds(60)))
  #expect(watch.readiness.earliestStrike(at: at(5_000)) == at(5_200))
  #expect(watch.readiness.earliestStrike(at: at(5_150)) == at(5_210))
  // It is warm for 10 s, and then its queue is long again.
  #expect(!warm(&watch, at: at(5_500)))
  #expect(!warm(&watch, at: at(15_499)))
  #expect(warm(&watch, at: at(25_499)))
  #expect(watch.readiness == .open(from: at(25_699), latency: .milliseconds(60)))
}

@Test func readiness_ofAWarmOutputShortlyBeforeABell_isThatOfALongQueue() {
  var watch = ReadinessWatch()
  watch.open(opening(ready: 100), at: at(0))
  _ = watch.warm(at: at(5_000), nextStrike: nil)
  #expect(!warm(&watch, at: at(6_000), nextStrike: at(7_201)))
  #expect(warm(&watch, at: at(6_000), nextStrike: at(7_200)))
  #expect(watch.readiness == .open(from: at(6_200), latency: .milliseconds(60)))
}

@Test func readiness_ofAClosedOutputThatIsWarmed_isItsLeadIn() {
  var watch = ReadinessWatch()
  #expect(!warm(&watch, at: at(0)))
  #expect(watch.readiness == .absent)
  watch.close(leadIn: .seconds(2))
  #expect(watch.readiness == .closed(leadIn: .milliseconds(2_060)))
  #expect(warm(&watch, at: at(1_000)))
  #expect(watch.readiness == .open(from: at(3_060), latency: .milliseconds(60)))
  watch.open(opening(ready: 3_010), at: at(1_010))
  #expect(watch.readiness == .open(from: at(3_010), latency: .milliseconds(60)))
  watch.lose()
  #expect(watch.readiness == .absent)
}

@Test func loss_ofAWantedOutput_isUnansweredUntilAnotherIsOpened() {
  let gone = ALSAOutputError.stalled(name: "hdmi")
  let lost = AudioReport.lost(gone, output: 0)
  let strike = AudioReport.strike(StrikeReport(number: 1, started: at(0), outcome: .missed))
  #expect(ReadinessWatch.unansweredLoss(in: [lost, strike], outputs: 2) == gone)
  #expect(ReadinessWatch.unansweredLoss(in: [lost, .opened(opening(ready: 0))], outputs: 2) == nil)
  #expect(ReadinessWatch.unansweredLoss(in: [lost, .lost(gone, output: 1)], outputs: 2) == nil)
  // The last of them is told by itself.
  #expect(ReadinessWatch.unansweredLoss(in: [lost], outputs: 1) == nil)
  #expect(ReadinessWatch.unansweredLoss(in: [], outputs: 2) == nil)
}
