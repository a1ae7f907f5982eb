import Ticks
import TimerMachine

/// The bells of the borders of one kind of segment, where they are its own.
public struct SegmentBells: Equatable, Sendable {
  /// The kind: `walk`.
  public var kind: String
  /// The bell where a segment of this kind begins; nil where the role `segment` rings.
  public var begin: BellRecipe?
  /// The bell where it ends; nil where the begin of the next, or the role `segment`, rings.
  public var end: BellRecipe?

  /// Makes bells.
  public init(kind: String, begin: BellRecipe? = nil, end: BellRecipe? = nil) {
    self.kind = kind
    self.begin = begin
    self.end = end
  }
}

/// A named plan: what a sit of it is, and how it sounds. A definition, the same on every box; which
/// one is chosen is each device's own.
public struct Programme: Equatable, Sendable {
  /// How long a sit of it is.
  public enum Length: Equatable, Sendable {
    /// What the knob is set to.
    case set
    /// As long as its segments, or its one stretch.
    case fixed
    /// Until a hand ends it.
    case open
    /// Until the clock shows this, so long after midnight.
    case until(Span)
  }

  /// Its name, which is also what it is asked for by.
  public var name: String
  /// How long it is.
  public var length: Length
  /// Its plan. The length is that of `fixed`; the choices of the device do not change it.
  public var plan: SitPlan
  /// One recipe a role, in the order of `BellRole`.
  public var bells: [BellRecipe]
  /// The bells of kinds of segments that have their own.
  public var segmentBells: [SegmentBells]

  /// Makes a programme.
  public init(
    name: String, length: Length, plan: SitPlan, bells: [BellRecipe],
    segmentBells: [SegmentBells] = []
  ) {
    self.name = name
    self.length = length
    self.plan = plan
    self.bells = bells
    self.segmentBells = segmentBells
  }

  /// The programme that is always there: the length from the knob, and the defaults of the
  /// contract.
  public static let simple = Programme(
    name: "simple", length: .set, plan: SitPlan(length: nil), bells: BellRecipe.standards)

  /// Whether it is the one whose length the knob sets: what is chosen in the lower row of the
  /// remote is its own too.
  public var isSimple: Bool { length == .set }

  /// The recipe of the bell between two segments: the begin bell of the kind that begins, else the
  /// end bell of the kind that ends, else that of the role.
  public func border(from ended: String, to begun: String) -> BellRecipe {
    let begin = segmentBells.first { $0.kind == begun }?.begin
    let end = segmentBells.first { $0.kind == ended }?.end
    return begin ?? end ?? bells[Int(BellRole.segment.rawValue)]
  }
}

extension [Programme] {
  /// The place of the programme of a name.
  func place(of name: String) -> Int? {
    for index in indices where self[index].name == name { return index }
    return nil
  }

  /// The place of `simple`.
  var simplePlace: Int {
    for index in indices where self[index].isSimple { return index }
    preconditionFailure("one of the programmes has the length of the knob")
  }
}

/// When a programme that goes on until the clock shows a time would end if it were begun now.
public struct UntilEnd: Equatable, Sendable {
  /// The programme's name.
  public var programme: String
  /// The instant at which the clock will next show its time.
  public var end: Instant

  /// Makes an end.
  public init(programme: String, end: Instant) {
    self.programme = programme
    self.end = end
  }
}
