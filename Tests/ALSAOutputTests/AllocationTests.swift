import ALSAOutput
import Bells
import Glibc
import Testing
import Ticks
import TimedCard
import Witness

@Suite(.serialized) struct AllocationTests {
  init() { _ = Recorder.folder }

  @Test func audioThread_fromItsOpeningToItsClosing_allocatesNothing() throws {
    let card = Card("frugal")
    let own = Sound(
      name: "own/tone", source: "",
      recording: Recording(samples: [Int16](repeating: 2_000, count: 20_000), gain: 0.5))
    let thread = try AudioThread(
      outputs: [card.output], sounds: [longTone, shortTone, own] + Sound.catalogue, settings: brief)
    thread.warm()
    _ = reports(
      of: thread, until: { if case .opened = $0 { true } else { false } }, within: .seconds(3))
    witness_watch(card.state.pointee.thread)
    let looks = card.state.pointee.looks
    let begin = bootTime()
    thread.send(
      plan: (0..<12).map {
        strike(UInt32($0), at: begin + .milliseconds(200 + 60 * Int64($0)), sound: $0 % 4)
      })
    thread.set(Volumes(60))
    usleep(500_000)
    thread.set(sitting: true)
    thread.set(ambient: .rain)
    thread.set(Volumes(70))
    usleep(300_000)
    thread.set(ambient: .fire)
    thread.damp()
    usleep(100_000)
    // An underrun as one that the card makes: its crystal leaps.
    card.state.pointee.crystal_ppm = 900_000
    usleep(300_000)
    card.state.pointee.crystal_ppm = 0
    usleep(300_000)
    thread.set(ambient: nil)
    thread.set(sitting: false)
    let count = witness_count()
    witness_watch(0)
    #expect(count == 0)
    #expect(card.state.pointee.looks > looks + 20)
    #expect(card.state.pointee.underruns > 0)
    let news = thread.takeReports()
    #expect(outcomes(news).count == 12)
    guard case .underruns? = thread.takeWarnings().last else {
      Issue.record("the underruns were not told")
      return
    }
    try thread.stop()
  }

  @Test func witness_ofAThreadThatAllocates_countsIt() {
    witness_watch(witness_thread())
    let array = Array(repeating: 1, count: Int.random(in: 100...200))
    let count = witness_count()
    witness_watch(0)
    #expect(count > 0)
    #expect(array.count >= 100)
  }
}
