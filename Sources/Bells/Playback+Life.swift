import Ticks

// Opening, recovering, losing, holding and closing the device.
extension Playback where Device: ~Copyable, Player: ~Copyable {
  var isImmediate: Bool { settings.queue == .immediate }

  /// Whether the wanted output is to be open though nothing is to sound. One that is fallen back on
  /// never is: it is left as soon as it is silent, and then the wanted one is tried.
  func isHeld(by traits: OutputTraits) -> Bool {
    guard !isFinishing else { return false }
    switch traits.keepAlive {
    case .never: return false
    case .sit: return isSitting
    case .always: return true
    }
  }

  /// Opens the first of these outputs that will, or else rests.
  /// - Parameter isNeeded: whether something is to sound.
  mutating func open(_ outputs: Range<Int>, isNeeded: Bool, _ now: Instant) -> Instant? {
    for candidate in outputs {
      do throws(Device.Failure) {
        try open(candidate, now)
        // It is looked at early once, since one that does not play is found out by that.
        let look = PlaybackPace.leastSpan(of: span(of: queueFrames))
        return isImmediate ? stepOpen(now) : wake(now + look, now)
      } catch {
        device.close()
        if candidate == 0 { isWantedKnown = false }
        report(.lost(error, output: candidate))
      }
    }
    phase = .lost
    watch.rest(now, isNeeded: isNeeded)
    return retryOrMiss
  }

  private mutating func open(_ candidate: Int, _ now: Instant) throws(Device.Failure) {
    let format = try device.open(candidate)
    if candidate != output || format.rateHertz != clock.rateHertz {
      clock.begin(rateHertz: format.rateHertz)
    }
    passUnheard(until: now)
    output = candidate
    traits = device.traits(of: candidate)
    player.retune(rateHertz: format.rateHertz)
    bufferFrames = max(1, min(format.bufferFrames, Int(frames(in: .seconds(2)))))
    closeAt = nil
    // How long opening took is not known here: what is filled in is silence, and the status of
    // the running stream tells the time. No more than must be: a strike may be waiting.
    let silence = frames(in: max(traits.leadIn, PlaybackPace.held.queueSpan))
    try begin(.opening, with: .silence, frames: min(silence, queueFrames), now)

    var start = now
    if case .running(let nextFrame, let told, _) = try device.status() {
      let queued = believable(told)
      start = nextFrame - span(of: queued)
      clock.restart(frame: written - Int64(queued), at: start)
      passUnheard(until: nextFrame)
    }
    cursor = clock.instant(of: rendered)
    leadInEnd = start + traits.leadIn
    report(
      .opened(Opening(output: candidate, format: format, ready: leadInEnd + traits.offset)))
  }

  /// Fills and starts a stream that is prepared.
  private mutating func begin(
    _ phase: Phase, with filling: Filling, frames: Int, _ now: Instant
  ) throws(Device.Failure) {
    self.phase = phase
    pending = 0..<0
    rendered = 0
    silentSince = nil
    clock.restart(frame: 0, at: now)
    if !isImmediate { try fill(with: filling, frames: frames) }
    try device.start()
    watch.begin(now)
  }

  /// Goes on after the stream has stopped, with what is due now.
  mutating func recover(_ now: Instant) throws(Device.Failure) -> Instant? {
    guard watch.mayRecover() else { return lose(.stalled(output: output), now) }
    try device.prepare()
    passUnheard(until: now)
    cursor = now
    try begin(.recovering, with: closeAt == nil ? .sound : .silence, frames: queueFrames, now)
    return isImmediate ? now + PlaybackPace.periodSpan : wake(closeAt, now)
  }

  /// Gives the output up, for the next one if something is to sound.
  mutating func lose(_ news: PlaybackReport<Device.Failure>, _ now: Instant) -> Instant? {
    device.close()
    closeAt = nil
    pending = 0..<0
    watch.lost()
    if output == 0 { isWantedKnown = false }
    report(news)
    phase = .closed
    guard !isFinishing else { return nil }
    let isNeeded = isSoundNeeded(now)
    let next = isNeeded ? output + 1 : device.outputCount
    return open(next..<device.outputCount, isNeeded: isNeeded, now)
  }

  /// Decides whether the device is still needed, after a refill.
  mutating func settle(_ now: Instant) -> Instant? {
    if let closeAt { return now < closeAt ? wake(closeAt, now) : close(now) }
    let isSoon = neededFrom.map { $0 <= cursor + settings.hold } ?? false
    let isNeeded = isSoon || !player.isSilent || !pending.isEmpty
    if watch.hasMoved || isImmediate {
      phase = cursor < leadInEnd ? .leadingIn : isNeeded ? .running : .holding
    }
    if isNeeded || output == 0 && isHeld(by: traits) {
      silentSince = nil
      return wake(nil, now)
    }
    let since = silentSince ?? cursor
    silentSince = since
    let least = isImmediate ? Span.zero : PlaybackPace.periodSpan
    let until = since + max(least, isFinishing ? .zero : settings.hold)
    guard now >= until else { return wake(until, now) }
    guard settings.quiet > .zero else { return close(now) }
    // Whoever needs the device now waits for the next opening: the amplifier is being switched off.
    report(.closing)
    let end = now + settings.quiet
    closeAt = end
    return wake(end, now)
  }

  private mutating func close(_ now: Instant) -> Instant? {
    if output == 0 { isWantedKnown = watch.hasMoved || isImmediate }
    device.close()
    closeAt = nil
    phase = .closed
    watch.lost()
    watch.forgive()
    report(.closed)
    return isHeld(by: device.traits(of: 0)) ? now : neededFrom
  }

  // MARK: Waking up

  /// How far ahead frames are handed over now. An answer is no reason for more: the next one would
  /// have to wait behind it.
  var pace: PlaybackPace {
    if let bell = schedule.firstBell, frameTime(of: bell) <= cursor + Playback.nearSpan {
      return .due
    }
    return player.isSilent ? .held : .ringing
  }

  /// How many frames are to be queued now.
  var queueFrames: Int { min(frames(in: pace.queueSpan), bufferFrames) }

  /// When to wake: at an instant, or before it for what must be done while the device runs.
  func wake(_ instant: Instant?, _ now: Instant) -> Instant? {
    guard isImmediate else {
      let refill = now + refillSpan(now)
      return instant.map { min($0, refill) } ?? refill
    }
    var wake = instant
    func consider(_ other: Instant) { wake = wake.map { min($0, other) } ?? other }
    if closeAt == nil {
      if let strike = schedule.first { consider(frameTime(of: strike)) }
      if let warmUntil { consider(warmUntil) }
      if !player.isSilent { consider(cursor + span(of: player.soundingFrames)) }
    }
    return wake.map { max($0, now + Span(nanoseconds: 1)) }
  }

  /// How long a wake-up may wait: not until what is queued has left, though it may be less than
  /// what the pace asks; but a device that takes nothing is not asked all the time.
  private func refillSpan(_ now: Instant) -> Span {
    let full = span(of: queueFrames)
    let usual = pace.refillSpan(of: full, count: watch.count)
    let queued = PlaybackPace.held.refillSpan(of: cursor - now, count: watch.count)
    return max(min(usual, queued), min(usual, PlaybackPace.leastSpan(of: full)))
  }

  /// When lost outputs are tried again, or a strike becomes overdue before that, or something is to
  /// sound that nothing was tried for.
  var retryOrMiss: Instant {
    var next = watch.retryAt
    if !watch.wasNeeded, let neededFrom { next = min(next, neededFrom) }
    if let strike = schedule.first { next = min(next, limit(of: strike)) }
    return next
  }
}
