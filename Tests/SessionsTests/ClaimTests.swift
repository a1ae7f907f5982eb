import Sessions
import Testing

extension SessionStore {
  /// The claim that speaks against beginning a sit here.
  fileprivate func activeElsewhere(at time: WriteTime) -> Claim? {
    time.isKnown ? claimsElsewhere.first { $0.stands(at: time.wall) } : nil
  }
}

@Suite struct ClaimTests {
  private let begun = now.wall

  private func after(_ minutes: Int64, isKnown: Bool = true, milliseconds: Int64 = 0) -> WriteTime {
    let instant = WallInstant(milliseconds: begun.milliseconds + minutes * 60_000 + milliseconds)
    return WriteTime(instant, isKnown: isKnown)
  }

  /// A store of the kitchen's that has seen a claim of the study's.
  private func seen(
    plannedMinutes: Int64?, isPaused: Bool = false, isKnown: Bool = true
  ) throws -> SessionStore {
    var other = SessionStore(owner: owner, device: study)
    let time = WriteTime(begun, isKnown: isKnown)
    let claim = Claim(
      device: study, since: begun, plannedEnd: plannedMinutes.map { after($0).wall },
      isPaused: isPaused, at: time)
    try other.publish(claim, at: time)
    var store = SessionStore(owner: owner, device: kitchen)
    #expect(store.merge(other) == [])
    return store
  }

  @Test func plannedSit_elsewhere_isActiveUntilItsPlannedEnd() throws {
    let store = try seen(plannedMinutes: 20)
    #expect(store.activeElsewhere(at: after(0))?.device == study)
    #expect(store.activeElsewhere(at: after(20, milliseconds: -1))?.since == begun)
    #expect(store.activeElsewhere(at: after(20)) == nil)
  }

  @Test(arguments: [(nil, false), (20, true), (nil, true)] as [(Int64?, Bool)])
  func openOrPausedSit_elsewhere_lapsesFourHoursAfterItWasWritten(
    _ plannedMinutes: Int64?, _ isPaused: Bool
  ) throws {
    let store = try seen(plannedMinutes: plannedMinutes, isPaused: isPaused)
    #expect(store.activeElsewhere(at: after(240, milliseconds: -1)) != nil)
    #expect(store.activeElsewhere(at: after(240)) == nil)
  }

  @Test func plannedSit_longerThanAny_lapsesSevenDaysAfterItWasWritten() throws {
    let week: Int64 = 7 * 24 * 60
    let store = try seen(plannedMinutes: 5_000 * week)
    #expect(store.activeElsewhere(at: after(week, milliseconds: -1)) != nil)
    #expect(store.activeElsewhere(at: after(week)) == nil)
  }

  @Test func sit_thatBeginsAfterItWasClaimed_isNotBelieved() {
    for (milliseconds, isBelieved) in [(299_999, true), (300_000, true), (300_001, false)] {
      let since = after(0, milliseconds: Int64(milliseconds)).wall
      let claim = Claim(device: study, since: since, plannedEnd: after(60).wall, at: now)
      #expect(claim.stands(at: now.wall) == isBelieved)
    }
  }

  @Test func boxThatDoesNotKnowTheTime_neverRefuses() throws {
    let store = try seen(plannedMinutes: 20)
    #expect(store.activeElsewhere(at: after(1, isKnown: false)) == nil)
    // Nor is what such a box says believed, nor what a clock ahead of ours says.
    #expect(try seen(plannedMinutes: 20, isKnown: false).activeElsewhere(at: after(1)) == nil)
    #expect(store.activeElsewhere(at: after(-5)) != nil)
    #expect(store.activeElsewhere(at: after(-5, milliseconds: -1)) == nil)
  }

  @Test func claim_everyField_isReadBack() throws {
    var store = SessionStore(owner: owner, device: kitchen)
    let claim = Claim(
      device: kitchen, since: begun, plannedEnd: after(9).wall, isPaused: true,
      name: "kitchen-2", at: after(3, isKnown: false))
    try store.publish(claim, at: after(3, isKnown: false))
    let read = try SessionStore(parsing: store.encode())
    #expect(read.standingClaims == [claim])
    #expect(read.encode() == store.encode())
    #expect(
      bodies(store) == [
        #"c {"c":{"k":false,"n":"kitchen-2","p":1795990540000,"s":1795990000000,"#
          + #""w":1795990180000,"z":true},"#
          + #""d":"\#(kitchenText)","t":"1795990180000@\#(kitchenText)"}"#
      ])
    #expect(store.usage.bytes == store.encode().count && store.usage.keys == 0)
  }

  @Test func report40_twoRunningSits_areOneOnEveryBox() throws {
    var kitchenStore = SessionStore(owner: owner, device: kitchen)
    var studyStore = SessionStore(owner: owner, device: study)
    func claim(_ device: Identity, _ since: Int64, at time: WriteTime) -> Claim {
      Claim(device: device, since: after(since).wall, plannedEnd: after(60).wall, at: time)
    }
    try kitchenStore.publish(claim(kitchen, 0, at: after(0)), at: after(0))
    try studyStore.publish(claim(study, 5, at: after(5)), at: after(5))
    // The first one says it again, paused and resumed: that does not make it the later one.
    try kitchenStore.publish(claim(kitchen, 0, at: after(7)), at: after(7))
    let both = [kitchenStore, studyStore]
    kitchenStore.merge(both[1])
    studyStore.merge(both[0])
    #expect(bodies(kitchenStore) == bodies(studyStore))
    for store in [kitchenStore, studyStore] {
      #expect(store.standingClaims.map(\.device) == [study, kitchen])
      #expect(store.claimHere?.device == store.device)
    }
    // First stop wins: it is over everywhere, whatever stale copies come, and nothing goes on.
    let stale = studyStore
    studyStore.withdraw(at: after(10))
    let bytes = studyStore.encode()
    studyStore.withdraw(at: after(11))
    #expect(studyStore.encode() == bytes)
    kitchenStore.merge(studyStore)
    kitchenStore.merge(stale)
    #expect(kitchenStore.activeElsewhere(at: after(11)) == nil)
    #expect(kitchenStore.claimHere?.device == kitchen)
    kitchenStore.withdraw(at: after(12))
    #expect(kitchenStore.claimHere == nil)
  }

  @Test func claims_ofOneInstant_standInTheOrderOfTheDevices() throws {
    var first = SessionStore(owner: owner, device: kitchen)
    var second = SessionStore(owner: owner, device: study)
    try first.publish(
      Claim(device: kitchen, since: begun, plannedEnd: nil, at: now), at: now)
    try second.publish(Claim(device: study, since: begun, plannedEnd: nil, at: now), at: now)
    first.merge(second)
    #expect(first.standingClaims.map(\.device) == [max(kitchen, study), min(kitchen, study)])
  }

  @Test func name_thatIsNone_isLeftOut() throws {
    for (name, read) in [
      ("a", "a"), ("Box_2-x", "Box_2-x"), ("", nil), ("a b", nil), ("é", nil), ("\u{1B}[2J", nil),
      (String(repeating: "x", count: 64), nil),
    ] as [(String, String?)] {
      var other = SessionStore(owner: owner, device: study)
      try other.publish(
        Claim(device: study, since: begun, plannedEnd: nil, name: name, at: now), at: now)
      #expect(other.standingClaims.map(\.name) == [read])
    }
  }

  @Test func claimOfANewerForm_isKeptAndReplacedByALaterOne() throws {
    let body = #"c {"c":{"begun":"today"},"d":"\#(studyText)","more":[1],"t":"5@\#(studyText)"}"#
    var store = try store(of: body)
    #expect(bodies(store) == [body])
    #expect(store.standingClaims == [])
    let over = #"c {"c":null,"d":"\#(studyText)","t":"6@\#(studyText)"}"#
    store.merge(try SessionsTests.store(of: over))
    #expect(bodies(store) == [over])
  }

  @Test func claimOfOurOwn_inANewerForm_isWithdrawn() throws {
    let body = #"c {"c":{"begun":"today"},"d":"\#(kitchenText)","t":"5@\#(kitchenText)"}"#
    var store = try store(of: body)
    store.withdraw(at: at(6))
    let over = #"c {"c":null,"d":"\#(kitchenText)","t":"6@\#(kitchenText)"}"#
    #expect(bodies(store) == [over])
    store.withdraw(at: at(7))
    #expect(bodies(store) == [over])
  }
}
