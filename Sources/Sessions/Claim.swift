/// What a box says of the sit that runs on it, so that no second one is begun elsewhere.
///
/// It is a line `{"c": claim, "d": device, "t": stamp}`, one for each device, which only that
/// device writes; null for the claim says that no sit runs there. The claim's members:
///
/// | name | field        | written as              | absent means   |
/// |------|--------------|-------------------------|----------------|
/// | `k`  | isClockKnown | true, false             | true           |
/// | `n`  | name         | string                  | nil            |
/// | `p`  | plannedEnd   | milliseconds since 1970 | nil (open)     |
/// | `s`  | since        | milliseconds since 1970 | (required)     |
/// | `w`  | writtenAt    | milliseconds since 1970 | (required)     |
/// | `z`  | isPaused     | true, false             | false          |
public struct Claim: Equatable, Sendable {
  /// An unplanned or paused sit is taken for over this long after its claim was written.
  public static let lapseMilliseconds: Int64 = 4 * 3_600_000
  /// No planned sit is believed to end later than this after its claim was written: it is the
  /// longest that can be asked for.
  public static let plannedMilliseconds: Int64 = 7 * 24 * 3_600_000
  /// A clock may be ahead of ours by as much before it is taken for wrong.
  public static let clockToleranceMilliseconds: Int64 = 5 * 60_000

  /// Where the sit runs.
  public var device: Identity
  /// When it began.
  public var since: WallInstant
  /// When it will be over if nothing happens; nil for an open sit.
  public var plannedEnd: WallInstant?
  /// Whether it is paused, so that its end moves.
  public var isPaused: Bool
  /// When this was said.
  public var writtenAt: WallInstant
  /// Whether the device knew the time then. If not, the instants here mean nothing to others.
  public var isClockKnown: Bool
  /// What people call the device (`store.device-name`); nil where they gave it no name.
  public var name: String?

  /// Makes a claim that is written at `time`.
  public init(
    device: Identity, since: WallInstant, plannedEnd: WallInstant?, isPaused: Bool = false,
    name: String? = nil, at time: WriteTime
  ) {
    self.device = device
    self.since = since
    self.plannedEnd = plannedEnd
    self.isPaused = isPaused
    self.name = name
    writtenAt = time.wall
    isClockKnown = time.isKnown
  }

  /// Whether the sit may still run at an instant, as far as this says: until its planned end, or,
  /// unplanned or paused, for four hours after this was written. What is dated by a clock that is
  /// not known, or that is ahead of ours, is not believed, nor is a sit that begins after it was
  /// claimed or is longer than any: a wrong clock must not lock the others.
  public func stands(at now: WallInstant) -> Bool {
    let ahead = writtenAt.milliseconds - now.milliseconds
    guard isClockKnown, ahead <= Claim.clockToleranceMilliseconds,
      since.milliseconds - writtenAt.milliseconds <= Claim.clockToleranceMilliseconds
    else { return false }
    guard let plannedEnd, !isPaused else { return -ahead < Claim.lapseMilliseconds }
    return now < plannedEnd && -ahead < Claim.plannedMilliseconds
  }
}

extension Claim {
  /// The same claim as a clock would have it that is so far ahead of the one that wrote it.
  public func moved(by milliseconds: Int64) -> Claim {
    func moved(_ instant: WallInstant) -> WallInstant {
      WallInstant(milliseconds: instant.milliseconds + milliseconds)
    }
    var claim = self
    claim.since = moved(since)
    claim.writtenAt = moved(writtenAt)
    claim.plannedEnd = plannedEnd.map(moved)
    return claim
  }

  /// A name as `store.device-name` may have it: another one may be meant for a terminal.
  private static func isName(_ text: String) -> Bool {
    (1...63).contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy { scalar in
        scalar == "-" || scalar == "_" || scalar.isASCII && scalar.properties.isAlphabetic
          || ("0"..."9").contains(scalar)
      }
  }

  init?(_ written: JSONValue, device: Identity) {
    guard let since = WallInstant(written["s"]), let writtenAt = WallInstant(written["w"]) else {
      return nil
    }
    let time = WriteTime(writtenAt, isKnown: written["k"]?.boolValue ?? true)
    self.init(
      device: device, since: since, plannedEnd: WallInstant(written["p"]),
      isPaused: written["z"]?.boolValue ?? false,
      name: written["n"]?.stringValue.flatMap { Claim.isName($0) ? $0 : nil }, at: time)
  }

  var written: JSONValue {
    var members = [
      JSONMember("s", .integer(since.milliseconds)),
      JSONMember("w", .integer(writtenAt.milliseconds)),
    ]
    if let plannedEnd { members.append(JSONMember("p", .integer(plannedEnd.milliseconds))) }
    if !isClockKnown { members.append(JSONMember("k", .bool(false))) }
    if let name { members.append(JSONMember("n", .string(name))) }
    if isPaused { members.append(JSONMember("z", .bool(true))) }
    return .object(of: members)
  }
}

extension SessionStore {
  /// The claims that were not withdrawn, lapsed ones too; the one of the sit that began last first.
  /// It is a function of the state alone, so the same on every box.
  public var standingClaims: [Claim] {
    claims.compactMap { device, register in
      register.claim.flatMap { Claim($0, device: device) }
    }.sorted { left, right in
      (left.since, left.writtenAt, left.device) > (right.since, right.writtenAt, right.device)
    }
  }

  /// What this device claims; nil where no sit runs on it.
  public var claimHere: Claim? { standingClaims.first { $0.device == device } }

  /// Says that a sit runs here.
  /// - Throws: `quotaViolation`; nothing is changed then, and the sit does not mind.
  /// - Precondition: the claim is this device's.
  public mutating func publish(_ claim: Claim, at time: WriteTime) throws(StoreError) {
    precondition(claim.device == device, "a device claims for itself")
    let register = register(claim.written, at: time)
    try gate(register.line)
    absorb(claim: register, of: device)
  }

  /// Says that no sit runs here any more. Where that is said already, nothing is written; a claim
  /// of ours that we cannot read, since a newer version wrote it, is withdrawn too.
  public mutating func withdraw(at time: WriteTime) {
    guard let last = claims[device], last.claim?.isNull != true else { return }
    absorb(claim: register(.null, at: time), of: device)
  }

  private func register(_ written: JSONValue, at time: WriteTime) -> Register {
    let stamp = stamp(at: time, after: claims[device]?.stamp)
    let members = [
      JSONMember("c", written), JSONMember("d", .string(device.compact)),
      JSONMember("t", .string(stamp.text)),
    ]
    return Register(stamp: stamp, line: ReplicaLine(kind: "c", .object(of: members)))
  }
}

extension SessionStore.Register {
  /// What a device's claim says; null where it is withdrawn.
  fileprivate var claim: JSONValue? {
    let payload = try? JSONValue(
      parsing: line.payload, depthLimit: SessionStore.lineDepthLimit)
    return payload?["c"]
  }
}
