extension SessionStore {
  /// A live sit.
  struct Sit: Sendable {
    let id: Identity
    let start: WallInstant
    /// The bucket of a sit: the month of UTC in which it began.
    let month: Month
    /// The stamps of its edited fields.
    let stamps: [Stamp]
    let line: ReplicaLine

    /// The sit that a record holds; nil when it is not understood.
    init?(record: JSONValue) {
      guard let id = SessionCodec.id(of: record), let start = WallInstant(record["b"]),
        let stamps = SessionCodec.stamps(of: record)
      else { return nil }
      self.id = id
      self.start = start
      self.stamps = stamps.map(\.stamp)
      month = Month(of: start)
      line = ReplicaLine(kind: "s", SessionCodec.normal(record))
    }

    /// The record; nil never, since every line held was read once already.
    var record: JSONValue? {
      try? JSONValue(parsing: line.payload, depthLimit: SessionStore.lineDepthLimit)
    }

    var session: MeditationSession? { record.flatMap(SessionCodec.session) }
  }
}
