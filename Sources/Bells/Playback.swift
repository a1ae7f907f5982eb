import Ticks

/// The life of a sound card: opened ahead of a bell, led in, played, held, closed; recovered and
/// reopened when it fails. It knows no clock: `step` is called with the time, and says when next.
///
/// Invariants:
/// - Opening and recovering begin and end within one step, so the phases below are all there are.
/// - While the device runs, silence or sound has been handed over `queueSpan` ahead (or as far as
///   its buffer goes), so that a wake-up may come 80 ms late.
/// - A strike is placed on the frame that leaves at its instant. If that frame has been handed over
///   already, it takes the next one and is late; later than `latest` it is missed. A strike never
///   falls into the lead-in, but waits for its end, which is not counted against it. The schedule
///   goes on whatever the device does.
/// - Sound goes on in time while the device is away: on return it is heard from where it would be.
/// - Nothing here allocates after `init`, except what the device does when it opens.
public struct Playback<Device: PCM & ~Copyable, Player: Instrument & ~Copyable>: ~Copyable {
  /// Where the device is in its life.
  public enum Phase: Equatable, Sendable {
    /// Closed; nothing is needed of it yet.
    case closed
    /// It runs silence until the output is awake.
    case leadingIn
    /// Something rings, or will within moments.
    case running
    /// All that sounds has been handed over; it will be closed soon.
    case holding
    /// It failed and is tried again by and by.
    case lost
  }

  /// News that is waiting to be taken. When so many wait, further ones are dropped.
  public static var reportCapacity: Int { 64 }

  /// How far ahead frames are handed over. An unannounced strike waits this long at most.
  static var queueSpan: Span { .milliseconds(120) }
  /// How long a step lets the queue run down: 25 steps a second while the device is open.
  static var refillSpan: Span { .milliseconds(40) }
  /// How much earlier than the lead-in demands the device is opened, for slow openings.
  static var openingSpan: Span { .milliseconds(500) }
  /// How long a full queue may stand still before the device counts as stuck.
  static var stallSpan: Span { .seconds(1) }
  /// How long the device stays open after it was warmed, for the strike that a hand is about to
  /// ask.
  static var warmSpan: Span { .seconds(10) }
  /// How soon a lost device is tried again at first, doubled each time, and at most how seldom.
  static var retrySpans: (first: Span, last: Span) { (.milliseconds(100), .seconds(5)) }
  /// A strike that leaves within this of its instant is on time.
  static var punctualSpan: Span { .milliseconds(1) }
  /// After so many recoveries without a frame played in between, the device counts as lost.
  static var maximumRecoveries: Int { 10 }

  /// Where the device is.
  public private(set) var phase = Phase.closed
  /// How the output is to be treated; may be changed at any time.
  public var settings: PlaybackSettings
  /// The device.
  public private(set) var device: Device

  /// What sounds.
  public private(set) var player: Player
  private var schedule = StrikeSchedule()
  private var block: [Float]
  /// Frames of `block` that were rendered and not taken yet.
  private var pending = 0..<0
  private var reports: [PlaybackReport<Device.Failure>] = []
  private var takenReports = 0

  private var queueFrames = 0
  /// When the next frame to be rendered leaves.
  private var cursor = Instant.zero
  private var leadInEnd = Instant.zero
  private var silentSince: Instant?
  private var closeAt: Instant?
  private var warmUntil: Instant?
  private var retryAt = Instant.zero
  private var retrySpan = Playback.retrySpans.first
  private var movedAt = Instant.zero
  private var queuedBefore = 0
  private var recoveries = 0
  private var finishing = false
  private var isSitting = false

  /// Takes a closed device.
  public init(
    device: consuming Device, player: consuming Player,
    settings: PlaybackSettings = PlaybackSettings()
  ) {
    self.device = device
    self.player = player
    self.settings = settings
    block = Array(repeating: 0, count: 2 * 1_024)
    reports.reserveCapacity(Playback.reportCapacity)
  }

  // MARK: Orders

  /// Replaces the strikes known ahead; see `StrikeSchedule`. A step is due at once after it.
  public mutating func plan(_ strikes: [Strike]) {
    guard !finishing else { return }
    schedule.replace(with: strikes)
  }

  /// Sets the volumes.
  public mutating func setVolumes(_ volumes: Volumes) { player.setVolumes(volumes) }

  /// Sets what sounds under the bells from now on.
  public mutating func setAmbient(_ ambient: AmbientSound?) {
    guard !finishing else { return }
    player.setAmbient(ambient)
  }

  /// A sit has begun, preparation counted, or is over: for outputs that are held while one runs.
  public mutating func setSitting(_ isSitting: Bool) { self.isSitting = isSitting }

  /// Stops what rings as a hand does it; the strikes still to come stay planned.
  public mutating func damp() { player.damp() }

  /// Opens the device now and holds it for a while, since a hand is on the knob.
  public mutating func warm(now: Instant) {
    guard !finishing else { return }
    warmUntil = now + Playback.warmSpan
  }

  /// Tries a lost device again at the next step, since a card may have come.
  public mutating func retry() {
    retryAt = .zero
    retrySpan = Playback.retrySpans.first
  }

  /// Ends: drops the plan, damps what rings and closes as soon as that has been heard.
  public mutating func finish() {
    schedule.clear()
    player.damp()
    player.setAmbient(nil)
    warmUntil = nil
    finishing = true
  }

  /// The next news, oldest first.
  public mutating func takeReport() -> PlaybackReport<Device.Failure>? {
    guard takenReports < reports.count else {
      reports.removeAll(keepingCapacity: true)
      takenReports = 0
      return nil
    }
    takenReports += 1
    // Not `removeFirst`: for a type that is known at run time only, the library allocates there.
    return reports[takenReports - 1]
  }

  private mutating func report(_ news: PlaybackReport<Device.Failure>) {
    if reports.count < Playback.reportCapacity { reports.append(news) }
  }

  // MARK: Time

  /// Does what is due.
  /// - Parameter now: never earlier than before.
  /// - Returns: when to call again if nothing is ordered before; `nil` when nothing is to be done.
  public mutating func step(now: Instant) -> Instant? {
    missOverdue(now)
    switch phase {
    case .closed, .lost: return stepClosed(now)
    case .leadingIn, .running, .holding: return stepOpen(now)
    }
  }

  private mutating func missOverdue(_ now: Instant) {
    guard phase != .leadingIn else { return }
    while let strike = schedule.first, strike.due + settings.latest < now {
      miss(at: now)
    }
  }

  private mutating func miss(at instant: Instant) {
    let number = schedule.begin().number
    report(.strike(StrikeReport(number: number, started: instant, outcome: .missed)))
  }

  private var isImmediate: Bool { settings.queue == .immediate }

  /// When the device must be opened for what is known, if for anything.
  private var neededFrom: Instant? {
    var needed = warmUntil.map { $0 - Playback.warmSpan }
    if let strike = schedule.first {
      let leadIn = device.traits(of: 0).leadIn
      let ahead = isImmediate ? leadIn : max(leadIn, Playback.queueSpan) + Playback.openingSpan
      needed = needed.map { min($0, strike.due - ahead) } ?? strike.due - ahead
    }
    return needed
  }

  private mutating func stepClosed(_ now: Instant) -> Instant? {
    if let until = warmUntil, until <= now { warmUntil = nil }
    if !player.isSilent { passUnheard(until: now) }
    if player.isSilent || finishing, (neededFrom.map { $0 > now } ?? true) {
      phase = .closed
      return neededFrom
    }
    return phase == .lost && now < retryAt ? retryOrMiss : open(now)
  }

  /// When a lost device is tried again, or a strike becomes overdue before that.
  private var retryOrMiss: Instant {
    guard let strike = schedule.first else { return retryAt }
    return min(retryAt, strike.due + settings.latest + Span(nanoseconds: 1))
  }

  private mutating func stepOpen(_ now: Instant) -> Instant? {
    do throws(Device.Failure) {
      switch try device.status() {
      case .stopped:
        return try recover(now)
      case .running(let nextFrame, let queued, let room):
        if isImmediate {
          try pay(now, nextFrame: nextFrame, owed: min(room, -queued))
          return settle(now)
        }
        guard try refill(now, nextFrame: nextFrame, queued: queued, room: room) else {
          return lose(.stalled(output: 0), now)
        }
        return settle(now)
      }
    } catch {
      return lose(.lost(error, output: 0), now)
    }
  }

  // MARK: The device

  private mutating func open(_ now: Instant) -> Instant? {
    do throws(Device.Failure) {
      let format = try device.open(0)
      player.retune(rateHertz: format.rateHertz)
      queueFrames = min(frames(in: Playback.queueSpan), format.bufferFrames)
      // How long opening took is not known here: what is filled in is silence, and the status of
      // the running stream tells the time.
      if !isImmediate { try fill(with: .silence) }
      try device.start()

      guard case .running(let nextFrame, let queued, _) = try device.status() else {
        return try recover(now)
      }
      passUnheard(until: nextFrame)
      leadInEnd = nextFrame - span(of: max(0, queued)) + device.traits(of: 0).leadIn
      begin(.leadingIn, nextFrame: nextFrame, now)
      report(.opened(Opening(output: 0, format: format, ready: leadInEnd)))
      return isImmediate ? stepOpen(now) : now + refill
    } catch {
      return lose(.lost(error, output: 0), now)
    }
  }

  private mutating func begin(_ phase: Phase, nextFrame: Instant, _ now: Instant) {
    self.phase = phase
    cursor = nextFrame
    silentSince = nil
    movedAt = now
    queuedBefore = queueFrames
  }

  private mutating func recover(_ now: Instant) throws(Device.Failure) -> Instant? {
    recoveries += 1
    if recoveries > Playback.maximumRecoveries { return lose(.stalled(output: 0), now) }
    try device.prepare()
    pending = 0..<0
    passUnheard(until: now)
    cursor = now
    if !isImmediate { try fill(with: .sound) }
    try device.start()
    begin(phase == .leadingIn ? .leadingIn : .running, nextFrame: cursor, now)
    return now + refill
  }

  private mutating func lose(
    _ news: PlaybackReport<Device.Failure>, _ now: Instant
  ) -> Instant? {
    device.close()
    closeAt = nil
    pending = 0..<0
    recoveries = 0
    report(news)
    if finishing {
      phase = .closed
      return nil
    }
    phase = .lost
    retryAt = now + retrySpan
    retrySpan = min(retrySpan * 2, Playback.retrySpans.last)
    return retryOrMiss
  }

  /// Decides whether the device is still needed, after a refill.
  private mutating func settle(_ now: Instant) -> Instant? {
    if let closeAt { return now < closeAt ? earliest(closeAt, now) : close() }
    if let until = warmUntil, until <= now { warmUntil = nil }
    let soon = neededFrom.map { $0 <= cursor + settings.hold } ?? false
    if !player.isSilent || soon || !pending.isEmpty {
      silentSince = nil
      phase = cursor < leadInEnd ? .leadingIn : .running
      return earliest(nil, now)
    }
    let since = silentSince ?? cursor
    silentSince = since
    phase = .holding
    let until = finishing ? since : since + settings.hold
    guard now >= until else { return earliest(until, now) }
    guard settings.quiet > .zero else { return close() }
    // Whoever needs the device now waits for the next opening: the amplifier is being switched off.
    report(.closing)
    let end = now + settings.quiet
    closeAt = end
    return earliest(end, now)
  }

  /// When to wake: at an instant, or before it for what must be done while the device runs.
  private func earliest(_ instant: Instant?, _ now: Instant) -> Instant? {
    guard isImmediate else { return instant.map { min($0, now + refill) } ?? now + refill }
    var wake = instant
    func consider(_ other: Instant) { wake = wake.map { min($0, other) } ?? other }
    if closeAt == nil {
      if let strike = schedule.first { consider(max(strike.due, leadInEnd)) }
      if let warmUntil { consider(warmUntil) }
      if !player.isSilent { consider(cursor + span(of: player.soundingFrames)) }
    }
    return wake.map { max($0, now + Span(nanoseconds: 1)) }
  }

  private mutating func close() -> Instant? {
    device.close()
    closeAt = nil
    phase = .closed
    report(.closed)
    return neededFrom
  }

  /// How long to wait between refills, also for a device with a small buffer.
  private var refill: Span {
    min(Playback.refillSpan, Span(nanoseconds: span(of: queueFrames).nanoseconds / 3))
  }

  // MARK: Frames

  private enum Filling { case silence, sound }

  /// Fills a stream that does not run yet.
  private mutating func fill(with filling: Filling) throws(Device.Failure) {
    var left = queueFrames
    while left > 0 {
      if pending.isEmpty {
        pending = 0..<min(left, block.count / 2)
        switch filling {
        case .silence: for sample in 0..<(2 * pending.count) { block[sample] = 0 }
        case .sound: render(pending.count)
        }
      }
      let taken = try handOver(pending.count)
      if taken == 0 { return }
      left -= taken
    }
  }

  /// Writes pending frames, so many at most, and says how many were taken.
  private mutating func handOver(_ count: Int) throws(Device.Failure) -> Int {
    let offered = pending.lowerBound..<min(pending.upperBound, pending.lowerBound + count)
    let taken = try device.write(offered, of: block)
    pending = (pending.lowerBound + taken)..<pending.upperBound
    return taken
  }

  /// Tops the running queue up.
  /// - Returns: whether the stream moves.
  private mutating func refill(
    _ now: Instant, nextFrame: Instant, queued: Int, room: Int
  ) throws(Device.Failure) -> Bool {
    if queued != queuedBefore {
      movedAt = now
      retrySpan = Playback.retrySpans.first
      recoveries = 0
    }
    var left = min(room, queueFrames - queued)
    cursor = nextFrame + span(of: pending.count)
    var written = 0
    while left > 0 {
      if pending.isEmpty {
        pending = 0..<min(left, block.count / 2)
        render(pending.count)
      }
      let taken = try handOver(left)
      left -= taken
      written += taken
      if taken == 0 { break }
    }
    queuedBefore = queued + written
    return now - movedAt < Playback.stallSpan
  }

  /// Hands over what has left since the last step, and strikes what is due now.
  private mutating func pay(
    _ now: Instant, nextFrame: Instant, owed: Int
  ) throws(Device.Failure) {
    if pending.isEmpty { passUnheard(until: nextFrame) }
    cursor = nextFrame + span(of: pending.count)
    var left = owed
    while left > 0 {
      if pending.isEmpty {
        pending = 0..<min(left, block.count / 2)
        render(pending.count)
      }
      let taken = try handOver(left)
      left -= taken
      if taken == 0 { break }
    }
    while closeAt == nil, let strike = schedule.first, max(strike.due, leadInEnd) <= now {
      begin(at: max(cursor, now))
    }
  }

  /// Renders frames into the block from its start, each strike on its frame.
  private mutating func render(_ count: Int) {
    var done = 0
    // What is rendered while the device is being closed would be told as rung and never be heard.
    while closeAt == nil, let strike = schedule.first {
      let due = max(strike.due, leadInEnd)
      let offset = max(done, frames(in: due - cursor))
      guard offset < count else { break }
      player.render(done..<offset, into: &block)
      done = offset
      begin(at: cursor + span(of: offset))
    }
    player.render(done..<count, into: &block)
    cursor += span(of: count)
  }

  /// Strikes the next strike on the next frame, which leaves at an instant; or misses it.
  private mutating func begin(at started: Instant) {
    let strike = schedule.begin()
    var outcome = StrikeReport.Outcome.rung
    if started - max(strike.due, leadInEnd) > settings.latest {
      outcome = .missed
    } else {
      if started - strike.due > Playback.punctualSpan { outcome = .late }
      player.strike(strike)
    }
    report(
      .strike(StrikeReport(number: strike.number, started: started, outcome: outcome)))
  }

  /// Lets what rings ring on without an output.
  private mutating func passUnheard(until instant: Instant) {
    guard instant > cursor else { return }
    player.skip(frames: frames(in: instant - cursor))
    cursor = instant
  }
}
