import ALSAOutput
import Bells
import Glibc
import Testing
import Ticks
import TimedCard

/// The greatest distance of an onset from its instant, in milliseconds.
private func greatestError(_ onsets: [Instant], _ due: [Instant]) -> Double {
  guard onsets.count == due.count else { return .infinity }
  return zip(onsets, due).map { abs(Double(($0 - $1).nanoseconds)) / 1e6 }.max() ?? .infinity
}

/// Through libasound, on a card that keeps time.
@Suite struct CardPlayingTests {
  init() { _ = Recorder.folder }

  @Test func bells_onACard_begin_withinAMillisecond_inOneOpening_rows3and8and40() throws {
    let card = Card("ten")
    card.state.pointee.quantum_frames = 48
    card.state.pointee.fifo_frames = 64
    let thread = try AudioThread(outputs: [card.output], sounds: [shortTone], settings: brief)
    let begin = bootTime() + .milliseconds(700)
    let due = (0..<10).map { begin + .milliseconds(210) * Int64($0) }
    thread.send(plan: due.enumerated().map { strike(UInt32($0.offset), at: $0.element) })
    let news = reports(of: thread, until: { $0 == .closed }, within: .seconds(8))
    #expect(outcomes(news) == Array(repeating: .rung, count: 10))
    #expect(greatestError(card.onsets, due) <= 1)
    #expect(card.state.pointee.opening_attempts == 1)
    #expect(card.state.pointee.openings == 1)
    #expect(card.state.pointee.configurations == 1)
    #expect(card.state.pointee.underruns == 0)
    try thread.stop()
  }
}
