import Bells
import CALSA
import Ticks

/// News from the audio thread.
public enum AudioReport: Equatable, Sendable {
  /// What became of a strike.
  case strike(StrikeReport)
  /// The device runs.
  case opened(PCMFormat)
  /// The device failed; it is tried again while it is needed.
  case lost(ALSAOutputError)
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
/// The thread sleeps until something is due or ordered; with nothing planned it never wakes. After
/// its start it allocates nothing but what libasound does when it opens a device.
public final class AudioThread {
  private let shared: Shared
  private let thread: UInt64
  private var orders: Orders
  private var plan: [Strike] = []
  private var isRunning = true
  /// Whether the device was opened and has not said yet that it falls silent.
  private var isSounding = false

  /// Starts the thread. The device is opened when a strike comes near, not now.
  /// - Parameters:
  ///   - device: a name of libasound's configuration.
  ///   - sounds: what strikes can sound, by position.
  ///   - settings: how the output is to be treated.
  ///   - volume: 0 to 100.
  public init(
    device: String, sounds: [Sound] = Sound.catalogue,
    settings: PlaybackSettings = PlaybackSettings(), volume: Int = 100
  ) throws(ALSAOutputError) {
    orders = Orders(volume: volume, settings: settings)
    shared = try Shared(device: device, orders: orders)
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

  /// Sets the volume, 0 to 100.
  /// - Precondition: 0 to 100.
  public func setVolume(_ percent: Int) {
    precondition((0...100).contains(percent), "a volume is 0 to 100")
    orders.volume = percent
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
      case .opened(let format): taken.append(.opened(format))
      case .lost(let fault): taken.append(.lost(.device(name: shared.device, fault: fault)))
      case .stalled: taken.append(.lost(.stalled(name: shared.device)))
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
      throw .stuck(name: shared.device)
    }
  }
}

/// What both threads hold.
private final class Shared: Sendable {
  let device: String
  let mailbox: Mailbox
  let reports = ReportRing()
  let ordered: EventDescriptor
  let reported: EventDescriptor
  let timer: TimerDescriptor

  init(device: String, orders: Orders) throws(ALSAOutputError) {
    self.device = device
    mailbox = Mailbox(orders)
    ordered = try EventDescriptor()
    reported = try EventDescriptor()
    timer = try TimerDescriptor()
  }
}

/// What the audio thread holds alone.
private final class Worker {
  private let shared: Shared
  private var playback: Playback<ALSADevice>
  private var done: Orders
  private var plan: [Strike] = []

  init(shared: Shared, sounds: [Sound], orders: Orders) {
    self.shared = shared
    done = orders
    plan.reserveCapacity(StrikeSchedule.capacity)
    playback = Playback(
      device: ALSADevice(name: shared.device), sounds: sounds, settings: orders.settings)
    playback.setVolume(orders.volume)
    // One muted strike, so that whatever is made on first use is made now.
    var rehearsal = Rendering([.init(frame: 0, action: .strike(sound: 0, gain: 0))], sounds: sounds)
    var block: [Float] = []
    while rehearsal.next(into: &block) > 0 {}
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
    if orders.volume != done.volume { playback.setVolume(orders.volume) }
    if orders.damps != done.damps { playback.damp() }
    if orders.plans != done.plans { playback.plan(plan) }
    if orders.warms != done.warms { playback.warm(now: now) }
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
