import Bells
import Glibc
import Testing
import Ticks
import TimedCard

@testable import ALSAOutput

private func losses(_ reports: [AudioReport]) -> [ALSAOutputError] {
  reports.compactMap { if case .lost(let error, _) = $0 { error } else { nil } }
}

private func isOpened(_ report: AudioReport) -> Bool {
  if case .opened = report { true } else { false }
}

private let noCards = SoundSystem(processes: "/nowhere", nodes: "/nowhere")

/// Drivers that do not return.
@Suite struct StuckTests {
  init() { _ = Recorder.folder }

  @Test func opening_thatDoesNotReturnWithABellDue_isToldInTimeAndSoIsItsReturn() throws {
    let card = Card("hung")
    card.state.pointee.opening_ns = 2_500_000_000
    let thread = try AudioThread(
      outputs: [card.output], sounds: [shortTone], settings: brief, system: noCards)
    let begin = bootTime()
    let due = begin + .milliseconds(600)
    thread.warm()
    thread.send(plan: [strike(1, at: due)])
    #expect(thread.nextDeadline == due)
    let lost = reports(
      of: thread, until: { if case .lost = $0 { true } else { false } }, within: .seconds(4))
    #expect(losses(lost) == [.stuck(name: "hw:CARD=hung")])
    let told = bootTime()
    #expect(told - due > .milliseconds(400) && told - due < .milliseconds(1_200))
    let news = reports(of: thread, until: { !outcomes([$0]).isEmpty }, within: .seconds(4))
    #expect(news.contains(where: isOpened))
    #expect(outcomes(news) == [.late])
    #expect(thread.nextDeadline == nil)
    try thread.stop()
  }

  @Test func writing_thatGoesOnAfterAStop_isToldAsOpenedAgain() throws {
    let card = Card("halting")
    let thread = try AudioThread(
      outputs: [card.output], sounds: [shortTone], settings: brief, system: noCards)
    let begin = bootTime()
    let due = [begin + .milliseconds(700), begin + .milliseconds(1_900)]
    thread.send(plan: [strike(1, at: due[0]), strike(2, at: due[1])])
    _ = reports(of: thread, until: { outcomes([$0]) == [.rung] }, within: .seconds(4))
    card.state.pointee.writing_ns = 2_000_000_000
    _ = wait(within: .seconds(1)) { card.state.pointee.writing_ns == 0 }
    let news = reports(of: thread, until: isOpened, within: .seconds(5))
    #expect(losses(news) == [.stuck(name: "hw:CARD=halting")])
    #expect(news.contains(where: isOpened))
    #expect(card.state.pointee.openings == 1)
    try thread.stop()
  }

  @Test func cause_thatCannotBeLookedUp_keepsNobodyWaiting() throws {
    let card = Card("locked")
    card.state.pointee.busy_until_ns = .max
    let stand = try SystemStand(cards: [(1, "locked", "USB-Audio", "A DAC")])
    let status = "proc/asound/card1/pcm0p/sub0/status"
    stand.block(status)
    let thread = try AudioThread(
      outputs: [card.output], sounds: [shortTone], settings: brief, system: stand.system)
    thread.warm()
    var longest = Span.zero
    var told: [AudioReport] = []
    let begin = bootTime()
    while told.isEmpty, bootTime() - begin < .seconds(2) {
      // Without a reader there is nobody to let go: the end of it all if it waits after all.
      if bootTime() - begin > .milliseconds(1_500) { stand.unblock(status) }
      let before = bootTime()
      told += thread.takeReports()
      longest = max(longest, bootTime() - before)
      usleep(5_000)
    }
    #expect(losses(told) == [.busy(name: "hw:CARD=locked", holder: nil)])
    #expect(longest < .milliseconds(50))
    #expect(bootTime() - begin < .milliseconds(700))
    try thread.stop()
    stand.unblock(status)
  }

  @Test func lookUp_whileItIsStuck_takesAsManyQuestionsAsItHasRoomFor() throws {
    let stand = try SystemStand(cards: [(1, "DAC", "USB-Audio", "A DAC")])
    let status = "proc/asound/card1/pcm0p/sub0/status"
    stand.block(status)
    let news = try NewsSignal()
    let lookUp = LookUp(on: stand.system, news: news)
    let busy = LookUp.Question.fault(
      name: "hw:CARD=DAC", ALSAFault(call: .open, code: EBUSY))
    #expect(lookUp.ask(0, busy))
    usleep(100_000)
    for number in 1...LookUp.capacity { #expect(lookUp.ask(number, busy)) }
    #expect(!lookUp.ask(9, busy))
    #expect(lookUp.takeAnswers().isEmpty)
    var numbers: [Int] = []
    let isDone = wait(within: .seconds(3)) {
      stand.unblock(status)
      numbers += lookUp.takeAnswers().map(\.number)
      return numbers.count == 1 + LookUp.capacity
    }
    #expect(isDone && numbers == Array(0...LookUp.capacity))
  }

  @Test func threadThatWaits_opensNothingBeforeItBegins_andOneThatIsLeftSaysWhenItHasEnded() throws
  {
    let card = Card("passed")
    let old = try AudioThread(
      outputs: [card.output], sounds: [longTone], settings: brief, system: noCards)
    old.send(plan: [strike(1, at: bootTime() + .milliseconds(300))])
    _ = reports(of: old, until: { !outcomes([$0]).isEmpty }, within: .seconds(4))
    usleep(300_000)
    let new = try AudioThread(
      outputs: [card.output], sounds: [shortTone], settings: brief, isWaiting: true,
      system: noCards)
    new.warm()
    let due = bootTime() + .milliseconds(700)
    new.send(plan: [strike(2, at: due)])
    old.finish()
    #expect(!old.hasEnded)
    #expect(wait(within: .seconds(1)) { old.hasEnded })
    #expect(card.state.pointee.opening_attempts == 1 && card.state.pointee.is_open == 0)
    new.begin()
    let news = reports(of: new, until: { !outcomes([$0]).isEmpty }, within: .seconds(4))
    #expect(outcomes(news) == [.rung] && losses(news).isEmpty)
    try old.stop()
    try new.stop()
  }

  @Test func threadThatWaits_endsWithoutHavingBegun() throws {
    let card = Card("unbegun")
    let thread = try AudioThread(
      outputs: [card.output], sounds: [shortTone], isWaiting: true, system: noCards)
    thread.warm()
    usleep(100_000)
    try thread.stop(within: .milliseconds(500))
    #expect(card.state.pointee.opening_attempts == 0)
  }
}
