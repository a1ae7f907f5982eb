import Bells
import CALSA
import Ticks

/// News from the audio thread.
public enum AudioReport: Equatable, Sendable {
  /// What became of a strike.
  case strike(StrikeReport)
  /// A device runs.
  case opened(Opening)
  /// An output failed; see `PlaybackReport.lost`.
  case lost(ALSAOutputError, output: Int)
  /// Nothing more sounds, and the device is closed after `PlaybackSettings.quiet`.
  case closing
  /// The device was closed, since nothing more is to sound.
  case closed
}

/// The thread that owns the sound card and renders what is heard.
///
/// Orders replace what was ordered before, so a plan is always whole. All methods are for one
/// thread, the control thread, and return at once, except `stop`.
///
/// The thread sleeps until something is due or ordered; with nothing planned it never wakes. Only
/// while it opens or closes a device does it allocate or read a file, as libasound does then.
public final class AudioThread {
  private let shared: Shared
  private let thread: UInt64
  private var orders: Orders
  private var plan: [Strike] = []
  private var isRunning = true
  /// Whether the device was opened and has not said yet that it falls silent.
  private var isSounding = false
  private let system: SoundSystem
  private var warnings = WarningList()

  /// Starts the thread. The device is opened when a strike comes near, not now.
  /// - Parameters:
  ///   - outputs: the wanted one first, then those to fall back on.
  ///   - sounds: what strikes can sound, by position.
  ///   - settings: how strikes and the device are to be treated.
  ///   - volumes: how loud.
  ///   - system: where the kernel shows its cards.
  public init(
    outputs: [OutputRequest], sounds: [Sound] = Sound.catalogue,
    settings: PlaybackSettings = PlaybackSettings(), volumes: Volumes = Volumes(),
    system: SoundSystem = SoundSystem()
  ) throws(ALSAOutputError) {
    orders = Orders(volumes: volumes, settings: settings)
    self.system = system
    shared = try Shared(outputs: outputs, orders: orders, system: system)
    let cards = system.cards
    traits = outputs[0].traits(of: OutputName(outputs[0].name).kind(among: cards))
    let worker = Worker(shared: shared, sounds: sounds, orders: orders)
    var thread: UInt64 = 0
    // Safety: the thread takes over the one reference made here, and gives it up when it ends.
    let argument = Unmanaged.passRetained(worker)
    let error = calsa_thread_start(
      &thread, "audio",
      { Unmanaged<Worker>.fromOpaque($0).takeRetainedValue().run() }, argument.toOpaque())
    guard error == 0 else {
      argument.release()
      throw .system(call: "pthread_create", code: error)
    }
    self.thread = thread
  }

  deinit {
    guard isRunning else { return }
    try? stop()
  }

  /// Can be read when there are reports: for the control thread's event loop.
  public var reportDescriptor: Int32 { shared.reported.number }

  /// How many reports were dropped, since nobody took them in time.
  public var droppedReports: Int { shared.reports.dropped }

  /// Replaces the strikes known ahead. They need not be in order; of more than
  /// `StrikeSchedule.capacity` the latest are left out, and come with a later plan.
  public func send(plan strikes: [Strike]) {
    plan = strikes
    if plan.count > StrikeSchedule.capacity {
      plan.sort { ($0.due, $0.number) < ($1.due, $1.number) }
      plan.removeLast(plan.count - StrikeSchedule.capacity)
    }
    orders.plans += 1
    post()
  }

  /// How the output in use is to be treated; before one was opened, the wanted one, as far as its
  /// name tells.
  public private(set) var traits: OutputTraits

  /// Sets how loud.
  public func set(_ volumes: Volumes) {
    orders.volumes = volumes
    post()
  }

  /// Sets what sounds under the bells.
  public func set(ambient: AmbientSound?) {
    orders.ambient = ambient
    post()
  }

  /// A sit has begun, preparation counted, or is over.
  public func set(sitting isSitting: Bool) {
    orders.isSitting = isSitting
    post()
  }

  /// Sets how the output is to be treated.
  public func set(_ settings: PlaybackSettings) {
    orders.settings = settings
    post()
  }

  /// Stops what rings, as a hand does it.
  public func damp() {
    orders.damps += 1
    post()
  }

  /// Opens the device now, since a strike may be asked for at any moment.
  public func warm() {
    orders.warms += 1
    post()
  }

  /// Tries outputs that were lost again at once, since a card may have come: for whoever hears that
  /// `/dev/snd` has changed.
  public func retry() {
    orders.retries += 1
    post()
  }

  /// What is wrong though it plays, as far as `takeReports` has found it: gaps (at most every
  /// 10 s), and once each another name taken for an output and controls that are off or at 0.
  public func takeWarnings() -> [AudioWarning] { warnings.take() }

  private func post() {
    shared.mailbox.put(orders, strikes: plan)
    shared.ordered.signal()
  }

  /// All news since the last time.
  public func takeReports() -> [AudioReport] {
    shared.reported.clear()
    var taken: [AudioReport] = []
    while let report = shared.reports.take() {
      switch report {
      case .strike(let strike): taken.append(.strike(strike))
      case .opened(let opening):
        noteOpening(opening.output)
        taken.append(.opened(opening))
      case .lost(let fault, let output):
        let name = shared.outputs[output].name
        taken.append(.lost(ALSAOutputError(name, fault, on: system), output: output))
      case .stalled(let output):
        taken.append(.lost(.stalled(name: shared.outputs[output].name), output: output))
      case .underrun(let count): warnings.add(.underruns(count))
      case .closing: taken.append(.closing)
      case .closed: taken.append(.closed)
      }
    }
    for report in taken {
      switch report {
      case .opened: isSounding = true
      case .closing, .closed, .lost: isSounding = false
      case .strike: break
      }
    }
    return taken
  }

  private func noteOpening(_ output: Int) {
    let request = shared.outputs[output]
    traits = request.traits(of: shared.notes.kind)
    // What the audio thread notes may be newer than its report, and then another report follows.
    let number = shared.notes.cardNumber
    let card = system.cards.first { $0.number == number }
    if let substitute = shared.notes.substitute,
      let meant = card ?? OutputName(request.name).card(among: system.cards)
    {
      let name = substitute.name(of: meant.id)
      warnings.add(
        .otherName(asked: request.name, taken: name, reason: substitute.reason))
    }
    if let card { warnings.set(mixer: ALSAMixer.prepare(card: card.id)) }
  }

  /// Damps what rings and lets the device be closed; `stop` ends the thread.
  public func finish() {
    orders.finish = true
    plan = []
    post()
  }

  /// Waits after `finish` until nothing sounds any more, or until an instant.
  public func waitForClosing(until deadline: Instant) {
    guard let timer = try? TimerDescriptor() else { return }
    _ = takeReports()
    while isSounding && System.now() < deadline {
      timer.wait(until: deadline, or: shared.reported)
      _ = takeReports()
    }
  }

  /// Damps what rings, closes the device and ends the thread. It can be called again.
  /// - Parameter span: how long to wait for that at most; damping takes 300 ms.
  /// - Throws: `stuck` if a driver call does not return. The thread is left behind then, which
  ///   harms nobody who is about to exit.
  public func stop(within span: Span = .seconds(2)) throws(ALSAOutputError) {
    guard isRunning else { return }
    isRunning = false
    finish()
    guard calsa_thread_join(thread, span.nanoseconds) == 0 else {
      throw .stuck(name: shared.outputs[0].name)
    }
  }
}

/// What both threads hold.
private final class Shared: Sendable {
  let outputs: [OutputRequest]
  let system: SoundSystem
  let notes = ALSANotes()
  let mailbox: Mailbox
  let reports = ReportRing()
  let ordered: EventDescriptor
  let reported: EventDescriptor
  let timer: TimerDescriptor

  init(
    outputs: [OutputRequest], orders: Orders, system: SoundSystem
  ) throws(ALSAOutputError) {
    self.outputs = outputs
    self.system = system
    mailbox = Mailbox(orders)
    ordered = try EventDescriptor()
    reported = try EventDescriptor()
    timer = try TimerDescriptor()
  }
}

/// What the audio thread holds alone.
private final class Worker {
  private let shared: Shared
  private var playback: Playback<ALSADevice, Mixer>
  private var done: Orders
  private var plan: [Strike] = []

  init(shared: Shared, sounds: [Sound], orders: Orders) {
    self.shared = shared
    done = orders
    plan.reserveCapacity(StrikeSchedule.capacity)
    playback = Playback(
      device: ALSADevice(outputs: shared.outputs, system: shared.system, notes: shared.notes),
      player: Mixer(sounds: sounds), settings: orders.settings)
    playback.setVolumes(orders.volumes)
    Worker.rehearse(sounds)
  }

  /// One muted strike of every sound, and all else that can be asked of the mixer, so that whatever
  /// is made on first use is made before the thread turns real-time.
  private static func rehearse(_ sounds: [Sound]) {
    var mixer = Mixer(sounds: sounds)
    var block: [Float] = Array(repeating: 0, count: 2 * 64)
    for sound in sounds.indices {
      mixer.strike(Strike(number: 0, sound: sound, due: .zero, gain: 0))
      mixer.render(0..<64, into: &block)
    }
    mixer.setVolumes(Volumes(50))
    mixer.setAmbient(.rain)
    mixer.damp()
    mixer.render(0..<64, into: &block)
    mixer.endAmbient()
    mixer.skip(frames: 64)
  }

  func run() {
    // Above ordinary threads and below a kernel's own interrupt threads, which run at 50.
    calsa_request_real_time(40)
    while true {
      shared.ordered.clear()
      let now = System.now()
      if let orders = shared.mailbox.take(strikes: &plan) { follow(orders, now) }
      let wake = playback.step(now: now)
      passReports()
      if done.finish, playback.phase == .closed { return }
      shared.timer.wait(until: wake, or: shared.ordered)
    }
  }

  /// What is to fall silent falls silent before what is to ring next is planned.
  private func follow(_ orders: Orders, _ now: Instant) {
    playback.settings = orders.settings
    if orders.volumes != done.volumes { playback.setVolumes(orders.volumes) }
    if orders.ambient != done.ambient { playback.setAmbient(orders.ambient, now: now) }
    if orders.isSitting != done.isSitting { playback.setSitting(orders.isSitting) }
    if orders.damps != done.damps { playback.damp() }
    if orders.plans != done.plans { playback.plan(plan) }
    if orders.warms != done.warms { playback.warm(now: now) }
    if orders.retries != done.retries { playback.retry() }
    if orders.finish, !done.finish { playback.finish() }
    done = orders
  }

  private func passReports() {
    var any = false
    while let report = playback.takeReport() {
      shared.reports.put(report)
      any = true
    }
    if any { shared.reported.signal() }
  }
}
