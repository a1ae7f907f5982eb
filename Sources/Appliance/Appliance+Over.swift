import Ticks
import TimerMachine

/// What can still be done to a sit that is over.
struct Aftermath {
  /// Whether it is kept, and so can be rated and deleted.
  var isKept = false
  /// How it was rated.
  var rating: Int?
  /// Until when a second long press deletes it.
  var askedUntil: Instant?
  /// Whether it was deleted, and can be brought back.
  var isDeleted = false

  mutating func advance(to instant: Instant) {
    if let until = askedUntil, until <= instant { askedUntil = nil }
  }

  /// The sit is shown no more: nobody rates or deletes what is not before them.
  mutating func leave() {
    isKept = false
    askedUntil = nil
  }
}

// What a hand does to the sit that is over: a turn rates it, a long press asks whether it shall be
// deleted, and a second one deletes it. A deleted sit can be brought back until the next begins.
extension Appliance {
  /// How long the question stands open whether the sit shall be deleted.
  public static let askSpan = Span.seconds(5)
  /// What a sit can be rated.
  public static let ratings = 1...5

  /// Whether it is asked if the sit that is over shall be deleted.
  public var isAskingDelete: Bool { over.askedUntil != nil }

  /// How the sit that is over was rated; nil where it was not.
  public var rating: Int? { phase == .ended ? over.rating : nil }

  /// Whether the sit that is over is kept; nil where none is over.
  public var isKept: Bool? { phase == .ended ? over.isKept : nil }

  /// A turn counts from nothing: so many detents to the right, so many points.
  mutating func rate(_ steps: Int) {
    guard choices.hasRating else { return }
    guard over.isKept else { return refuse("rate", "no sit was kept") }
    let ratings = Appliance.ratings
    let wanted = min(max((over.rating ?? 0) + steps, ratings.lowerBound), ratings.upperBound)
    guard wanted != over.rating else { return }
    over.rating = wanted
    tell(.rated(wanted))
  }

  mutating func askDelete() {
    guard over.isKept else { return refuse("delete", "no sit was kept") }
    guard let until = over.askedUntil, now < until else {
      over.askedUntil = now + Appliance.askSpan
      return tell(.askedDelete)
    }
    over.isKept = false
    over.isDeleted = true
    tell(.deleted)
    time(.accept)
  }

  mutating func undo() {
    guard over.isDeleted else { return refuse("undo", "no sit was deleted") }
    over.isDeleted = false
    tell(.undone)
  }
}
