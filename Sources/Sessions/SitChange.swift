/// One change of the sits: by hand, or by a row of a file.
public enum SitChange: Equatable, Sendable {
  /// Adds a sit that somebody remembers. Without force it is refused where one of the same source
  /// device is there at that time, the one that runs now too, and where it ends later than now.
  case add(MeditationSession, isForced: Bool)
  /// Takes a sit from a file. One that is here, or was deleted here, is left as it is. A foreign
  /// one is here also where another one has its start, its duration and its source device. Any
  /// other is refused without force where `add` refuses it.
  case take(MeditationSession, isForeign: Bool, isForced: Bool)
  /// Gives fields of a sit new values, by their names in JSON. A new start moves the whole sit, a
  /// new duration its end.
  case edit(id: String, [JSONMember], isForced: Bool)
  /// Deletes a sit for good.
  case delete(id: String)
  /// Brings the sits that were deleted last back, as new ones. Without force that is refused where
  /// a sit of the same source device is there by now.
  case undo(isForced: Bool)

  /// Whether a text may name a sit: it is an id, or eight characters of its beginning or more.
  public static func canName(_ text: String) -> Bool {
    (8...36).contains(text.utf8.count)
      && text.utf8.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index)
          ? byte == UInt8(ascii: "-") : Character(Unicode.Scalar(byte)).isHexDigit
      }
  }

  /// Whether it is a row of a file, which stands for itself: of all others either all are done or
  /// none.
  var isRow: Bool {
    if case .take = self { true } else { false }
  }
}

/// What became of changes.
public struct SitTally: Equatable, Sendable {
  /// A change that was not made.
  public struct Refusal: Equatable, Sendable {
    /// Which one, from 0.
    public var index: Int
    /// Why, as a sentence.
    public var reason: String
  }

  /// How many refusals and identities are named.
  public static let namesMax = 500

  /// Sits that are there now and were not before.
  public internal(set) var new = 0
  /// Rows whose sits were here already, deleted ones too.
  public internal(set) var known = 0
  /// Of those, how many were deleted here.
  public internal(set) var deleted = 0
  /// The sits that were added by hand or brought back.
  public internal(set) var identities: [Identity] = []
  /// What was refused, the first of it.
  public internal(set) var refusals: [Refusal] = []

  /// Makes the tally of nothing.
  public init() {}

  mutating func refuse(_ index: Int, _ reason: String) {
    if refusals.count < SitTally.namesMax {
      refusals.append(Refusal(index: index, reason: reason))
    }
  }

  mutating func add(_ identity: Identity) {
    new += 1
    if identities.count < SitTally.namesMax { identities.append(identity) }
  }

  /// Puts another tally's figures to these; its refusals count from a place on.
  public mutating func add(_ other: SitTally, from first: Int) {
    new += other.new
    known += other.known
    deleted += other.deleted
    identities += other.identities
    refusals += other.refusals.map { Refusal(index: first + $0.index, reason: $0.reason) }
  }
}

// MARK: - In the store

extension SessionStore {
  /// The sit that a person names, by its whole id or by eight digits of its beginning or more.
  func identity(named text: String) throws(StoreError) -> Identity {
    if let id = Identity(text) {
      if deletedSits[id] != nil { throw .deletedSit(id) }
      if sits[id] == nil { throw .noSuchSit(id) }
      return id
    }
    guard SitChange.canName(text) else { throw .notAnIdentity(text) }
    let name = text.uppercased()
    let found = sits.keys.filter { $0.description.hasPrefix(name) }
    if found.count > 1 { throw .ambiguousName(text, count: found.count) }
    guard let id = found.first else { throw .noSitNamed(text) }
    return id
  }

  /// How far ahead of now a sit may end that somebody tells of: clocks differ a little.
  private static let aheadMilliseconds: Int64 = 5 * 60_000

  /// Refuses a sit at a time when one of the same source device is there, and one that is not over.
  private func refuseTime(
    of session: MeditationSession, at time: WriteTime, _ others: inout SitsBeside
  ) throws(StoreError) {
    if let other = others.overlapped(by: session, in: self) { throw .overlap(other) }
    guard time.isKnown else { return }
    if session.endDate.milliseconds - time.wall.milliseconds > SessionStore.aheadMilliseconds {
      throw .endsAhead(session, now: time.wall)
    }
    if let running = others.running, session.isOfABox, session.endDate > running.since,
      session.startDate < time.wall
    {
      throw .overlapRunning(since: running.since, offsetSeconds: session.utcOffsetSeconds)
    }
  }

  /// Makes one change, or throws and makes none.
  mutating func apply(
    _ change: SitChange, at time: WriteTime, _ tally: inout SitTally, _ others: inout SitsBeside
  ) throws(StoreError) {
    switch change {
    case .add(let session, let isForced):
      if let problem = session.contradiction { throw .wrongField(FieldProblem(problem)) }
      if !isForced { try refuseTime(of: session, at: time, &others) }
      if try !add(session) { throw .overlap(session) }
      others.insert(session)
      tally.add(session.id)
    case .take(let session, let isForeign, let isForced):
      if deletedSits[session.id] != nil {
        tally.deleted += 1
        tally.known += 1
      } else if sits[session.id] != nil || isForeign && others.has(session, in: self) {
        tally.known += 1
      } else {
        if let problem = session.contradiction { throw .wrongField(FieldProblem(problem)) }
        if !isForced { try refuseTime(of: session, at: time, &others) }
        try add(session)
        others.insert(session)
        tally.new += 1
      }
    case .edit(let name, let members, let isForced):
      try edit(identity(named: name), members, isForced: isForced, at: time, &others)
      others.forget()
    case .delete(let name):
      try delete(identity(named: name), at: time)
      others.forget()
    case .undo: preconditionFailure("the storekeeper knows what was deleted")
    }
  }

  private mutating func edit(
    _ id: Identity, _ members: [JSONMember], isForced: Bool, at time: WriteTime,
    _ others: inout SitsBeside
  ) throws(StoreError) {
    guard let before = sits[id]?.session else { throw .noSuchSit(id) }
    var after = before
    do throws(FieldProblem) { try after.change(members) } catch { throw .wrongField(error) }
    let movesTime = after.startDate != before.startDate || after.endDate != before.endDate
    // Who gives it dates knows them, and no clock that becomes known sets them again.
    if movesTime, after.clock == .unsynced, !members.contains(where: { $0.name == "clock" }) {
      after.clock = .repaired
    }
    if let problem = after.problem, problem != before.problem {
      throw .impossibleSit(id, problem: problem)
    }
    if let problem = after.contradiction, problem != before.contradiction {
      throw .wrongField(FieldProblem(problem))
    }
    if movesTime || after.sourceDevice != before.sourceDevice, !isForced {
      try refuseTime(of: after, at: time, &others)
    }
    try edit(id, at: time) { $0 = after }
  }
}

/// What is there beside a sit that is changed; read from the store where it is first needed.
struct SitsBeside {
  /// The sit that runs on this device.
  let running: Claim?
  private var spans: SitSpans?
  private var content: Set<SitContent>?

  init(running: Claim? = nil) { self.running = running }

  /// The earliest sit of the same source device at the time of one; nil when there is none.
  mutating func overlapped(
    by session: MeditationSession, in store: SessionStore
  ) -> MeditationSession? {
    let spans = self.spans ?? SitSpans(store)
    self.spans = spans
    return spans.overlapped(by: session).flatMap { store.sits[$0]?.session }
  }

  /// Whether the store has the content of a sit under whatever id.
  mutating func has(_ session: MeditationSession, in store: SessionStore) -> Bool {
    let content = self.content ?? Set(store.sits.values.compactMap(\.session).map(SitContent.init))
    self.content = content
    return content.contains(SitContent(session))
  }

  /// The store has one more.
  mutating func insert(_ session: MeditationSession) {
    spans?.insert(session)
    content?.insert(SitContent(session))
  }

  /// The store is another one now.
  mutating func forget() { (spans, content) = (nil, nil) }
}

/// What tells a foreign sit from another one where ids do not.
struct SitContent: Hashable {
  let start: WallInstant
  let durationSeconds: Int64
  let sourceDevice: MeditationSession.SourceDevice

  init(_ session: MeditationSession) {
    start = session.startDate
    durationSeconds = session.durationSeconds
    sourceDevice = session.sourceDevice
  }
}

extension MeditationSession {
  /// Whether a box recorded it, or a person for one.
  var isOfABox: Bool { sourceDevice == .timerBox || sourceDevice == .timerTV }

  /// The sit as a sentence names it.
  var mention: String {
    "the sit \(id) from \(startDate.text(offsetSeconds: utcOffsetSeconds)) to "
      + endDate.text(offsetSeconds: utcOffsetSeconds)
  }

  /// Gives fields new values as a person means it: a new start moves the sit with all that is in
  /// it, a new duration moves its end.
  mutating func change(_ members: [JSONMember]) throws(FieldProblem) {
    let before = self
    for member in members {
      guard MeditationSession.fieldNames.contains(member.name), member.name != "id" else {
        throw FieldProblem("a sit has no field \(JSONValue.quoted(member.name)) to be changed")
      }
      try set(member.name, to: member.value)
    }
    let names = members.map(\.name)
    let moved = startDate.milliseconds - before.startDate.milliseconds
    if names.contains("startDate"), !names.contains("interruptions") {
      for index in interruptions.indices {
        interruptions[index].from.milliseconds += moved
        interruptions[index].to.milliseconds += moved
      }
    }
    if !names.contains("endDate") {
      let span = before.endDate.milliseconds - before.startDate.milliseconds
      let (longer, isLong) = durationSeconds.subtractingReportingOverflow(before.durationSeconds)
      if isLong || abs(longer) > 1_000_000_000_000 { throw FieldProblem("a length is too great") }
      endDate.milliseconds = startDate.milliseconds + span + longer * 1_000
      if longer < 0, !names.contains("interruptions") { cutInterruptions() }
    }
  }
}

extension MeditationSession {
  /// Leaves of the interruptions what lies before the end.
  private mutating func cutInterruptions() {
    interruptions.removeAll { $0.from >= endDate }
    for index in interruptions.indices {
      interruptions[index].to = min(interruptions[index].to, endDate)
    }
  }
}

extension JSONValue {
  /// A text in quotes, as JSON writes it.
  static func quoted(_ text: String) -> String {
    String(decoding: JSONValue.string(text).encoded(), as: UTF8.self)
  }
}
