import ALSAOutput
import Appliance
import Box
import ControlSocket
import LinuxIO
import Ticks

// What the audio thread tells, and which output it has.
extension Service {
  /// How long a new output waits at most for the one that was left, which lets its card go once
  /// damping (300 ms) has been heard: late where a television is behind it. Both may share a card,
  /// which the new one would find busy before.
  private static let handOverSpan = Span.seconds(2)

  /// Opens the output, since a strike may follow. From now on the lead-in runs.
  mutating func warmUp() {
    audio.warm()
    let next = ordered.plan.filter { !$0.isAnswer }.map(\.due).min()
    if readiness.warm(at: box.now, nextBell: next) { tellReadiness() }
  }

  /// A card may have come. Where one was missed it is tried at once, so that it is known before the
  /// next bell.
  mutating func retryOutputs() {
    audio.retry()
    if outputs.isSoundLost || lossReason != nil { audio.warm() }
  }

  mutating func takeAudioReports(at now: Instant) {
    takeRetiredReports(at: now)
    let reports = audio.takeReports()
    for warning in audio.takeWarnings() { tell(warning) }
    for report in reports {
      switch report {
      case .strike(let report): handle(.appliance(.strike(report)), at: now)
      case .opened(let opening):
        outputs.setAmplified(true)
        readiness.open(opening, offset: audio.traits.offset)
        tellReadiness(at: now)
      case .running(let output):
        outputs.setSoundLost(false)
        tellOutput(output, at: now)
      case .closing, .closed:
        outputs.setAmplified(false)
        tellClosed(at: now)
      case .lost(let error, let output):
        outputs.setAmplified(false)
        if output == 0 { lossReason = error.short }
        // The next one is tried at once.
        guard output == outputNames.count - 1 else { continue }
        outputs.setSoundLost(true, at: now)
        readiness.lose()
        tellReadiness(at: now)
        handle(.outputLost(reason: lossOfAll(error.short)), at: now)
      }
    }
    let count = outputNames.count
    if let loss = ReadinessWatch.unansweredLoss(in: reports, outputs: count) {
      tellClosed(at: now)
      handle(.outputLost(reason: lossOfAll(loss.short)), at: now)
    }
    tellMixer(at: now)
  }

  /// Controls that keep the card silent are told where bells would be missed, until an opening
  /// finds them right.
  private mutating func tellMixer(at now: Instant) {
    guard !audio.mixerWarnings.isEmpty else { return handle(.works(what: "mixer"), at: now) }
    let words = audio.mixerWarnings.map(\.description).joined(separator: ". ")
    handle(.failed(what: "mixer", detail: "\(words). Bells may not be heard."), at: now)
  }

  /// What passes unheard is told to whoever reads the log.
  private func tell(_ warning: AudioWarning) {
    if !front.isDrawn { complaints.write(Array("timerbox: \(warning)\n".utf8)) }
  }

  /// Bells ring, on the wanted output or on one to fall back on.
  private mutating func tellOutput(_ output: Int, at now: Instant) {
    guard output > 0 else {
      lossReason = nil
      return handle(.outputWorks, at: now)
    }
    let reason = lossReason ?? "\(outputNames[0]) is away"
    let detail = "\(reason). Bells ring on the fallback \(outputNames[output])."
    handle(.failed(what: "sound", detail: detail), at: now)
  }

  /// Why none is there: the wanted one first, and then the last that was tried.
  private func lossOfAll(_ last: String) -> String {
    guard let wanted = lossReason, wanted != last else { return last }
    return "\(wanted). \(last)"
  }

  /// Tells that the output is closed, and how long it takes until it sounds.
  mutating func tellClosed(at now: Instant) {
    readiness.close(audio.traits)
    tellReadiness(at: now)
  }

  private mutating func tellReadiness(at now: Instant) {
    advance(to: now)
    tellReadiness()
  }

  private mutating func tellReadiness() {
    box.handle(.appliance(.output(readiness.readiness)), at: box.now)
    work()
  }

  /// Goes over to another output: the thread of the old one damps what rings, lets its card go and
  /// ends by itself, and then what is planned rings on the new one.
  mutating func choose(soundDevice device: String?, at now: Instant) -> ControlAnswer {
    // What has begun is reported, and begins on no other output again.
    takeAudioReports(at: now)
    let names = sound.outputs(device: device).map(\.name)
    if names != outputNames {
      do throws(VerbError) {
        let volumes = box.appliance.volumes
        try replace(try sound.audio(device: device, volumes: volumes, isWaiting: true), at: now)
      } catch {
        return .refused(reason: error.message)
      }
      outputNames = names
      lossReason = nil
      let phase = box.appliance.phase
      audio.set(sitting: phase != .idle && phase != .ended)
      handle(.outputWorks, at: now)
      handle(.works(what: "mixer"), at: now)
      readiness = ReadinessWatch()
      tellClosed(at: now)
      audio.set(ambient: ordered.ambient)
      audio.send(plan: ordered.plan)
      // One that is not there is told now, and not when a bell should have rung on it.
      audio.warm()
    }
    handle(.soundDevice(device), at: now)
    return .ok
  }

  private mutating func replace(_ started: AudioThread, at now: Instant) throws(VerbError) {
    do throws(SystemError) {
      try loop.register(
        LentDescriptor(number: started.reportDescriptor), token: Token.audio.rawValue)
    } catch {
      throw VerbError(status: .inputOutput, message: error.description)
    }
    audio.finish()
    if handOverEnd != nil {
      // This one never began, and the one before it still rings.
      leave(audio)
    } else {
      if let retiredAudio { leave(retiredAudio) }
      retiredAudio = audio
      handOverEnd = now + Service.handOverSpan
    }
    audio = started
  }

  /// What the output that was left still tells, until it has let its card go.
  private mutating func takeRetiredReports(at now: Instant) {
    guard let retired = retiredAudio else { return }
    for report in retired.takeReports() {
      switch report {
      case .strike(let report): handle(.appliance(.strike(report)), at: now)
      case .closing, .closed, .lost: if handOverEnd != nil { outputs.setAmplified(false) }
      case .opened, .running: break
      }
    }
    if retired.hasEnded {
      leave(retired)
      retiredAudio = nil
    } else if handOverEnd.map({ $0 > now }) != false {
      return
    }
    guard handOverEnd != nil else { return }
    handOverEnd = nil
    outputs.setAmplified(false)
    audio.begin()
  }

  /// Whether the audio threads are to be looked after though they told nothing.
  func isSoundDue(at now: Instant) -> Bool {
    let dues: [Instant?] = [audio.nextDeadline, retiredAudio?.nextDeadline, handOverEnd]
    return dues.contains { $0.map { $0 <= now } == true }
  }

  private func leave(_ thread: AudioThread) {
    try? loop.forget(LentDescriptor(number: thread.reportDescriptor))
    try? thread.stop(within: .milliseconds(50))
  }
}
