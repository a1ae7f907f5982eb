import ALSAOutput
import Appliance
import Box
import ControlSocket
import LinuxIO
import Settings
import Ticks

extension ApplianceCommand {
  /// Whether a strike that nobody knew ahead may answer it.
  fileprivate var sounds: Bool {
    switch self {
    case .start, .ring, .timer(.skip): true
    case .timer, .setVolume, .setRoleVolume, .choose, .setRating, .setPicture, .undo: false
    }
  }
}

// What clients of the control socket ask.
extension Service {
  mutating func takeCalls(_ event: LoopEvent, at now: Instant) {
    let calls = server?.handle(event, loop: loop) ?? []
    for call in calls {
      let isOfStore = call.request.command.isOfStore
      let answer = isOfStore ? askStore(call) : answer(call.request, at: now)
      if let answer { send(answer, to: call) }
    }
  }

  // MARK: - Sits

  /// How long whoever has changed a sit waits at most until that is on the disk.
  static let sitAnswerSpan = Span.milliseconds(500)
  /// What changes the sit that is on.
  private static let sitCommands: [ControlRequest.Command] = [
    .start, .pause, .resume, .stop, .discard, .skip,
  ]

  /// Who has changed a sit is answered once a kill cannot undo it.
  private mutating func send(_ answer: ControlAnswer, to call: ControlCall) {
    let changesSit = Service.sitCommands.contains(call.request.command)
    let isRefused = if case .refused = answer { true } else { false }
    guard changesSit, !isRefused, !journal.isSettled else {
      server?.answer(call.caller, answer, loop: loop)
      return
    }
    sitCallers.append((call.caller, answer, box.now + Service.sitAnswerSpan))
  }

  mutating func answerSitCallers(at now: Instant) {
    while let first = sitCallers.first, journal.isSettled || first.until <= now {
      sitCallers.removeFirst()
      server?.answer(first.caller, first.answer, loop: loop)
    }
  }

  private mutating func answer(_ request: ControlRequest, at now: Instant) -> ControlAnswer {
    switch request.command {
    case .status:
      advance(to: now)
      var line = box.stateWithStore(at: now)
      line.clock = Clock.wallSource()?.rawValue ?? "unknown"
      return .state(line)
    case .watch:
      advance(to: now)
      return .state(box.state(at: now))
    case .start: return start(request, at: now)
    case .pause: return command(.timer(.pause), at: now)
    case .resume: return command(.timer(.resume), at: now)
    case .stop:
      isSitDropped = false
      let answer = command(.timer(.stop), at: now)
      return isSitDropped && answer == .ok
        ? .data("the sit was shorter than sit.minimum and is not kept") : answer
    case .discard: return command(.timer(.discard), at: now)
    case .skip: return command(.timer(.skip), at: now)
    case .ring:
      switch sound(of: request) {
      case .success(let sound): return command(.ring(sound: sound), at: now)
      case .failure(let error): return .error(message: error.message)
      }
    case .set, .unset: return choose(request, at: now)
    case .undo: return command(.undo, at: now)
    case .sits, .sync, .keySet, .keyDelete: preconditionFailure("the storage thread answers it")
    }
  }

  /// What the reason begins with for which a start is refused while another box of the owner sits.
  private static let elsewhereWords = "a sit runs on "

  private mutating func command(_ command: ApplianceCommand, at now: Instant) -> ControlAnswer {
    ask(.appliance(.command(command)), isHeard: command.sounds, at: now)
  }

  /// - Parameter isHeard: whether a strike that nobody knew ahead may answer it.
  private mutating func ask(
    _ event: BoxEvent, isHeard: Bool, at now: Instant
  ) -> ControlAnswer {
    advance(to: now)
    if isHeard { warmUp() }
    refusal = nil
    handle(event, at: now)
    guard let refusal else { return .ok }
    return refusal.hasPrefix(Service.elsewhereWords)
      ? .elsewhere(reason: refusal) : .refused(reason: refusal)
  }

  private struct FieldError: Error {
    var message: String
  }

  private func sound(of request: ControlRequest) -> Result<Int?, FieldError> {
    guard let name = request.sound else { return .success(nil) }
    let names = sound.sounds.map(\.name)
    guard let index = names.firstIndex(of: name) else {
      let message =
        "found \(quoted(name)), expected a sound: \(names.joined(separator: ", "))"
        + suggestion(for: name, among: names)
      return .failure(FieldError(message: message))
    }
    return .success(index)
  }

  /// Makes or forgets a choice of this device. It is applied at once, and kept once it stands.
  private mutating func choose(_ request: ControlRequest, at now: Instant) -> ControlAnswer {
    let key = request.key ?? ""
    do throws(SettingsError) {
      let subject = try LocalChoice.subject(key: key)
      let value =
        request.command == .set
        ? try LocalChoice.read(key: key, value: request.value ?? "")
        : try LocalChoice.standard(key: key)
      switch (subject, value) {
      case (.volume, .count(let percent)): return command(.setVolume(percent), at: now)
      case (.roleVolume(let role), .count(let percent)):
        return command(.setRoleVolume(role, percent), at: now)
      case (.roleVolume(let role), _): return command(.setRoleVolume(role, nil), at: now)
      case (.soundDevice, .text(let device)): return choose(soundDevice: device, at: now)
      case (.soundDevice, _): return choose(soundDevice: nil, at: now)
      case (.programme, .text(let name)): return command(.choose(programme: name), at: now)
      case (.rating, .flag(let isOn)): return command(.setRating(isOn), at: now)
      case (.picture, .text(let name)):
        let picture = Picture.allCases.first { $0.name.description == name } ?? .fire
        return command(.setPicture(picture), at: now)
      case (.journey, .text(let name)):
        return choose(journey: name == "none" ? nil : name, at: now)
      case (.brightness, .count(let percent)):
        keep("brightness", request.command == .set ? "\(percent)" : nil)
        return .ok
      case (.volume, _), (.programme, _), (.rating, _), (.picture, _), (.journey, _),
        (.brightness, _):
        preconditionFailure("the table gives \(key) another kind")
      }
    } catch {
      return .error(message: error.text)
    }
  }

  private mutating func start(_ request: ControlRequest, at now: Instant) -> ControlAnswer {
    if let until = request.until, request.isOneThing {
      return start(until: until, anyway: request.anyway, at: now)
    }
    switch length(of: request) {
    case .success(let length): return command(.start(length, anyway: request.anyway), at: now)
    case .failure(let error): return .error(message: error.message)
    }
  }

  private mutating func start(
    until text: String, anyway: Bool, at now: Instant
  ) -> ControlAnswer {
    guard let time = Span(timeOfDay: text) else {
      return .error(message: "found \(quoted(text)), expected a time of day from 00:00 to 23:59")
    }
    return ask(.startUntil(time, anyway: anyway), isHeard: true, at: now)
  }

  /// What a sit is to be, of which a request says one thing at most.
  private func length(of request: ControlRequest) -> Result<SitLength, FieldError> {
    guard request.isOneThing else {
      let found = request.wishes.joined(separator: " and ")
      return .failure(
        FieldError(message: "found \(found), expected one of length, programme, until and open"))
    }
    if let text = request.length {
      guard let span = try? Span(length: text), Verb.startRange.contains(span) else {
        return .failure(FieldError(message: Verb.lengthRefusal(text)))
      }
      return .success(.fixed(span))
    }
    if let name = request.programme { return programme(name) }
    return .success(request.open ? .open : .set)
  }

  private func programme(_ name: String) -> Result<SitLength, FieldError> {
    let names = box.appliance.programmes.map(\.name)
    if names.contains(name) { return .success(.programme(name)) }
    let message =
      "found \(quoted(name)), expected a programme: \(names.joined(separator: ", "))"
      + suggestion(for: name, among: names)
    return .failure(FieldError(message: message))
  }
}

extension ControlRequest {
  /// What it says of the sit to be begun.
  fileprivate var wishes: [String] {
    [
      ("length", length != nil), ("programme", programme != nil), ("until", until != nil),
      ("open", open),
    ].filter(\.1).map(\.0)
  }

  fileprivate var isOneThing: Bool { wishes.count <= 1 }
}
