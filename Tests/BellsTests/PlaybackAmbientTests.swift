import Bells
import Testing
import Ticks

/// The loudest frame that left in a span.
private func peak(_ card: SimulatedCard, _ from: Instant, _ to: Instant) -> Float {
  card.heard.reduce(Float(0)) {
    $1.instant >= from && $1.instant < to ? max($0, $1.level) : $0
  }
}

/// Sound under a sit, as far as the device's life is concerned, with the instrument that is heard.
@Suite struct PlaybackAmbientTests {
  @Test func ambient_onADeviceThatWasClosedForLong_fadesIn() {
    var stage = Stage()
    stage.card.now = milliseconds(600_000)
    stage.playback.setAmbient(.rain, now: stage.card.now)
    stage.step()
    stage.run(for: .seconds(6))
    let start = milliseconds(600_000)
    let first = peak(stage.card, start, start + .milliseconds(400))
    let full = peak(stage.card, start + .seconds(5), start + .seconds(6))
    #expect(full > 0.02)
    #expect(first < full / 10)
  }

  @Test func finish_underAmbientSound_isSilentAndClosedWithinHalfASecond() {
    var stage = Stage()
    stage.playback.setAmbient(.rain, now: .zero)
    stage.step()
    stage.run(until: milliseconds(6_000))
    stage.playback.finish()
    stage.step()
    stage.run(until: milliseconds(6_700))
    #expect(!stage.card.isOpen)
    #expect(stage.reports == ["opened 48000", "closed"])
    #expect(stage.wake == nil)
    // It went away, and was not cut: the last 30 ms that sounded are soft.
    let last = stage.card.heard.last { $0.level > 0 }?.instant ?? .zero
    #expect(peak(stage.card, last - .milliseconds(30), last) < 0.005)
    #expect(peak(stage.card, last - .seconds(1), last - .milliseconds(400)) > 0.02)
  }

  @Test func ambient_endedInAnOrdinaryWay_fadesOverSeconds() {
    var stage = Stage()
    stage.playback.setAmbient(.rain, now: .zero)
    stage.step()
    stage.run(until: milliseconds(6_000))
    stage.playback.setAmbient(nil, now: stage.card.now)
    stage.step()
    stage.run(until: milliseconds(9_000))
    #expect(peak(stage.card, milliseconds(7_000), milliseconds(8_000)) > 0.01)
    stage.run(until: milliseconds(14_000))
    #expect(!stage.card.isOpen)
  }
}
