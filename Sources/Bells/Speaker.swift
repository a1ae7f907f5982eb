/// What the sounds are heard through.
public enum Speaker: UInt8, CaseIterable, Sendable {
  /// A loudspeaker that carries the lowest bowl.
  case full
  /// A small cone, which carries nothing below about 250 Hz.
  case small

  /// The name that settings use.
  public var name: String { self == .full ? "full" : "small" }

  /// The lowest frequency that a small cone carries well, in hertz: cones of 3 to 5 cm in a box of
  /// their size resonate at 200 to 300 Hz.
  static let smallHertz = 250.0
}

extension Sound {
  /// The sound as a loudspeaker wants it.
  ///
  /// A small cone cannot sound the lowest modes and would only be shaken by them. Each mode is
  /// lowered by the response of a Butterworth high-pass of the eighth order at 250 Hz (as a factor,
  /// so no phase is turned), modes that this lowers by 40 dB are left out, and the loudness is
  /// matched by measurement afterwards. So a bowl of 221 Hz is heard by its upper modes.
  public func adapted(to speaker: Speaker) -> Sound {
    guard speaker == .small, recording == nil else { return self }
    var sound = self
    sound.amplitude = smallAmplitude
    sound.partials = []
    for partial in partials {
      let share = Sound.highPass(partial.frequencyHertz)
      guard share > 0.01 else { continue }
      var kept = partial
      kept.level *= share
      sound.partials.append(kept)
    }
    if let noise { sound.noise?.lowHertz = max(noise.lowHertz, Speaker.smallHertz) }
    return sound
  }

  /// The response of the high-pass: its power is `x^16 / (1 + x^16)`.
  private static func highPass(_ frequency: Double) -> Double {
    var power = frequency / Speaker.smallHertz
    for _ in 0..<4 { power *= power }
    return Mathematics.squareRoot(power / (1 + power))
  }
}

extension Sound {
  /// The built-in sounds for a loudspeaker, in the order of `catalogue`.
  public static func catalogue(for speaker: Speaker) -> [Sound] {
    speaker == .full ? catalogue : catalogue.map { $0.adapted(to: speaker) }
  }

  /// The position of a built-in sound in the catalogue, or `nil` if none has that name.
  public static func index(named name: String) -> Int? {
    for index in catalogue.indices where catalogue[index].name == name { return index }
    return nil
  }

  /// The names of all built-in sounds, in the order of the catalogue.
  public static var names: [String] { catalogue.map { $0.name } }

  /// The names of those that can ring for a role; they come first in the catalogue.
  public static var bellNames: [String] { catalogue.filter { $0.isBell }.map { $0.name } }

  /// How many of the catalogue's sounds, from its beginning, can ring for a role.
  public static var bellCount: Int { bellNames.count }
}
