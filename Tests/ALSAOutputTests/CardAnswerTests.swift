import ALSAOutput
import Bells
import Glibc
import Testing
import Ticks
import TimedCard

/// The longest that an answer to a hand may take, from the order to its frame (issue 4).
private let longest = Span.milliseconds(120)

/// A tail, a hundredth as loud as the tap below.
private let tail = Sound(
  name: "tail", source: "a test",
  partials: [
    Partial(frequencyHertz: 300, decaySeconds: 100, level: 1, beatHertz: 0, pairRatio: 0)
  ], onsetSeconds: 0.005, amplitude: 0.002)

/// An answer: full at once, and gone in 60 ms.
private let tap = Sound(
  name: "tap", source: "a test",
  partials: [
    Partial(frequencyHertz: 2_000, decaySeconds: 0.02, level: 1, beatHertz: 0, pairRatio: 0)
  ], onsetSeconds: 0.0005, amplitude: 0.2)

extension Card {
  /// When each sound that rises above a level, as of full scale, began to be heard.
  fileprivate func onsets(above level: Double) -> [Instant] {
    let least = Int32(level * 2_147_483_647)
    var found: [Instant] = []
    var last = -1_000_000
    for (frame, sample) in heard().enumerated() where sample.magnitude > least.magnitude {
      if frame - last > state.pointee.rate / 10 { found.append(time(of: frame)) }
      last = frame
    }
    return found
  }
}

/// Orders twelve answers at all places between two refills, and says when each was ordered.
private func order(_ thread: AudioThread) -> [Instant] {
  let promised = Playback<ALSADevice, Mixer>.latencySpan
  return (0..<12).map { index in
    usleep(250_000 + UInt32(index) * 7_300)
    let now = bootTime()
    // As soon as can be, and when the box is told that it can be.
    let due = index % 2 == 0 ? now : now + promised
    let answer = Strike(
      number: UInt32(100 + index), sound: 1, due: due, gain: 1, isAnswer: true)
    thread.send(plan: [answer])
    return now
  }
}

private func expectEachWithin(
  _ span: Span, _ onsets: [Instant], _ orders: [Instant],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(onsets.count == orders.count, sourceLocation: sourceLocation)
  for (onset, order) in zip(onsets, orders) {
    #expect(onset > order && onset - order <= span, sourceLocation: sourceLocation)
  }
}

/// How soon a cue is heard, through libasound, on cards that keep time.
@Suite struct CardAnswerTests {
  init() { _ = Recorder.folder }

  private func thread(on card: Card) throws -> AudioThread {
    try AudioThread(
      outputs: [
        OutputRequest(
          name: "hw:CARD=\(card.id)", leadIn: .milliseconds(50), keepAlive: .always)
      ], sounds: [tail, tap], settings: brief)
  }

  @Test func cue_onAHeldDevice_isHeardWithin120msOfItsOrder() throws {
    let card = Card("held")
    card.state.pointee.quantum_frames = 480
    let thread = try thread(on: card)
    usleep(1_000_000)
    let orders = order(thread)
    usleep(300_000)
    try thread.stop()
    expectEachWithin(longest, card.onsets(above: 0.02), orders)
    #expect(card.state.pointee.underruns == 0)
  }

  @Test func cue_whileATailRings_isHeardWithin120msOfItsOrder() throws {
    let card = Card("tail")
    let thread = try thread(on: card)
    let bell = bootTime() + .milliseconds(1_200)
    thread.send(plan: [strike(1, at: bell)])
    usleep(1_500_000)
    let orders = order(thread)
    usleep(300_000)
    try thread.stop()
    expectEachWithin(longest, card.onsets(above: 0.02), orders)
    // The tail was there, on time and without a gap.
    #expect(card.onsets.count == 1)
    #expect(greatestError(card.onsets, [bell]) <= 1)
    #expect(card.state.pointee.underruns == 0)
  }
}
