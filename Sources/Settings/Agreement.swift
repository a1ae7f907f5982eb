import Bells
import Ticks

// What settings must agree on, beyond each one's own range. An interval that is longer than the sit
// of [sit] is allowed: the knob makes longer ones, and it rings in those.

/// Pairs of lengths of which the first is at most the second.
private let orders = [
  // No sit of the set length could be kept.
  (lesser: "sit.minimum", greater: "sit.length"),
  (lesser: "crown.step", greater: "crown.fast-step"),
  // A press is decided only after the debounce.
  (lesser: "button.debounce", greater: "button.double"),
  (lesser: "button.debounce", greater: "button.long"),
]

/// A bell falls silent by itself; ten minutes of strikes are no bell but an alarm.
private let longestBell = Span.minutes(10)

extension Configuration {
  /// Every rule that is broken, at a value that somebody set.
  func disagreements() -> [SettingsError] {
    let ordered = orders.compactMap { order -> SettingsError? in
      guard span(order.lesser) > span(order.greater) else { return nil }
      return error(
        order.lesser, expected: "at most \(order.greater) (\(text(of: order.greater)))",
        or: order.greater, expected: "at least \(order.lesser) (\(text(of: order.lesser)))")
    }
    let bells = Configuration.rungRoles.flatMap { role in
      bellErrors("bell.\(role).", named: "bell.\(role).") { origin(of: $0) != .standard }
    }
    return ordered + bells + [crownWithoutEnd, deviceTwice].compactMap { $0 }
      + programmeSections.flatMap { ProgrammePlan($0, in: self).errors }
  }

  /// The programmes of this configuration.
  var programmeSections: [NamedSection] { named.filter { $0.kind == .programme } }

  /// What is wrong with a bell as a whole.
  /// - Parameters:
  ///   - key: where its keys stand here: `bell.end.`.
  ///   - name: what they are called where somebody wrote them: `bell.walk.begin.`.
  ///   - isSet: whether somebody set the key of such a name, which is then to blame.
  func bellErrors(
    _ key: String, named name: String, _ isSet: (String) -> Bool
  ) -> [SettingsError] {
    guard value(of: key + "pattern") == .unset else {
      let expected = { (word: String) in "no \(word) beside \(name)pattern" }
      return ["strikes", "gap"].filter { isSet(name + $0) }.map { word in
        bellError(key + word, named: name + word, expected(word))
      }
    }
    let (gap, strikes) = (span(key + "gap"), Int64(count(key + "strikes")))
    guard gap * (strikes - 1) > longestBell else { return [] }
    let expected = "strikes that end within \(longestBell.lengthText)"
    if isSet(name + "strikes") {
      let reason = "\(expected) at \(name)gap \(text(of: key + "gap"))"
      return [bellError(key + "strikes", named: name + "strikes", reason)]
    }
    guard isSet(name + "gap") else { return [] }
    let reason = "\(expected) for \(name)strikes \(text(of: key + "strikes"))"
    return [bellError(key + "gap", named: name + "gap", reason)]
  }

  private func bellError(_ key: String, named name: String, _ expected: String) -> SettingsError {
    SettingsError(
      .value(found: "\(name) = \(text(of: key))", expected: expected, nearest: nil),
      at: place(of: key))
  }

  /// A lock leaves only the long press while a sit runs, and a board may have given that away.
  private var crownWithoutEnd: SettingsError? {
    guard crown.isLocked, let flaw = panels.crown.flaw(isLocked: true) else { return nil }
    return SettingsError(Panels.fault("crown.lock = yes", flaw), at: place(of: "crown.lock"))
  }

  /// An output to fall back on that is the wanted one would be tried twice.
  private var deviceTwice: SettingsError? {
    let (device, key) = (sound.device, "sound.fallback")
    guard let index = sound.fallback.firstIndex(of: device) else { return nil }
    let column = SettingKind.itemColumns(text(of: key))[index]
    return SettingsError(
      .value(found: device, expected: "a device other than sound.device", nearest: nil),
      at: valuePlace(of: key)?.moved(columns: column))
  }

  /// The roles of bells.
  static let rungRoles = ["start", "interval", "segment", "end", "reminder", "cue"]

  /// An error for each bell whose sound is not among those there are. One that somebody recorded
  /// may be missing: another rings in its place.
  func unknownSounds(_ sounds: [String]) -> [SettingsError] {
    let plain = Configuration.rungRoles.map { role in
      let key = "bell.\(role).sound"
      return (name: text(of: key), place: valuePlace(of: key))
    }
    let ofProgrammes = programmeSections.flatMap { section in
      section.settings.filter { $0.key.hasSuffix(".sound") }.map { _, setting in
        (name: setting.text, place: setting.valuePlace)
      }
    }
    let choices = sounds + ["none"]
    return (plain + ofProgrammes).filter { name, _ in
      !choices.contains(name) && !name.hasPrefix(Sound.ownPrefix)
    }.map { name, place in
      SettingsError(
        .value(
          found: name, expected: listed(choices), nearest: nearest(to: name, among: choices)),
        at: place)
    }
  }

  /// The error at the first key if somebody set it, else at the second: a default is not to blame.
  private func error(
    _ first: String, expected: String, or second: String, expected otherwise: String
  ) -> SettingsError {
    let isFirst = origin(of: first) != .standard
    let key = isFirst ? first : second
    return SettingsError(
      .value(
        found: "\(key) = \(text(of: key))", expected: isFirst ? expected : otherwise, nearest: nil),
      at: place(of: key))
  }

  private func place(of key: String) -> Place? {
    guard case .file(let place) = origin(of: key) else { return nil }
    return place
  }
}
