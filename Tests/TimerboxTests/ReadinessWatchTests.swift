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

private func warm(_ watch: inout ReadinessWatch, at now: Instant, nextBell: Instant? = nil) -> Bool
{
  watch.warm(at: now, nextBell: nextBell)
}

@Test func readiness_ofAnOutputThatIsHeld_isItsQueue() {
  var watch = ReadinessWatch()
  watch.open(opening(ready: 100), offset: .zero)
  #expect(watch.readiness == .open(from: at(100), latency: .milliseconds(100)))
  watch.open(opening(ready: 100, bufferFrames: 96_000), offset: .zero)
  #expect(watch.readiness == .open(from: at(100), latency: .milliseconds(100)))
}

@Test func readiness_ofAHeldOutputThatIsWarmed_isWhatItWasBefore() {
  var watch = ReadinessWatch()
  watch.open(opening(ready: 100), offset: .zero)
  #expect(!warm(&watch, at: at(5_000)))
  #expect(!warm(&watch, at: at(15_499)))
  #expect(watch.readiness.earliestStrike(at: at(50)) == at(150))
  #expect(watch.readiness.earliestStrike(at: at(15_500)) == at(15_600))
}

@Test func readiness_ofAnOutputShortlyBeforeABell_isThatOfALongQueue() {
  var watch = ReadinessWatch()
  watch.open(opening(ready: 100), offset: .zero)
  #expect(!warm(&watch, at: at(6_000), nextBell: at(7_201)))
  #expect(warm(&watch, at: at(6_000), nextBell: at(7_200)))
  #expect(watch.readiness == .open(from: at(6_200), latency: .milliseconds(100)))
}

@Test func readiness_ofAClosedOutputThatIsWarmed_isItsLeadIn() {
  var watch = ReadinessWatch()
  #expect(!warm(&watch, at: at(0)))
  #expect(watch.readiness == .absent)
  watch.close(OutputTraits(leadIn: .seconds(2)))
  #expect(watch.readiness == .closed(leadIn: .milliseconds(2_060)))
  #expect(warm(&watch, at: at(1_000)))
  #expect(watch.readiness == .open(from: at(3_060), latency: .milliseconds(100)))
  watch.open(opening(ready: 3_010), offset: .zero)
  #expect(watch.readiness == .open(from: at(3_010), latency: .milliseconds(100)))
  watch.lose()
  #expect(watch.readiness == .absent)
}

@Test func readiness_ofAnOutputThatIsHeardLater_isSoMuchLater() {
  var watch = ReadinessWatch()
  watch.close(OutputTraits(leadIn: .seconds(2), offset: .milliseconds(250)))
  #expect(watch.readiness == .closed(leadIn: .milliseconds(2_310)))
  #expect(warm(&watch, at: at(1_000)))
  #expect(watch.readiness == .open(from: at(3_310), latency: .milliseconds(350)))
  watch.open(opening(ready: 3_260), offset: .milliseconds(-40))
  #expect(watch.readiness == .open(from: at(3_260), latency: .milliseconds(60)))
  #expect(!warm(&watch, at: at(6_000), nextBell: at(7_161)))
  #expect(warm(&watch, at: at(6_000), nextBell: at(7_160)))
  #expect(watch.readiness == .open(from: at(6_160), latency: .milliseconds(60)))
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
