import ALSAOutput
import Settings

extension Verb {
  static let doctor = Verb(
    "doctor", "[--board NAME|FILE|auto]",
    "tell what is wrong with the sound and the store here, and what cures it",
    details: """
      It tries every output that the bells may ring on, the levels of its card, and the recordings
      of one's own, and reads what the store defines. A bell would be heard if it exits 0. Lines are
      not looked at yet.
      """
  ) { options throws(VerbError) in
    let board = try DevicesVerb.board(options) ?? .simulated
    let configuration = try Places.configuration(options, board: board)
    let state = Places.stateFolder(options)
    let parts = SoundParts(configuration, board, state: state)
    let device = LocalSettings.look(state: state).file.soundDevice
    let definitions = try StoreFile(options).store.definitions
    let findings =
      Doctor.outputs(parts.outputs(device: device)) + Doctor.recordings(parts)
      + Doctor.definitions(configuration.flaws(in: definitions, sounds: parts.sounds))
    Output.write(findings.map(\.line).joined())
    return findings.contains { $0.isHeard } ? .done : .notHeld
  }
}

/// What was looked at, and what came of it.
struct Finding {
  /// What was looked at.
  var what: String
  /// What is wrong and what cures it; nil if all is well.
  var trouble: String?
  /// Whether a bell would be heard by it.
  var isHeard = false

  var line: String { trouble.map { "!! \(what): \($0)\n" } ?? "ok \(what)\n" }
}

enum Doctor {
  /// Each output is opened and closed again; one that the service plays on is well.
  static func outputs(_ requests: [OutputRequest]) -> [Finding] {
    let system = SoundSystem()
    return requests.flatMap { request -> [Finding] in
      let what = "output \(request.name)"
      if let error = ALSADevice.trouble(with: request, on: system) {
        if case .busy(_, let holder?) = error, holder.hasPrefix("timerbox") {
          return [Finding(what: "\(what), which \(holder) plays on", isHeard: true)]
        }
        return [Finding(what: what, trouble: "\(error.description). \(cure(error))")]
      }
      let warnings = request.card(on: system).map(ALSAMixer.prepare(card:)) ?? []
      return [Finding(what: what, isHeard: true)]
        + warnings.map { Finding(what: what, trouble: $0.description) }
    }
  }

  static func recordings(_ parts: SoundParts) -> [Finding] {
    parts.faults.map { fault in
      // What is wrong with a file begins with its name.
      let name = "\(fault.what): "
      let detail =
        fault.detail.hasPrefix(name)
        ? String(fault.detail.dropFirst(name.count)) : fault.detail
      return Finding(
        what: fault.what, trouble: "\(detail) `timerbox sounds add FILE` makes it anew.")
    }
  }

  static func definitions(_ flaws: [StoreFlaw]) -> [Finding] {
    flaws.map { flaw in
      Finding(
        what: "store", trouble: "\(StoreWords.plain(flaw.text)). `timerbox kv set` mends it.")
    }
  }

  private static func cure(_ error: ALSAOutputError) -> String {
    switch error {
    case .busy: "End that program, or give the box a card of its own in sound.device."
    case .unknown, .absent: "`timerbox devices` lists the cards; name one in sound.device."
    case .noCard: "Plug one in, or switch its driver on."
    case .forbidden: "Put the user of the service into the group audio."
    case .noListener: "Switch the television on, or name another output in sound.fallback."
    case .noServer: "Name a card in sound.device, which needs no sound server."
    case .device, .stalled, .stuck, .system: "Another output in sound.fallback rings in its place."
    }
  }
}
