import Bells
import Ticks

// What settings must agree on, beyond each one's own range. An interval that is longer than the sit
// is allowed: it rings in a longer one.

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
    return ordered + Configuration.rungRoles.compactMap(longBell)
      + Configuration.rungRoles.flatMap(strikesBesidePattern)
      + [crownWithoutEnd, deviceTwice].compactMap { $0 }
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

  /// An error for each key of a bell that its pattern leaves without a meaning.
  private func strikesBesidePattern(_ role: String) -> [SettingsError] {
    let pattern = "bell.\(role).pattern"
    guard value(of: pattern) != .unset else { return [] }
    return ["strikes", "gap"].compactMap { name in
      let key = "bell.\(role).\(name)"
      guard origin(of: key) != .standard else { return nil }
      let (found, expected) = ("\(key) = \(text(of: key))", "no \(name) beside \(pattern)")
      return SettingsError(
        .value(found: found, expected: expected, nearest: nil), at: place(of: key))
    }
  }

  /// The roles that this version rings.
  static let rungRoles = ["start", "interval", "end", "cue"]

  /// An error for each bell whose sound is not among those there are. One that somebody recorded
  /// may be missing: another rings in its place.
  func unknownSounds(_ sounds: [String]) -> [SettingsError] {
    Configuration.rungRoles.compactMap { role in
      let key = "bell.\(role).sound"
      let name = text(of: key)
      guard name != "none", !name.hasPrefix(Sound.ownPrefix), !sounds.contains(name) else {
        return nil
      }
      let choices = sounds + ["none"]
      return SettingsError(
        .value(
          found: name, expected: listed(choices), nearest: nearest(to: name, among: choices)),
        at: valuePlace(of: key))
    }
  }

  private func longBell(_ role: String) -> SettingsError? {
    let (strikes, gap) = ("bell.\(role).strikes", "bell.\(role).gap")
    guard case .count(let count) = value(of: strikes), value(of: "bell.\(role).pattern") == .unset
    else { return nil }
    guard span(gap) * Int64(count - 1) > longestBell else { return nil }
    let expected = "strikes that end within \(longestBell.lengthText)"
    return error(
      strikes, expected: "\(expected) at \(gap) \(text(of: gap))",
      or: gap, expected: "\(expected) for \(strikes) \(text(of: strikes))")
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
