import Bells
import CALSA
import Ticks

/// News from the audio thread.
public enum AudioReport: Equatable, Sendable {
  /// What became of a strike.
  case strike(StrikeReport)
  /// A device was started. Whether it plays is not known yet.
  case opened(Opening)
  /// The first frames since an opening have left an output: it plays.
  case running(output: Int)
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
  private var warnings = WarningList()
  /// What keeps the card silent that was opened last, as far as `takeReports` has found it.
  public private(set) var mixerWarnings: [MixerWarning] = []
  /// What was not told yet, in order.
  private var news: [News] = []
  private var questions = 0
  /// What runs, as far as it was told.
  private var opening: Opening?
  private var isPlaying = false
  /// When the driver was last looked after, and whether it was told to be stuck.
  private var lookedAt = Instant.zero
  private var isStuck = false

  /// How long a loss waits for its cause to be found out.
  private static let lookUpSpan = Span.milliseconds(200)

  private enum News {
    case report(AudioReport)
    case loss(ALSAFault, output: Int, question: Int, until: Instant)
  }

  /// Starts the thread. The device is opened when a strike comes near, not now.
  /// - Parameters:
  ///   - outputs: the wanted one first, then those to fall back on.
  ///   - sounds: what strikes can sound, by position.
  ///   - settings: how strikes and the device are to be treated.
  ///   - volumes: how loud.
  ///   - isWaiting: whether the thread opens nothing before `begin`.
  ///   - system: where the kernel shows its cards.
  public init(
    outputs: [OutputRequest], sounds: [Sound] = Sound.catalogue,
    settings: PlaybackSettings = PlaybackSettings(), volumes: Volumes = Volumes(),
    isWaiting: Bool = false, system: SoundSystem = SoundSystem()
  ) throws(ALSAOutputError) {
    orders = Orders(isWaiting: isWaiting, volumes: volumes, settings: settings)
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
  public var reportDescriptor: Int32 { shared.reported.event.number }

  /// Whether the thread has ended: after `finish`, once the device is closed.
  public var hasEnded: Bool { shared.hasEnded.load(ordering: .acquiring) }

  /// Ends the waiting of a thread that was started so; what was ordered meanwhile holds.
  public func begin() {
    guard orders.isWaiting else { return }
    orders.isWaiting = false
    post()
  }

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
  /// 10 s), and once each another name taken for an output.
  public func takeWarnings() -> [AudioWarning] { warnings.take() }

  private func post() {
    shared.mailbox.put(orders, strikes: plan)
    shared.ordered.signal()
  }

  /// When `takeReports` has something to tell though nothing was signalled; nil for never.
  ///
  /// A planned strike of which nothing is known at its instant is looked after, each second until
  /// its fate is told; and a loss is told without its cause if that cannot be found out in time.
  public var nextDeadline: Instant? {
    let look = plan.map(\.due).min().map { max($0, lookedAt + Shared.stuckSpan) }
    guard case .loss(_, _, _, let until)? = news.first else { return look }
    return look.map { min($0, until) } ?? until
  }

  /// All news since the last time.
  public func takeReports() -> [AudioReport] {
    let now = System.now()
    shared.reported.event.clear()
    while let report = shared.reports.take() { receive(report, now) }
    for (number, answer) in shared.lookUp.takeAnswers() { receive(answer, to: number) }
    lookAfter(now)
    return told(now)
  }

  private func receive(_ report: PlaybackReport<ALSAFault>, _ now: Instant) {
    switch report {
    case .strike(let strike):
      plan.removeAll { $0.number == strike.number }
      news.append(.report(.strike(strike)))
    case .opened(let opening):
      self.opening = opening
      isPlaying = false
      noteOpening(opening.output)
      news.append(.report(.opened(opening)))
    case .running(let output):
      isPlaying = true
      news.append(.report(.running(output: output)))
    case .lost(let fault, let output):
      opening = nil
      let name = shared.outputs[output].name
      news.append(
        ask(.fault(name: name, fault))
          ? .loss(fault, output: output, question: questions, until: now + Self.lookUpSpan)
          : .report(.lost(ALSAOutputError(name, fault), output: output)))
    case .stalled(let output):
      opening = nil
      let name = shared.outputs[output].name
      news.append(.report(.lost(.stalled(name: name), output: output)))
    case .underrun(let count): warnings.add(.underruns(count))
    case .closing: news.append(.report(.closing))
    case .closed:
      opening = nil
      news.append(.report(.closed))
    }
    switch report {
    case .opened: isSounding = true
    case .closing, .closed, .lost, .stalled: isSounding = false
    case .strike, .underrun, .running: break
    }
  }

  private func ask(_ question: LookUp.Question) -> Bool {
    questions += 1
    return shared.lookUp.ask(questions, question)
  }

  private func receive(_ answer: LookUp.Answer, to number: Int) {
    switch answer {
    case .opening(let found, let silencing):
      found.forEach { warnings.add($0) }
      mixerWarnings = silencing
    case .fault(let error):
      for (index, piece) in news.enumerated() {
        guard case .loss(_, let output, number, _) = piece else { continue }
        news[index] = .report(.lost(error, output: output))
      }
    }
  }

  private func noteOpening(_ output: Int) {
    let request = shared.outputs[output]
    // What the audio thread notes may be newer than its report, and then another report follows.
    let notes = shared.notes
    traits = request.traits(of: notes.kind)
    // Without an answer nothing is known to be wrong.
    let isAsked =
      (notes.cardNumber >= 0 || notes.substitute != nil)
      && ask(.opening(name: request.name, card: notes.cardNumber, substitute: notes.substitute))
    if !isAsked { mixerWarnings = [] }
  }

  /// Whether the driver still returns, once a strike is overdue.
  private func lookAfter(_ now: Instant) {
    let since = Instant(nanoseconds: shared.busySince.load(ordering: .relaxed))
    let isBusy = since > .zero && now - since >= Shared.stuckSpan
    if isStuck, !isBusy {
      isStuck = false
      // What it played on, if it did not report anything else.
      if let opening {
        news.append(.report(.opened(opening)))
        if isPlaying { news.append(.report(.running(output: opening.output))) }
      }
    }
    guard let due = plan.map(\.due).min(), due <= now, lookedAt + Shared.stuckSpan <= now else {
      return
    }
    lookedAt = now
    guard isBusy, !isStuck else { return }
    isStuck = true
    // None behind it is tried either.
    let name = shared.outputs[shared.notes.output].name
    news.append(.report(.lost(.stuck(name: name), output: shared.outputs.count - 1)))
  }

  /// The news that may be told now, in order.
  private func told(_ now: Instant) -> [AudioReport] {
    var taken: [AudioReport] = []
    for piece in news {
      switch piece {
      case .report(let report): taken.append(report)
      case .loss(let fault, let output, _, let until):
        guard until <= now else {
          news.removeFirst(taken.count)
          return taken
        }
        taken.append(.lost(ALSAOutputError(shared.outputs[output].name, fault), output: output))
      }
    }
    news = []
    return taken
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
      timer.wait(until: deadline, or: shared.reported.event)
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
