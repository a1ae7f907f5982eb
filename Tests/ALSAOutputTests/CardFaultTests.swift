import ALSAOutput
import Bells
import Glibc
import Testing
import Ticks
import TimedCard

private func isLost(_ report: AudioReport) -> Bool {
  if case .lost = report { true } else { false }
}

private func losses(_ reports: [AudioReport]) -> [ALSAOutputError] {
  reports.compactMap { if case .lost(let error, _) = $0 { error } else { nil } }
}

/// A machine without a sound card of its own, whatever this one has.
private let noCards = SoundSystem(processes: "/nowhere", nodes: "/nowhere")

private func audioThread(
  on card: Card, _ sound: Sound, _ settings: PlaybackSettings
) throws -> AudioThread {
  try AudioThread(outputs: [card.output], sounds: [sound], settings: settings, system: noCards)
}

/// What part of the time a thread has worked, in percent.
private struct Load {
  let thread: Int64
  let begin = bootTime()
  let before: Span

  init(of thread: Int64) {
    self.thread = thread
    before = workingTime(of: thread)
  }

  var percent: Double {
    let work = Double((workingTime(of: thread) - before).nanoseconds)
    return 100 * work / Double((bootTime() - begin).nanoseconds)
  }
}

/// Cards that fail, through libasound.
@Suite struct CardFaultTests {
  init() { _ = Recorder.folder }

  @Test func card_unpluggedInMidTail_isPlayedAgainWhenItIsBack_withoutWork_row20() throws {
    try unplug("usb", for: .milliseconds(1_500))
  }

  /// As above, in its full length: set TIMERBOX_LONG.
  @Test(.enabled(if: getenv("TIMERBOX_LONG") != nil))
  func card_awayForHalfAMinute_isPlayedAgain_row20InFull() throws {
    try unplug("usb30", for: .seconds(30))
  }

  private func unplug(_ id: String, for span: Span) throws {
    let card = Card(id)
    let thread = try audioThread(on: card, longTone, brief)
    let first = bootTime() + .milliseconds(700)
    let second = first + .milliseconds(300) + span + .milliseconds(900)
    thread.send(plan: [strike(1, at: first), strike(2, at: second)])
    _ = reports(of: thread, until: { outcomes([$0]) == [.rung] }, within: .seconds(5))
    usleep(300_000)
    card.state.pointee.is_away = 1
    let lost = reports(of: thread, until: isLost, within: .seconds(2))
    #expect(losses(lost) == [.noCard(name: "hw:CARD=\(id)")])
    let load = Load(of: card.state.pointee.thread)
    usleep(UInt32(span.nanoseconds / 1_000))
    #expect(load.percent < 5)
    card.state.pointee.is_away = 0
    let heard = Int(card.state.pointee.heard_frames)
    thread.retry()
    let news = reports(
      of: thread, until: { outcomes([$0]).isEmpty == false }, within: .seconds(8))
    #expect(outcomes(news) == [.rung])
    usleep(300_000)
    try thread.stop()
    // The second strike adds to a tail that has rung on meanwhile.
    let samples = card.heard().dropFirst(heard).map { abs(Int($0)) }
    #expect((samples.max() ?? 0) > 150_000_000)
    #expect(card.state.pointee.openings == 2)
  }

  @Test func card_thatSaysAgainForEver_costsNothingAndMovesNothing_row21() throws {
    let card = Card("again")
    card.state.pointee.says_again = 1
    var settings = brief
    settings.latest = .milliseconds(500)
    let thread = try audioThread(on: card, shortTone, settings)
    let due = bootTime() + .milliseconds(1_000)
    thread.send(plan: [strike(1, at: due)])
    #expect(wait(within: .seconds(2)) { card.state.pointee.thread != 0 })
    let load = Load(of: card.state.pointee.thread)
    let news = reports(
      of: thread, until: { outcomes([$0]) == [.missed] }, within: .seconds(5))
    usleep(500_000)
    #expect(load.percent < 5)
    let strikes = news.compactMap { if case .strike(let report) = $0 { report } else { nil } }
    guard let report = strikes.last else {
      Issue.record("the strike was not missed")
      return
    }
    // It is given up when it was to be, whatever the card does.
    let late = report.started - due
    #expect(late >= .milliseconds(500) && late < .milliseconds(600))
    try thread.stop()
  }

  @Test func card_thatTakesNothingMoreInMidTail_costsNothing_row21() throws {
    let card = Card("full")
    let thread = try audioThread(on: card, longTone, brief)
    thread.send(plan: [strike(1, at: bootTime() + .milliseconds(700))])
    _ = reports(of: thread, until: { outcomes([$0]) == [.rung] }, within: .seconds(5))
    card.state.pointee.says_again = 1
    usleep(200_000)
    let load = Load(of: card.state.pointee.thread)
    usleep(2_000_000)
    #expect(load.percent < 5)
    try thread.stop()
  }

  @Test func card_heldByAnotherAroundABell_missesItAndRingsTheNext_row22() throws {
    try hold(
      "held", for: .seconds(2), bell: .seconds(1), next: .seconds(3), latest: .milliseconds(500))
  }

  /// As above, in its full length: set TIMERBOX_LONG.
  @Test(.enabled(if: getenv("TIMERBOX_LONG") != nil))
  func card_heldForTwentySeconds_ringsTheNext_row22InFull() throws {
    try hold(
      "held20", for: .seconds(20), bell: .seconds(10), next: .seconds(30), latest: .seconds(5))
  }

  private func hold(
    _ id: String, for span: Span, bell: Span, next: Span, latest: Span
  ) throws {
    let card = Card(id)
    let begin = bootTime()
    card.state.pointee.busy_until_ns = monotonic(begin + span)
    var settings = brief
    settings.latest = latest
    let thread = try audioThread(on: card, shortTone, settings)
    thread.send(plan: [strike(1, at: begin + bell), strike(2, at: begin + next)])
    let news = reports(
      of: thread, until: { outcomes([$0]) == [.rung] }, within: next + .seconds(5))
    #expect(outcomes(news) == [.missed, .rung])
    _ = reports(of: thread, until: { $0 == .closed }, within: .seconds(5))
    #expect(losses(news).first == .busy(name: "hw:CARD=\(id)", holder: nil))
    #expect(greatestError(card.onsets, [begin + next]) <= 1)
    try thread.stop()
  }

  @Test func card_suspendedInMidTail_ringsOn_row33() throws {
    let card = Card("asleep")
    let thread = try audioThread(on: card, shortTone, brief)
    let due = [700, 1_400].map { bootTime() + .milliseconds($0) }
    thread.send(plan: [strike(1, at: due[0]), strike(2, at: due[1])])
    _ = reports(of: thread, until: { outcomes([$0]) == [.rung] }, within: .seconds(5))
    usleep(300_000)
    card.state.pointee.suspends = 1
    let news = reports(of: thread, until: { $0 == .closed }, within: .seconds(5))
    #expect(outcomes(news) == [.rung])
    #expect(losses(news).isEmpty)
    #expect(card.state.pointee.starts == 2)
    #expect(greatestError(card.onsets, due) <= 1)
    #expect(thread.takeWarnings() == [.underruns(1)])
    try thread.stop()
  }

  @Test func card_thatStandsStill_isReopened_row39() throws {
    let card = Card("still")
    let thread = try audioThread(on: card, longTone, brief)
    let begin = bootTime()
    thread.send(plan: [strike(1, at: begin + .milliseconds(700))])
    _ = reports(of: thread, until: { outcomes([$0]) == [.rung] }, within: .seconds(5))
    card.state.pointee.stands_still = 1
    let news = reports(of: thread, until: isLost, within: .seconds(3))
    #expect(losses(news) == [.stalled(name: "hw:CARD=still")])
    card.state.pointee.stands_still = 0
    let again = reports(
      of: thread, until: { if case .opened = $0 { true } else { false } }, within: .seconds(3))
    #expect(!again.isEmpty)
    try thread.stop()
  }

  @Test func output_withoutAListener_isLeftForTheNext_row18() throws {
    let television = Card("dim")
    television.state.pointee.open_error = 524
    let card = Card("aside")
    let thread = try AudioThread(
      outputs: [television.output, card.output], sounds: [shortTone], settings: brief,
      system: noCards)
    let due = bootTime() + .milliseconds(700)
    thread.send(plan: [strike(1, at: due)])
    let news = reports(of: thread, until: { $0 == .closed }, within: .seconds(5))
    #expect(losses(news) == [.noListener(name: "hw:CARD=dim")])
    #expect(outcomes(news) == [.rung])
    #expect(television.state.pointee.opening_attempts == 1)
    #expect(greatestError(card.onsets, [due]) <= 1)
    try thread.stop()
  }

  @Test func card_thatComesAfterTheStart_ringsOnTime_row36() throws {
    let card = Card("slow")
    card.state.pointee.is_away = 1
    card.state.pointee.away_error = Int64(ENOENT)
    let thread = try audioThread(on: card, shortTone, brief)
    let due = bootTime() + .milliseconds(2_200)
    thread.warm()
    thread.send(plan: [strike(1, at: due)])
    let lost = reports(of: thread, until: isLost, within: .seconds(2))
    #expect(losses(lost) == [.noCard(name: "hw:CARD=slow")])
    usleep(1_000_000)
    card.state.pointee.is_away = 0
    let back = bootTime()
    thread.retry()
    _ = reports(
      of: thread, until: { if case .opened = $0 { true } else { false } }, within: .seconds(3))
    #expect(bootTime() - back < .milliseconds(200))
    let news = reports(
      of: thread, until: { outcomes([$0]).isEmpty == false }, within: .seconds(5))
    #expect(outcomes(news) == [.rung])
    usleep(200_000)
    try thread.stop()
    #expect(greatestError(card.onsets, [due]) <= 1)
  }
}
