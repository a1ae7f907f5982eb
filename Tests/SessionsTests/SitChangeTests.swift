import Testing

@testable import Sessions

/// Repair by hand and rows of files, as a storekeeper makes them.
@Suite struct SitChangeTests {
  private func box(_ sits: Int = 3) -> WorldBox {
    let box = WorldBox(1)
    _ = box.keeper.open()
    for index in 0..<sits { _ = box.keeper.add(sit(index)) }
    box.forgetCalls()
    return box
  }

  private func refusals(_ reports: [StoreReport]) -> [String] {
    reports.compactMap { if case .refused(let reason) = $0 { reason } else { nil } }
  }

  /// After all sits of these tests.
  private let later = WriteTime(WallInstant(milliseconds: now.wall.milliseconds + 2_592_000_000))

  private func change(_ box: WorldBox, _ changes: SitChange...) -> [String] {
    refusals(box.keeper.change(changes, at: later).reports)
  }

  private func moved(_ number: Int, by milliseconds: Int64) -> MeditationSession {
    var session = sit(number)
    session.id = Identity(randomHigh: 99, low: UInt64(bitPattern: milliseconds))
    session.startDate.milliseconds += milliseconds
    session.endDate.milliseconds += milliseconds
    return session
  }

  // MARK: Add

  @Test func add_overASitOfTheSameDevice_isRefusedUnlessForced() {
    let box = box()
    let mention =
      "it overlaps the sit \(sit(1).id) from 2026-11-30T18:00:13.450+09:00 to "
      + "2026-11-30T18:30:13.450+09:00; --force keeps both"
    for shift: Int64 in [-1_799_999, 0, 1_799_999] {
      #expect(change(box, .add(moved(1, by: shift), isForced: false)) == [mention])
    }
    #expect(box.store.usage.sits == 3 && !box.hasWritten)
    // Where one begins as the other ends they do not overlap, and other devices have their own.
    #expect(change(box, .add(moved(1, by: -1_800_000), isForced: false)) == [])
    #expect(change(box, .add(moved(1, by: 1_800_000), isForced: false)) == [])
    var phone = moved(1, by: 5)
    phone.sourceDevice = .iPhone
    #expect(change(box, .add(phone, isForced: false)) == [])
    #expect(change(box, .add(moved(1, by: 7), isForced: true)) == [])
    #expect(box.store.usage.sits == 7)
  }

  @Test func add_ofAnImpossibleSit_isRefusedWithWhatIsWrong() {
    let box = box(0)
    var session = sit(0)
    session.endDate.milliseconds = session.startDate.milliseconds - 1
    #expect(
      change(box, .add(session, isForced: true))
        == ["the sit \(session.id) cannot be kept: endDate is before startDate"])
    session = sit(0)
    session.durationSeconds = -1
    #expect(
      change(box, .add(session, isForced: true))
        == ["the sit \(session.id) cannot be kept: a length is negative"])
    #expect(!box.hasWritten)
  }

  @Test func add_ofWhatContradictsItself_isRefusedAlsoWithForce() {
    let box = box(0)
    func refusal(_ change: (inout MeditationSession) -> Void) -> [String] {
      var session = sit(0)
      change(&session)
      return self.change(box, .add(session, isForced: true))
    }
    #expect(
      refusal { $0.durationSeconds = 1_803 } == [
        "durationSeconds: found 1803, expected at most the 1800 from startDate to endDate"
      ])
    #expect(
      refusal { $0.overtimeSeconds = 1_803 } == [
        "overtimeSeconds: found 1803, expected at most the 1800 of durationSeconds"
      ])
    for name in ["durationSeconds", "plannedSeconds", "overtimeSeconds", "unconfirmedSeconds"] {
      let found = refusal { try? $0.set(name, to: .integer(691_201)) }
      #expect(found == ["\(name): found 691201, expected 691200 (eight days) at most"])
    }
    let interruption = "interruptions: found one from 2026-11-30T"
    for (from, to, text) in [
      (-2_001, 0, "06:00:11.449+09:00 to 2026-11-30T06:00:13.450+09:00"),
      (0, 1_802_001, "06:00:13.450+09:00 to 2026-11-30T06:30:15.451+09:00"),
      (1_000, 999, "06:00:14.450+09:00 to 2026-11-30T06:00:14.449+09:00"),
    ] as [(Int64, Int64, String)] {
      let found = refusal { session in
        let start = session.startDate.milliseconds
        session.interruptions = [
          .init(
            from: WallInstant(milliseconds: start + from),
            to: WallInstant(milliseconds: start + to), kind: .pause)
        ]
      }
      #expect(found == [interruption + text + ", expected it within the sit"])
    }
    #expect(!box.hasWritten)
    #expect(refusal { ($0.durationSeconds, $0.overtimeSeconds) = (1_802, 1_804) } == [])
  }

  // MARK: Now

  private func time(_ milliseconds: Int64, isKnown: Bool = true) -> WriteTime {
    WriteTime(
      WallInstant(milliseconds: sit(0).startDate.milliseconds + milliseconds), isKnown: isKnown)
  }

  @Test func sit_thatIsNotOverYet_isRefusedUnlessForced() {
    let ahead =
      "it ends at 2026-11-30T06:30:13.450+09:00, and now it is 2026-11-30T06:25:13.449+09:00; "
      + "--force keeps it"
    let (early, edge) = (time(1_499_999), time(1_500_000))
    for isRow in [false, true] {
      func take(_ isForced: Bool) -> SitChange {
        isRow
          ? .take(sit(0), isForeign: false, isForced: isForced) : .add(sit(0), isForced: isForced)
      }
      func reasons(_ isForced: Bool, _ time: WriteTime) -> [String] {
        box(0).keeper.change([take(isForced)], at: time).tally.refusals.map(\.reason)
      }
      #expect(reasons(false, early) == [ahead] && reasons(true, early) == [])
      #expect(reasons(false, edge) == [])
      // Who does not know the time refuses nobody for it.
      #expect(reasons(false, time(-9_000_000_000, isKnown: false)) == [])
    }
  }

  @Test func edit_ofASitThatLiesAhead_isRefusedOnlyWhereItMoves() throws {
    let box = box(1)
    let id = sit(0).id.description
    func edit(_ member: JSONMember) -> [String] {
      let change = SitChange.edit(id: id, [member], isForced: false)
      return refusals(box.keeper.change([change], at: time(-600_000)).reports)
    }
    #expect(edit(JSONMember("note", .string("x"))) == [])
    #expect(edit(JSONMember("durationSeconds", .integer(900))).count == 1)
  }

  @Test func sit_overTheOneThatRunsHere_isRefusedWhereAServiceRuns() throws {
    let running =
      "it overlaps the sit that runs here since 2026-11-30T06:30:13.449+09:00; --force keeps both"
    let now = time(2_000_000)
    let begun = time(1_799_999)
    let claim = Claim(device: WorldBox(1).store.device, since: begun.wall, plannedEnd: nil, at: begun)
    func refusals(_ isServing: Bool, force: Bool = false, _ change: (inout MeditationSession) -> Void)
      -> [String]
    {
      let box = box(0)
      _ = box.keeper.publish(
        Claim(device: box.store.device, since: claim.since, plannedEnd: nil, at: begun), at: begun)
      var session = sit(0)
      change(&session)
      let add = SitChange.add(session, isForced: force)
      return self.refusals(box.keeper.change([add], at: now, isServing: isServing).reports)
    }
    #expect(refusals(true) { _ in } == [running])
    #expect(refusals(true) { $0.sourceDevice = .timerTV } == [running])
    #expect(refusals(true, force: true) { _ in } == [])
    #expect(refusals(false) { _ in } == [])
    #expect(refusals(true) { $0.sourceDevice = .iPhone } == [])
    // It ends as the running one begins.
    #expect(
      refusals(true) { session in
        session.startDate.milliseconds -= 1
        session.endDate.milliseconds -= 1
      } == [])
  }

  // MARK: Edit

  private func edit(_ box: WorldBox, _ id: String, _ fields: String, force: Bool = false) throws
    -> [String]
  {
    change(box, .edit(id: id, try json(fields).members ?? [], isForced: force))
  }

  @Test func edit_changesFields_movesTheWholeSit_andItsEnd() throws {
    let box = box(0)
    var before = richSit()
    before.sourceDevice = .timerBox
    _ = box.keeper.add(before)
    let id = String(before.id.description.prefix(8)).lowercased()
    let fields =
      #"{"startDate":"2026-11-29T07:00:00+01:00","durationSeconds":1860,"note":"x","rating":null}"#
    #expect(try edit(box, id, fields) == [])
    let after = try #require(box.store.sessions.first)
    #expect(after.startDate.text(offsetSeconds: 3_600) == "2026-11-29T07:00:00+01:00")
    #expect(after.utcOffsetSeconds == 3_600 && after.durationSeconds == 1_860)
    #expect(after.endDate.milliseconds - after.startDate.milliseconds == 1_860_000)
    let pause = try #require(after.interruptions.first)
    #expect(
      pause.from == after.startDate && pause.to.milliseconds == pause.from.milliseconds + 1_800_000)
    #expect(after.note == "x" && after.rating == nil && after.journey == before.journey)
    #expect(after.id == before.id && after.unknown == before.unknown)
  }

  @Test func edit_intoAnotherSit_orToNonsense_isRefused_andChangesNothing() throws {
    let box = box()
    let id = sit(2).id.description
    let other =
      "it overlaps the sit \(sit(1).id) from 2026-11-30T18:00:13.450+09:00 to "
      + "2026-11-30T18:30:13.450+09:00; --force keeps both"
    #expect(try edit(box, id, #"{"startDate":"2026-11-30T18:10:00+09:00"}"#) == [other])
    #expect(
      try edit(box, id, #"{"durationSeconds":-3600}"#)
        == ["the sit \(id) cannot be kept: endDate is before startDate"])
    #expect(
      try edit(box, id, #"{"rating":6}"#)
        == ["the sit \(id) cannot be kept: rating 6 is not within 1 to 5"])
    #expect(
      try edit(box, id, #"{"rating":"a"}"#)
        == ["rating: found \"a\", expected a whole number or null"])
    #expect(
      try edit(box, id, #"{"id":"\#(id)"}"#) == ["a sit has no field \"id\" to be changed"])
    #expect(try edit(box, id, #"{"dairy":1}"#) == ["a sit has no field \"dairy\" to be changed"])
    #expect(
      try edit(box, id, #"{"durationSeconds":9223372036854775807}"#) == ["a length is too great"])
    #expect(box.store.sessions == [sit(0), sit(1), sit(2)] && !box.hasWritten)
    #expect(try edit(box, id, #"{"startDate":"2026-11-30T18:10:00+09:00"}"#, force: true) == [])
  }

  @Test func edit_thatShortensASit_leavesOutTheInterruptionsBehindItsEnd() throws {
    let box = box(0)
    var long = sit(0)
    func pause(_ from: Int64, _ to: Int64) -> MeditationSession.Interruption {
      let start = long.startDate.milliseconds
      return .init(
        from: WallInstant(milliseconds: start + from * 1_000),
        to: WallInstant(milliseconds: start + to * 1_000), kind: .pause)
    }
    long.interruptions = [pause(600, 700), pause(900, 1_200), pause(1_500, 1_600)]
    long.durationSeconds = 1_300
    _ = box.keeper.add(long)
    #expect(try edit(box, long.id.description, #"{"durationSeconds":500}"#) == [])
    let after = try #require(box.store.sessions.first)
    #expect(after.interruptions == [pause(600, 700), pause(900, 1_000)])
    #expect(after.endDate.milliseconds == after.startDate.milliseconds + 1_000_000)
  }

  @Test func names_ofSits_areTheirIdsOrABeginningThatFitsOne() throws {
    let box = box()
    var twin = moved(9, by: 0)
    twin.id = Identity(high: sit(1).id.high, low: sit(1).id.low &+ 1)
    _ = box.keeper.add(twin)
    let id = sit(1).id.description
    func names(_ text: String) -> String? {
      change(box, .edit(id: text, [JSONMember("note", .string(text))], isForced: false)).first
    }
    #expect(names(id.lowercased()) == nil)
    let first = String(id.prefix(18))
    #expect(names(first) == "2 sits have an id that begins \(first)")
    #expect(names(String(sit(2).id.description.prefix(8))) == nil)
    #expect(names("0A0A0A0A") == "there is no sit 0A0A0A0A")
    #expect(
      names("00000000-0000-0000-0000-000000000000")?.hasPrefix("there is no sit 0000") == true)
    for text in ["", "9E3779B", "9E3779B9x", "not a sit", id + "0", "é3779B97"] {
      let quoted = "found \"\(text)\", expected the id of a sit, or its first 8 digits or more"
      #expect(names(text) == quoted)
    }
  }

  // MARK: Delete, undo

  @Test func delete_ofSeveral_isAllOrNone() {
    let box = box()
    let (first, second) = (sit(0).id.description, sit(1).id.description)
    #expect(
      change(box, .delete(id: first), .delete(id: "0A0A0A0A"), .delete(id: second))
        == ["there is no sit 0A0A0A0A"])
    #expect(box.store.usage.sits == 3 && !box.hasWritten)
    #expect(change(box, .delete(id: first), .delete(id: second)) == [])
    #expect(box.store.sessions == [sit(2)])
    #expect(change(box, .delete(id: first)) == ["the sit \(first) was deleted and stays deleted"])
  }

  @Test(arguments: [false, true]) func undo_bringsTheLastDeletedBack_asNewSits(restarts: Bool) {
    let box = box()
    #expect(change(box, .undo(isForced: false)) == ["nothing was deleted here that could be brought back"])
    _ = change(box, .delete(id: sit(0).id.description))
    _ = change(box, .delete(id: sit(1).id.description), .delete(id: sit(2).id.description))
    if restarts { box.restart() }
    let undone = box.keeper.change([.undo(isForced: false)], at: later)
    #expect(undone.tally.new == 2 && undone.tally.identities.count == 2)
    let sits = box.store.sessions
    #expect(sits.map(\.startDate) == [sit(1).startDate, sit(2).startDate])
    #expect(sits.map(\.id) == undone.tally.identities && sits[0].id != sit(1).id)
    var same = sits[0]
    same.id = sit(1).id
    #expect(same == sit(1))
    #expect(change(box, .undo(isForced: false)) == ["nothing was deleted here that could be brought back"])
    // What is back can be deleted and brought back again.
    _ = change(box, .delete(id: sits[0].id.description))
    #expect(change(box, .undo(isForced: false)) == [])
    #expect(box.store.usage.sits == 2 && box.store.sessions[0].id != sits[0].id)
  }

  @Test func undo_withThePowerGoneAtAnyCall_bringsBackOnce() {
    for call in 0..<6 {
      for isDone in [false, true] {
        let box = box()
        _ = change(box, .delete(id: sit(1).id.description))
        (box.state.callsLeft, box.state.lastIsDone) = (call, isDone)
        _ = change(box, .undo(isForced: false))
        box.restart()
        if box.store.usage.sits == 2 { _ = change(box, .undo(isForced: false)) }
        #expect(box.store.usage.sits == 3, "call \(call)")
        _ = change(box, .undo(isForced: false))
        #expect(box.store.usage.sits == 3, "call \(call)")
      }
    }
  }

  @Test func delete_withThePowerGoneAtAnyCall_deletesOrDoesNot_andUndoFits() {
    for call in 0..<6 {
      let box = box()
      box.state.callsLeft = call
      _ = change(box, .delete(id: sit(1).id.description))
      box.restart()
      _ = change(box, .undo(isForced: false))
      #expect(box.store.usage.sits == 3, "call \(call)")
    }
  }

  @Test func undo_overASitThatWasAddedSince_isRefusedUnlessForced() {
    let box = box()
    _ = change(box, .delete(id: sit(1).id.description))
    let new = moved(1, by: 60_000)
    #expect(change(box, .add(new, isForced: false)) == [])
    #expect(
      change(box, .undo(isForced: false)) == [
        "it overlaps the sit \(new.id) from 2026-11-30T18:01:13.450+09:00 to "
          + "2026-11-30T18:31:13.450+09:00; --force keeps both"
      ])
    #expect(box.store.usage.sits == 3)
    #expect(change(box, .undo(isForced: true)) == [] && box.store.usage.sits == 4)
  }

  // MARK: Rows

  @Test func rows_thatOverlap_areToldOnceAndTheRestIsKept() {
    let box = box(1)
    let rows = [moved(0, by: 60_000), sit(1), moved(1, by: -60_000), sit(0), sit(2)]
    func taken(force: Bool) -> SitTally {
      let changes = rows.map { SitChange.take($0, isForeign: false, isForced: force) }
      return box.keeper.change(changes, at: later).tally
    }
    let first = taken(force: false)
    #expect(first.new == 2 && first.known == 1 && first.refusals.map(\.index) == [0, 2])
    #expect(
      first.refusals[1].reason == "it overlaps the sit \(sit(1).id) from "
        + "2026-11-30T18:00:13.450+09:00 to 2026-11-30T18:30:13.450+09:00; --force keeps both")
    let forced = taken(force: true)
    #expect(forced.new == 2 && forced.known == 3 && forced.refusals == [])
    // What is here already is not told again.
    let again = taken(force: false)
    #expect(again.new == 0 && again.known == 5 && again.refusals == [])
  }

  @Test func rows_areNewKnownDeletedOrRefused_inOneWrite() {
    let box = box()
    _ = change(box, .delete(id: sit(2).id.description))
    box.forgetCalls()
    var bad = sit(8)
    bad.rating = 9
    var foreign = moved(1, by: 0)
    foreign.id = Identity(randomHigh: 5, low: 5)
    let changes =
      (0..<4).map { SitChange.take(sit($0), isForeign: false, isForced: false) }
      + [.take(bad, isForeign: false, isForced: false), .take(foreign, isForeign: true, isForced: false)]
      + [.take(moved(1, by: 1_800_000), isForeign: true, isForced: false), .take(moved(1, by: 1_800_000), isForeign: true, isForced: false)]
    let taken = box.keeper.change(changes, at: later)
    #expect(refusals(taken.reports) == [])
    let tally = taken.tally
    #expect(tally.new == 2 && tally.known == 5 && tally.deleted == 1)
    #expect(tally.refusals.map(\.index) == [4] && tally.identities == [])
    #expect(box.state.writes == [.truth(.main)])
    #expect(SitTally(json: tally.json) == tally)
    let again = box.keeper.change(changes, at: later).tally
    #expect(again.new == 0 && again.known == 7)
    #expect(box.state.writes == [.truth(.main)])
  }

  @Test func changes_surviveTheirWayAsText() throws {
    let changes: [SitChange] = [
      .add(richSit(), isForced: true), .take(sit(1), isForeign: true, isForced: true), .undo(isForced: true),
      .edit(id: "0A0A0A0A", [JSONMember("note", .null)], isForced: false), .delete(id: "x"),
    ]
    let sent = JSONValue.array(changes.map(\.json)).encoded()
    #expect(try SitChange.list(parsing: text(sent)) == changes)
    for wrong in ["", "{}", "[{}]", #"[{"do":"add"}]"#, #"[{"do":"edit"}]"#, #"[{"do":"x"}]"#] {
      #expect(throws: FieldProblem.self) { try SitChange.list(parsing: wrong) }
    }
  }
}

@Suite struct NamedIdentityTests {
  @Test func identities_ofNames_areThoseOfVersion5() {
    let dns = Identity(high: 0x6BA7_B810_9DAD_11D1, low: 0x80B4_00C0_4FD4_30C8)
    // As Python's uuid5 makes them; the first is the example of RFC 9562, appendix A.4.
    let expected: [(String, String)] = [
      ("www.example.com", "2ed6657d-e927-568b-95e1-2665a8aea6a2"),
      ("", "4ebd0208-8328-5d69-8c44-ec50939c0967"), ("a", "4f3f2898-69e3-5a0d-820a-c4e87987dbce"),
      (String(repeating: "x", count: 200), "ddcc691a-b8e2-53e5-b059-6a232874b2eb"),
    ]
    for (name, id) in expected {
      #expect(Identity(named: Array(name.utf8), in: dns) == Identity(id))
    }
  }
}

/// What users of other timers reported of shared logs, by the numbers of the reports.
@Suite struct MissionTests {
  @Test(arguments: [false, true]) func report45_newBoxAndAFullOne_haveTheFullLog(newFirst: Bool) {
    let shared = SharedFiles()
    let full = WorldBox(1, shared: shared)
    _ = full.keeper.open()
    for index in 0..<3 { _ = full.keeper.add(sit(index)) }
    let new = WorldBox(2, shared: shared)
    _ = new.keeper.open()
    for box in newFirst ? [new, full] : [full, new] { _ = box.keeper.look() }
    for box in newFirst ? [new, full] : [full, new] { _ = box.keeper.look() }
    #expect(new.store.sessions == [sit(0), sit(1), sit(2)])
    #expect(full.store.sessions == new.store.sessions && new.content == full.content)
  }

  @Test func report47_deletedSit_staysDeleted_whateverStaleCopiesComeBack() {
    let shared = SharedFiles()
    let left = WorldBox(1, shared: shared)
    let right = WorldBox(2, shared: shared)
    _ = left.keeper.open()
    for index in 0..<3 { _ = left.keeper.add(sit(index)) }
    _ = right.keeper.open()
    let stale = shared[right.path]
    _ = left.keeper.delete(sit(1).id, at: now)
    for round in 0..<3 {
      shared[right.path] = stale
      shared["copy \(round).kv"] = stale
      for box in [left, right, left] { _ = box.keeper.look() }
      #expect(left.store.sessions == [sit(0), sit(2)])
      #expect(right.store.sessions == left.store.sessions)
    }
    // An import of before does not bring it back either.
    let taken = right.keeper.change([.take(sit(1), isForeign: false, isForced: false)], at: now)
    #expect(taken.tally.deleted == 1 && right.store.sessions == [sit(0), sit(2)])
  }
}
