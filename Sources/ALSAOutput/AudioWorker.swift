import Bells
import CALSA
import Synchronization
import Ticks

/// What both threads hold.
final class Shared: Sendable {
  /// A driver that has not returned for so long counts as stuck.
  static let stuckSpan = Span.seconds(1)

  let outputs: [OutputRequest]
  let system: SoundSystem
  let notes = ALSANotes()
  let mailbox: Mailbox
  let reports = ReportRing()
  /// Since when the audio thread has been at work, in nanoseconds of the boot-time clock; 0 while
  /// it sleeps. A driver that does not return is known by it.
  let busySince = Atomic<Int64>(0)
  let hasEnded = Atomic<Bool>(false)
  let ordered: EventDescriptor
  let reported: NewsSignal
  let lookUp: LookUp
  let timer: TimerDescriptor

  init(
    outputs: [OutputRequest], orders: Orders, system: SoundSystem
  ) throws(ALSAOutputError) {
    self.outputs = outputs
    self.system = system
    mailbox = Mailbox(orders)
    ordered = try EventDescriptor()
    reported = try NewsSignal()
    lookUp = LookUp(on: system, news: reported)
    timer = try TimerDescriptor()
  }
}

/// What the audio thread holds alone.
final class Worker {
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
      shared.busySince.store(now.nanoseconds, ordering: .relaxed)
      if let orders = shared.mailbox.take(strikes: &plan) { follow(orders, now) }
      let wake = done.isWaiting && !done.finish ? nil : playback.step(now: now)
      passReports()
      shared.busySince.store(0, ordering: .relaxed)
      // Whoever took it for stuck is to know that it is not.
      if System.now() - now >= Shared.stuckSpan { shared.reported.event.signal() }
      if done.finish, playback.phase == .closed { break }
      shared.timer.wait(until: wake, or: shared.ordered)
    }
    shared.hasEnded.store(true, ordering: .releasing)
    shared.reported.event.signal()
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
    if any { shared.reported.event.signal() }
  }
}
