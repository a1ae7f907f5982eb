import Bells
import Testing
import Ticks

private let frame = Span(nanoseconds: 20_834)

/// The greatest distance of the marks from the instants, and how many there are.
private func worst(_ marks: [Instant], _ due: [Instant]) -> Span {
  var worst = Span.zero
  for (mark, due) in zip(marks, due) {
    worst = max(worst, Span(nanoseconds: Int64((mark - due).nanoseconds.magnitude)))
  }
  return worst
}

private func metronome(
  _ card: SimulatedCard, ring: Span = .milliseconds(100), hold: Span = .zero
) -> Stage<Metronome> {
  card.isRecording = false
  return Stage(
    cards: [card], player: Metronome(card: card, ring: ring),
    settings: PlaybackSettings(hold: hold))
}

/// The bells of a day: each half an hour a sit of 25 minutes with three strikes at its beginning
/// and its end and one each five minutes, at odd instants.
private func day() -> [Instant] {
  var due: [Instant] = []
  for sit in Int64(0)..<48 {
    let start = Instant.zero + .minutes(1 + 30 * sit) + .microseconds(sit * 12_345)
    for strike in Int64(0)..<3 { due.append(start + .seconds(4 * strike)) }
    for minute in Int64(1)..<5 { due.append(start + .minutes(5 * minute)) }
    for strike in Int64(0)..<3 { due.append(start + .minutes(25) + .seconds(4 * strike)) }
  }
  return due
}

/// Plays instants as strikes, planned as a timer plans them: some ahead, anew after each.
private func play(_ due: [Instant], on stage: inout Stage<Metronome>) {
  var next = 0
  while next < due.count {
    let end = min(due.count, next + 8)
    stage.plan(
      (next..<end).map { Strike(number: UInt32($0), sound: 0, due: due[$0], gain: 1) })
    stage.run(until: due[next])
    next += 1
  }
  stage.run(for: .seconds(10))
}

@Suite struct PlaybackPrecisionTests {
  @Test(arguments: [-300.0, 0, 300])
  func day_ofSits_withACardThatDrifts_startsEachStrikeWithinAFrame(drift: Double) {
    let card = SimulatedCard()
    card.drift = drift
    var stage = metronome(card)
    let due = day()
    play(due, on: &stage)
    #expect(card.marks.count == due.count)
    print("drift", drift, worst(card.marks, due).nanoseconds, stage.wakeUps, card.opens)
    #expect(worst(card.marks, due) <= frame)
    #expect(stage.strikes.allSatisfy { $0.outcome == .rung })
  }

  @Test func firstStrike_ofACardThatIsNew_startsWithinAFrame() {
    var greatest = Span.zero
    for drift in [-300.0, -211, -100, 0, 57, 100, 300] {
      for phase in Int64(0)..<50 {
        let card = SimulatedCard()
        card.drift = drift
        card.openingSpan = .microseconds(phase * 1_371)
        var stage = metronome(card)
        let due = milliseconds(2_000 + phase * 13) + .microseconds(phase * 37)
        play([due], on: &stage)
        let off = worst(card.marks, [due])
        greatest = max(greatest, off)
      }
    }
    print("first", greatest.nanoseconds)
    #expect(greatest <= frame)
  }

  @Test(arguments: [0, 1_000])
  func pointer_thatMovesEach10ms_isSeenThroughOnceTheDeviceHasRun(jitterMicroseconds: Int64) {
    for drift in [-300.0, 0, 150, 300] {
      let card = SimulatedCard()
      card.drift = drift
      card.granularFrames = 480
      card.jitter = .microseconds(jitterMicroseconds)
      card.traits.keepAlive = .always
      var stage = metronome(card)
      stage.step()
      let due = (Int64(1)..<300).map { milliseconds($0 * 1_000 + $0 * 7) }
      play(due, on: &stage)
      #expect(card.marks.count == due.count)
      let early = worst(Array(card.marks.prefix(5)), Array(due.prefix(5)))
      let settled = worst(Array(card.marks.dropFirst(5)), Array(due.dropFirst(5)))
      print("granular", drift, jitterMicroseconds, early.nanoseconds, settled.nanoseconds)
    }
  }
}
