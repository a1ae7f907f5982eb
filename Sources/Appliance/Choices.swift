import Bells
import Controls
import Ticks
import TimerMachine

/// What is seen behind the time.
public enum Picture: UInt8, CaseIterable, Sendable {
  /// A fire.
  case fire
  /// Water.
  case water
  /// A plain ground.
  case plain
  /// Nothing: the time on black.
  case none

  /// The name that state lines use.
  public var name: StaticString {
    switch self {
    case .fire: "fire"
    case .water: "water"
    case .plain: "plain"
    case .none: "none"
    }
  }
}

/// What is chosen on this device for the sits that begin on it: the programme, and the lower row of
/// the remote. Bell, interval and preparation of that row are those of `simple`; every other
/// programme brings its own.
///
/// Each choice of the row goes through its values and then begins again. A configured value that is
/// not among them stands until it is left: next comes the first one that is greater.
public struct Choices: Equatable, Sendable {
  /// The spans between interval bells that there are to choose, after none.
  public static let intervals: [Span] = [
    .minutes(1), .minutes(5), .minutes(10), .minutes(15), .minutes(30),
  ]
  /// The preparations that there are to choose.
  public static let preparations: [Span] = [.zero, .seconds(10), .seconds(30), .minutes(1)]

  /// The name of the programme of the next sit; one that there is not now stands for the first.
  public internal(set) var programme: String
  /// Whether a turn rates the sit that is over.
  public internal(set) var hasRating: Bool
  /// The sound of all bells of a sit, by its position among the sounds of the box; nil for none.
  /// Until it is changed the roles keep the sounds of their recipes, and this is that of the end
  /// bell.
  public private(set) var bell: Int?
  /// The span from one interval bell to the next; nil for none.
  public private(set) var interval: Span?
  /// From the command to the start bell.
  public private(set) var preparation: Span
  /// What is seen behind the time.
  public private(set) var picture: Picture
  /// Those that somebody made on this device; the others are as they are configured.
  public private(set) var chosen: [PanelChoice]
  private let sounds: [Sound]

  /// The choices of a device that was just switched on.
  public init(_ settings: ApplianceSettings) {
    programme = settings.programme
    hasRating = settings.hasRating
    chosen = settings.chosen
    sounds = settings.sounds
    bell = settings.bells[Int(BellRole.end.rawValue)].sound
    interval = settings.plan.intervals.every
    preparation = settings.plan.preparation
    picture = settings.picture
  }

  /// Takes over what nobody has chosen from another definition of `simple`.
  mutating func follow(_ simple: Programme) {
    if !chosen.contains(.bell) { bell = simple.bells[Int(BellRole.end.rawValue)].sound }
    if !chosen.contains(.interval) { interval = simple.plan.intervals.every }
    if !chosen.contains(.preparation) { preparation = simple.plan.preparation }
  }

  /// Gives a choice its next value.
  public mutating func change(_ choice: PanelChoice) {
    if !chosen.contains(choice) { chosen.append(choice) }
    switch choice {
    case .bell:
      // What answers a hand is no bell.
      let standing = bell ?? -1
      bell = sounds.indices.first { $0 > standing && sounds[$0].isBell }
    case .interval:
      interval = Choices.intervals.first { $0 > interval ?? .zero }
    case .preparation:
      let standing = preparation
      preparation = Choices.preparations.first { $0 > standing } ?? .zero
    case .picture:
      picture = Picture(rawValue: picture.rawValue + 1) ?? .fire
    }
  }

  /// Gives the picture by its name.
  mutating func choose(_ picture: Picture) {
    if !chosen.contains(.picture) { chosen.append(.picture) }
    self.picture = picture
  }

  /// The value of a choice in words.
  public func text(_ choice: PanelChoice) -> String {
    switch choice {
    case .bell: bell.map { sounds[$0].name } ?? "none"
    case .interval: interval?.lengthText ?? "none"
    case .preparation: preparation.lengthText
    case .picture: picture.name.description
    }
  }
}

extension ApplianceSettings {
  /// Takes over a choice that was made on this device before.
  /// - Parameter text: its value in the words of `Choices.text(_:)`; one that it cannot have, as
  ///   after a change of the program, is left.
  public mutating func choose(_ choice: PanelChoice, _ text: String) {
    let isNone = text == "none"
    let span = try? Span(length: text)
    switch choice {
    case .bell:
      let sound = sound(named: text)
      guard isNone || sound != nil else { return }
      for role in BellRole.ofSit { bells[Int(role.rawValue)].sound = sound }
    case .interval:
      guard isNone || Choices.intervals.contains(where: { $0 == span }) else { return }
      plan.intervals.every = isNone ? nil : span
    case .preparation:
      guard let span, Choices.preparations.contains(span) else { return }
      plan.preparation = span
    case .picture:
      guard let known = Picture.allCases.first(where: { $0.name.description == text }) else {
        return
      }
      picture = known
    }
    if !chosen.contains(choice) { chosen.append(choice) }
  }
}

extension BellRole {
  /// The roles that ring in a sit; a choice of the bell is theirs.
  static let ofSit: [BellRole] = [.start, .interval, .segment, .end]
}
