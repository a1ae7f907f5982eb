import Testing

@testable import Sessions

// What a person or a file tells of a sit, held against what can have been, against now, and
// against what is there.
extension SitChangeTests {
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
    let claim = Claim(
      device: WorldBox(1).store.device, since: begun.wall, plannedEnd: nil, at: begun)
    func refusals(
      _ isServing: Bool, force: Bool = false, _ change: (inout MeditationSession) -> Void
    )
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
}
