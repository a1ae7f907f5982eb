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
    case .timer, .setVolume, .setRoleVolume: false
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
      if let answer { server?.answer(call.caller, answer, loop: loop) }
    }
  }

  private mutating func answer(_ request: ControlRequest, at now: Instant) -> ControlAnswer {
    switch request.command {
    case .status:
      advance(to: now)
      return .state(box.stateWithStore(at: now))
    case .watch:
      advance(to: now)
      return .state(box.state(at: now))
    case .start:
      switch length(of: request) {
      case .success(let length): return command(.start(length), at: now)
      case .failure(let error): return .error(message: error.message)
      }
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
    case .undo, .sits, .sync, .keySet, .keyDelete:
      return .error(message: "\"\(request.command.rawValue)\" is not built yet in this version")
    }
  }

  private mutating func command(_ command: ApplianceCommand, at now: Instant) -> ControlAnswer {
    advance(to: now)
    if command.sounds { warmUp() }
    refusal = nil
    handle(.appliance(.command(command)), at: now)
    return refusal.map { .refused(reason: $0) } ?? .ok
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
      case (.volume, _): preconditionFailure("a volume is a whole number")
      }
    } catch {
      return .error(message: error.text)
    }
  }

  private func length(of request: ControlRequest) -> Result<SitLength, FieldError> {
    if request.until != nil {
      return .failure(FieldError(message: "\"until\" is not built yet in this version"))
    }
    if let programme = request.programme, programme != "simple" {
      return .failure(
        FieldError(message: "found the programme \"\(programme)\", expected \"simple\""))
    }
    if request.open { return .success(.open) }
    guard let text = request.length else { return .success(.set) }
    guard let span = try? Span(length: text), Verb.startRange.contains(span) else {
      return .failure(
        FieldError(message: "found \"\(text)\", expected a length from 1m to 7d"))
    }
    return .success(.fixed(span))
  }
}
