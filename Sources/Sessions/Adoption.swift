/// That what was one owner's is another's now: what `sync --adopt` did. It is a line of the replica
/// and never goes, so that whoever meets a copy that still names the former owner knows whose it
/// is, and boxes that adopt one another at once agree on one owner.
///
///     o {"c":1,"f":"AAAAAAAAQAGAAAAAAAAAAg","t":"AAAAAAAAQAWAAAAAAAAABg"}
///
/// Invariants:
/// - The adoptions that a store knows are a set that only grows; the owner they name is a function
///   of that set alone.
struct Adoption: Hashable, Comparable, Sendable {
  static let kind = Character("o")
  /// No box adopts as often as that; a greater count is nobody's.
  private static let counts: ClosedRange<Int64> = 1...1_000_000_000_000

  /// Whose it was (`f`).
  let former: Identity
  /// Whose it is (`t`).
  let owner: Identity
  /// Greater than that of every adoption that was known where it was made (`c`).
  let count: Int64

  init(of former: Identity, by owner: Identity, after last: Int64) {
    self.former = former
    self.owner = owner
    count = min(last + 1, Adoption.counts.upperBound)
  }

  /// Reads a line; nil when it is none or not understood.
  init?(line: [UInt8]) {
    guard let line = try? ReplicaLine(parsing: line[...]), line.kind == Adoption.kind.asciiValue,
      let payload = try? JSONValue(
        parsing: line.payload, depthLimit: SessionStore.lineDepthLimit),
      let former = payload["f"]?.stringValue.flatMap(Identity.init(compact:)),
      let owner = payload["t"]?.stringValue.flatMap(Identity.init(compact:)),
      let count = payload["c"]?.integerValue, Adoption.counts.contains(count)
    else { return nil }
    self.former = former
    self.owner = owner
    self.count = count
  }

  var line: ReplicaLine {
    ReplicaLine(
      kind: Adoption.kind,
      .object(of: [
        JSONMember("c", .integer(count)), JSONMember("f", .string(former.compact)),
        JSONMember("t", .string(owner.compact)),
      ]))
  }

  /// The earlier one first; of two boxes that adopted one another at once the smaller owner's is
  /// the later one.
  static func < (left: Adoption, right: Adoption) -> Bool {
    (left.count, right.owner, right.former) < (right.count, left.owner, left.former)
  }
}

extension SessionStore {
  /// All whose sits these are or were, as far as it is known: they are one owner.
  var family: Set<Identity> {
    adoptions.reduce(into: [owner]) { $0.formUnion([$1.former, $1.owner]) }
  }

  /// Whose sits these are by the latest adoption; nil where there was none.
  var ownerByAdoption: Identity? { adoptions.max()?.owner }

  /// Notes that this store is becoming another owner's.
  /// - Parameter known: the adoptions of others that are known here and may not be in this store.
  mutating func noteAdoption(by other: Identity, knowing known: Set<Adoption>) {
    let last = adoptions.union(known).map(\.count).max() ?? 0
    keep(Adoption(of: owner, by: other, after: last).line.bytes)
  }
}
