import Ticks

// Which strikes are for now, and what becomes of them.
extension Playback where Device: ~Copyable, Player: ~Copyable {
  /// When the first frame of a strike is to leave the open output.
  func frameTime(of strike: Strike) -> Instant {
    max(strike.due - traits.offset, leadInEnd)
  }

  /// When a closed device must be opened for what is known, if for anything.
  var neededFrom: Instant? {
    var needed = warmUntil.map { $0 - Playback.warmSpan }
    if let strike = schedule.first {
      let from = strike.due - openingLead
      needed = needed.map { min($0, from) } ?? from
    }
    return needed
  }

  /// How long before a strike a closed device must be opened: also for those to fall back on, while
  /// the wanted one is not known to play.
  private var openingLead: Span {
    var lead = openingLead(of: 0)
    for other in 1..<device.outputCount where !isWantedKnown {
      lead = max(lead, openingLead(of: other))
    }
    return lead
  }

  private func openingLead(of output: Int) -> Span {
    let traits = device.traits(of: output)
    if isImmediate { return traits.leadIn + traits.offset }
    return max(traits.leadIn, PlaybackPace.due.queueSpan) + traits.offset
      + Playback.openingSpan
  }

  /// Whether an output is needed for something that is to be heard.
  func isSoundNeeded(_ now: Instant) -> Bool {
    if isFinishing { return false }
    return !player.isSilent || neededFrom.map { $0 <= now } ?? false
  }

  /// From how late on a strike is not heard any more: what is on time is never too late.
  private var latest: Span { max(settings.latest, Playback.onTimeSpan + Span(nanoseconds: 1)) }

  /// Before when a strike must begin on an output that is still to be opened: one that is heard
  /// earlier than the card claims may be fed later.
  func limit(of strike: Strike) -> Instant {
    var early = Span.zero
    for output in 0..<device.outputCount {
      early = max(early, .zero - device.traits(of: output).offset)
    }
    return strike.due + latest + early
  }

  /// Gives up the strikes that are too late. An open device does so where it would place them.
  mutating func missOverdue(_ now: Instant) {
    while let strike = schedule.first, limit(of: strike) <= now {
      tell(schedule.begin(), .missed, at: now)
    }
  }

  /// Strikes the next strike on the next frame, which leaves at an instant; or misses it.
  mutating func begin(at leaving: Instant) {
    let strike = schedule.begin()
    let started = leaving + traits.offset
    guard started - strike.due < latest, !lateStrikes.stand(for: strike) else {
      return tell(strike, .missed, at: started)
    }
    player.strike(strike)
    let isLate = started - strike.due > Playback.onTimeSpan
    if isLate { lateStrikes.add(strike, startedAt: started) }
    tell(strike, isLate ? .late : .rung, at: started)
  }

  private mutating func tell(
    _ strike: Strike, _ outcome: StrikeReport.Outcome, at instant: Instant
  ) {
    report(
      .strike(StrikeReport(number: strike.number, started: instant, outcome: outcome)))
  }
}
