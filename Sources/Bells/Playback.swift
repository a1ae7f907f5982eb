import Ticks

/// The life of a sound card: opened ahead of a bell, led in, played, held, closed; recovered and
/// reopened when it fails. It knows no clock: `step` is called with the time, and says when next.
///
/// Invariants:
/// - While the device runs, silence or sound has been handed over as far ahead as `PlaybackPace`
///   says, or as far as the buffer goes.
/// - A strike is placed on the frame that leaves at its instant, less the output's offset. If that
///   frame has been handed over already, it takes the next one and is late; `latest` late it is
///   missed. A strike never falls into the lead-in, but waits for its end, and is so much later.
///   The schedule goes on whatever the device does.
/// - Of strikes of one sound and channel that are overdue together the first rings: one that was
///   due when another of them began late is missed.
/// - Sound goes on in time while the device is away: on return, or on the output that is fallen
///   back on, it is heard from where it would be. Nothing is ever replayed.
/// - The device is closed only when the last tail and a period of silence after it have left;
///   nothing is drained.
/// - Whatever a device answers, a step that nobody ordered comes a refill after the one before, or
///   at an instant at which something is due, once: nothing spins.
/// - Nothing here allocates after `init`, except what the device does when it opens.
public struct Playback<Device: PCM & ~Copyable, Player: Instrument & ~Copyable>: ~Copyable {
  /// Where the device is in its life.
  public enum Phase: Equatable, Sendable {
    /// Closed; nothing is needed of it yet.
    case closed
    /// It was started, and no frame is known to have left yet.
    case opening
    /// It runs silence until the output is awake.
    case leadingIn
    /// Something rings, or will within moments.
    case running
    /// It runs silence, for a while or for as long as the output is to be held.
    case holding
    /// It had stopped and was started again; no frame is known to have left since.
    case recovering
    /// No output can be had. They are tried again by and by while one is needed.
    case lost
  }

  /// News that is waiting to be taken. When so many wait, further ones are dropped.
  public static var reportCapacity: Int { 64 }

  /// The longest from the order of a strike to the frame it takes, give or take one frame, on a
  /// device that is open, whatever rings. What the card holds behind its buffer comes on top.
  public static var latencySpan: Span { PlaybackPace.held.queueSpan }
  /// The same while a bell is to strike within `nearSpan`: more is queued then.
  public static var nearLatencySpan: Span { PlaybackPace.due.queueSpan }
  /// How soon after the last frame that is queued a bell is near.
  public static var nearSpan: Span { .seconds(1) }

  /// How much earlier than the lead-in demands the device is opened: for slow openings, and since a
  /// second of the stream tells the rate of a card that is new well enough for one frame.
  static var openingSpan: Span { .seconds(1) }
  /// What is heard so soon after its instant is on time.
  static var onTimeSpan: Span { .milliseconds(1) }
  /// How long the device stays open after it was warmed, for the strike that a hand is about to
  /// ask.
  static var warmSpan: Span { .seconds(10) }

  /// Where the device is.
  public internal(set) var phase = Phase.closed
  /// Which output is open, or was last.
  public internal(set) var output = 0
  /// How the output is to be treated; may be changed at any time.
  public var settings: PlaybackSettings
  /// The device.
  public internal(set) var device: Device
  /// What sounds.
  public internal(set) var player: Player

  var schedule = StrikeSchedule()
  var lateStrikes = LateStrikes()
  var clock = PlaybackClock()
  /// How the open output is to be treated.
  var traits = OutputTraits()
  var bufferFrames = 0
  var block: [Float]
  /// Frames of `block` that were rendered and not taken yet.
  var pending = 0..<0
  /// How many frames of the stream have been rendered.
  var rendered: Int64 = 0
  /// When the next frame to be rendered leaves.
  var cursor = Instant.zero
  var leadInEnd = Instant.zero

  var silentSince: Instant?
  var closeAt: Instant?
  var warmUntil: Instant?
  var isFinishing = false
  var isSitting = false
  /// Whether the wanted output played when it was open last, so that it need not be foreseen that
  /// another one must do.
  var isWantedKnown = false

  var watch = PlaybackWatch()
  private var reports: [PlaybackReport<Device.Failure>] = []
  private var takenReports = 0

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
    guard !isFinishing else { return }
    schedule.replace(with: strikes)
  }

  /// Sets the volumes.
  public mutating func setVolumes(_ volumes: Volumes) { player.setVolumes(volumes) }

  /// Sets what sounds under the bells from now on; the device is opened for it and held.
  public mutating func setAmbient(_ ambient: AmbientSound?, now: Instant) {
    guard !isFinishing else { return }
    // While nothing sounds and nothing is open nobody counts the time, which is not a fade's.
    if player.isSilent, !isOpen { cursor = max(cursor, now) }
    player.setAmbient(ambient)
  }

  /// A sit has begun, preparation counted, or is over: for outputs that are held while one runs.
  public mutating func setSitting(_ isSitting: Bool) { self.isSitting = isSitting }

  /// Stops what rings as a hand does it; the strikes still to come stay planned, and an ambient
  /// sound goes on.
  public mutating func damp() { player.damp() }

  /// Opens the device now and holds it for a while, since a hand is at the box.
  public mutating func warm(now: Instant) {
    guard !isFinishing else { return }
    warmUntil = now + Playback.warmSpan
  }

  /// Tries lost outputs again at the next step, since a card may have come.
  public mutating func retry() { watch.retry() }

  /// Ends: drops the plan, damps what rings and closes as soon as that has been heard.
  public mutating func finish() {
    schedule.clear()
    player.damp()
    player.endAmbient()
    warmUntil = nil
    isFinishing = true
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

  /// Whether the device is open, as far as it has not said otherwise.
  private var isOpen: Bool { phase != .closed && phase != .lost }

  mutating func report(_ news: PlaybackReport<Device.Failure>) {
    if reports.count < Playback.reportCapacity { reports.append(news) }
  }

  // MARK: Time

  /// Does what is due.
  /// - Parameter now: never earlier than before.
  /// - Returns: when to call again if nothing is ordered before; `nil` when nothing is to be done.
  public mutating func step(now: Instant) -> Instant? {
    if let until = warmUntil, until <= now { warmUntil = nil }
    switch phase {
    case .closed, .lost: return stepClosed(now)
    case .opening, .leadingIn, .running, .holding, .recovering: return stepOpen(now)
    }
  }

  private mutating func stepClosed(_ now: Instant) -> Instant? {
    missOverdue(now)
    if !player.isSilent { passUnheard(until: now) }
    let isNeeded = isSoundNeeded(now)
    guard isNeeded || isHeld(by: device.traits(of: 0)) else {
      if phase == .lost { report(.closed) }
      phase = .closed
      watch.forgive()
      return neededFrom
    }
    if phase == .lost {
      // A rest after tries for a mere hold is not kept where something is to sound.
      if isNeeded, !watch.wasNeeded { watch.retry() }
      if now < watch.retryAt { return retryOrMiss }
    }
    // The others are not worth opening for nothing but their being held.
    return open(0..<(isNeeded ? device.outputCount : 1), isNeeded: isNeeded, now)
  }

  mutating func stepOpen(_ now: Instant) -> Instant? {
    do throws(Device.Failure) {
      guard case .running(let nextFrame, let queued, let room) = try device.status() else {
        return try recover(now)
      }
      if isImmediate {
        try pay(now, nextFrame: nextFrame, owed: min(room, -queued))
      } else {
        try refill(now, nextFrame: nextFrame, queued: queued, room: room)
        guard !watch.isStalled(now, bufferSpan: span(of: bufferFrames)) else {
          return lose(.stalled(output: output), now)
        }
      }
      if watch.hasMoved || isImmediate, watch.takeRunning() { report(.running(output: output)) }
      if let count = watch.takeUnderruns(now) { report(.underrun(count: count)) }
      return settle(now)
    } catch {
      return lose(.lost(error, output: output), now)
    }
  }
}
