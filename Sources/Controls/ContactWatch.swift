import Ticks

/// What is to be made of a loss of the contacts' edges.
enum ContactLoss: Sendable {
  /// There was none, or it was made up for.
  case none
  /// The levels tell whether what was counted is still right, once they can be read.
  case untold
  /// Edges came before the levels could be read: the count has begun anew.
  case recounted
}

/// Knows when the crown's contacts are to be looked at, beside what their edges tell.
///
/// Edges get lost: the kernel's queue overflows, and some chips miss one where two lines change
/// nearly at once. So both levels are read again every `lookSpan` while the knob moves, and until
/// it has been still for `stillSpan`: a knob left half-way costs nothing after that. An edge that
/// comes when nobody has looked for longer than that is looked at first: the other contact may have
/// moved unseen before it.
struct ContactWatch: Sendable {
  /// From one look to the next. Losing one edge in ten at 5 ms a quarter costs nothing at 2 ms.
  static let lookSpan = Span.milliseconds(2)
  /// How long the knob must be still to be left alone.
  static let stillSpan = Span.milliseconds(50)

  private var looked: Instant?
  private var moved: Instant?

  /// When to look next; `nil` while the knob is still.
  var nextLook: Instant? {
    guard let looked, let moved else { return nil }
    let next = looked + ContactWatch.lookSpan
    return next <= moved + ContactWatch.stillSpan ? next : nil
  }

  /// Whether nobody has looked lately, so that an edge now tells only half of what happened.
  func isStale(at instant: Instant) -> Bool {
    guard let looked else { return true }
    return instant - looked > ContactWatch.lookSpan
  }

  /// An edge came, or a look found another level.
  mutating func move(at instant: Instant) {
    moved = instant
  }

  /// Both levels were read, or could not be.
  mutating func look(at instant: Instant) {
    looked = instant
  }
}
