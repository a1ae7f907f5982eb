import ALSAOutput
import Appliance
import Box
import ControlSocket
import LinuxIO
import Ticks

// What the audio thread tells, and which output it has.
extension Service {
  /// Opens the output, since a strike may follow. From now on the lead-in runs.
  mutating func warmUp() {
    audio.warm()
    let next = ordered.plan.map(\.due).min()
    if readiness.warm(at: box.now, nextStrike: next) { tellReadiness() }
  }

  mutating func takeAudioReports(at now: Instant) {
    let reports = audio.takeReports()
    for warning in audio.takeWarnings() { tell(warning, at: now) }
    for report in reports {
      switch report {
      case .strike(let report): handle(.appliance(.strike(report)), at: now)
      case .opened(let opening):
        outputs.setAmplified(true)
        outputs.setSoundLost(false)
        readiness.open(opening, at: now)
        tellReadiness(at: now)
        tellOutput(opening.output, at: now)
      case .closing, .closed:
        outputs.setAmplified(false)
        tellClosed(at: now)
      case .lost(let error, let output):
        outputs.setAmplified(false)
        if output == 0 { lossReason = error.short }
        // The next one is tried at once.
        guard output == outputNames.count - 1 else { continue }
        outputs.setSoundLost(true)
        readiness.lose()
        tellReadiness(at: now)
        handle(.outputLost(reason: error.short), at: now)
      }
    }
    let count = outputNames.count
    if let loss = ReadinessWatch.unansweredLoss(in: reports, outputs: count) {
      tellClosed(at: now)
      handle(.outputLost(reason: loss.short), at: now)
    }
  }

  /// A control that keeps the card silent is told where bells would be missed; a gap is told to
  /// whoever reads the log.
  private mutating func tell(_ warning: AudioWarning, at now: Instant) {
    switch warning {
    case .mixer(let mixer):
      handle(.failed(what: "mixer", detail: "\(mixer). Bells may not be heard."), at: now)
    case .mixerWorks: handle(.works(what: "mixer"), at: now)
    case .otherName, .underruns:
      if !front.isDrawn { complaints.write(Array("timerbox: \(warning)\n".utf8)) }
    }
  }

  /// Bells ring, on the wanted output or on one to fall back on.
  private mutating func tellOutput(_ output: Int, at now: Instant) {
    guard output > 0 else { return handle(.outputWorks, at: now) }
    let reason = lossReason ?? "\(outputNames[0]) is away"
    let detail = "\(reason). Bells ring on the fallback \(outputNames[output])."
    handle(.failed(what: "sound", detail: detail), at: now)
  }

  /// Tells that the output is closed, and how long it takes until it sounds.
  mutating func tellClosed(at now: Instant) {
    readiness.close(leadIn: audio.traits.leadIn)
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

  /// Goes over to another output at once: what is planned rings there, and the thread of the old
  /// one damps what rings, lets its card go and ends by itself.
  mutating func choose(soundDevice device: String?, at now: Instant) -> ControlAnswer {
    // What has begun is reported, and begins on no other output again.
    takeAudioReports(at: now)
    let names = sound.outputs(device: device).map(\.name)
    if names != outputNames {
      do {
        let started = try sound.audio(device: device, volumes: box.appliance.volumes)
        try loop.register(
          LentDescriptor(number: started.reportDescriptor), token: Token.audio.rawValue)
        try? loop.forget(LentDescriptor(number: audio.reportDescriptor))
        audio.finish()
        try? retiredAudio?.stop(within: .zero)
        retiredAudio = audio
        audio = started
      } catch {
        return .refused(reason: "\(error)")
      }
      outputNames = names
      lossReason = nil
      let phase = box.appliance.phase
      audio.set(sitting: phase != .idle && phase != .ended)
      outputs.setAmplified(false)
      handle(.outputWorks, at: now)
      handle(.works(what: "mixer"), at: now)
      readiness = ReadinessWatch()
      tellClosed(at: now)
      audio.set(ambient: ordered.ambient)
      audio.send(plan: ordered.plan)
    }
    handle(.soundDevice(device), at: now)
    return .ok
  }
}
