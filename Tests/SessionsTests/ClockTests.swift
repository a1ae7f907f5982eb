import Sessions
import Testing

@Suite struct ClockTests {
  private let year2040 = WallInstant(milliseconds: 2_208_988_800_000)

  @Test func report33_restartWithAnOlderClock_writesAfterWhatItWroteBefore() throws {
    var store = SessionStore(owner: owner, device: kitchen)
    try store.set("a", to: .integer(1), at: now)
    var restarted = try SessionStore(parsing: store.encode())
    let past = WriteTime(WallInstant(milliseconds: 1_000), isKnown: false)
    try restarted.set("b", to: .integer(2), at: past)
    try restarted.set("c", to: .integer(3), at: past)
    let milliseconds = now.wall.milliseconds
    #expect(
      bodies(restarted) == [
        #"k {"k":"a","t":"\#(milliseconds)@\#(kitchenText)","v":1}"#,
        #"k {"k":"b","t":"\#(milliseconds).1@\#(kitchenText)","v":2}"#,
        #"k {"k":"c","t":"\#(milliseconds).1@\#(kitchenText)","v":3}"#,
      ])
    // A known clock is believed also where it is behind.
    try restarted.set("d", to: .integer(4), at: at(1_000))
    #expect(bodies(restarted)[3] == #"k {"k":"d","t":"1000@\#(kitchenText)","v":4}"#)
  }

  @Test func unknownTime_followsSitsClaimsAndTombstonesToo() throws {
    let past = WriteTime(WallInstant(milliseconds: 1_000), isKnown: false)
    var empty = SessionStore(owner: owner, device: kitchen)
    try empty.add(sit(0))
    var edited = empty
    try edited.edit(sit(0).id, at: at(5_000)) { $0.rating = 3 }
    var deleted = empty
    try deleted.delete(sit(0).id, at: at(5_000))
    var claimed = empty
    try claimed.publish(
      Claim(device: kitchen, since: now.wall, plannedEnd: nil, at: at(5_000)), at: at(5_000))
    for store in [edited, deleted, claimed] {
      var store = store
      try store.set("k", to: .null, at: past)
      #expect(text(store.encode()).contains(#""k":"k","t":"5000.1@"#))
    }
    // What others wrote does not hold it: only what one follows counts.
    var other = SessionStore(owner: owner, device: study)
    other.merge(edited)
    try other.set("k", to: .null, at: past)
    #expect(text(other.encode()).contains(#""k":"k","t":"1000@"#))
  }

  @Test func report36_boxIn2040_doesNotRuleTheOthers() throws {
    var wrong = SessionStore(owner: owner, device: study)
    let preset = #"{"length":1200,"name":"Evening"}"#
    try wrong.set("p", to: json(preset), at: WriteTime(year2040))
    var right = SessionStore(owner: owner, device: kitchen)
    right.merge(wrong)
    try right.set("p", to: json(#"{"length":1500,"name":"Evening"}"#), at: now)
    try right.set("q", to: .integer(1), at: now)
    wrong.merge(right)
    try expect(wrong, "p", is: #"{"length":1500,"name":"Evening"}"#)
    // Only the field that follows the wrong clock took its time.
    let future = year2040.milliseconds
    #expect(
      bodies(right) == [
        #"k {"f":{"length":["\#(future).1@\#(kitchenText)",1500],"#
          + #""name":["\#(future)@\#(studyText)","Evening"]},"k":"p"}"#,
        #"k {"k":"q","t":"\#(now.wall.milliseconds)@\#(kitchenText)","v":1}"#,
      ])
    let trouble = right.clockTrouble(at: now)
    #expect(trouble.map(\.device) == [study])
    #expect(trouble.map(\.milliseconds) == [future - now.wall.milliseconds])
  }

  @Test func report36_unknownTimeAfterABoxIn2040_isNotPulledThere() throws {
    var wrong = SessionStore(owner: owner, device: study)
    try wrong.set("p", to: .integer(1), at: WriteTime(year2040))
    var store = SessionStore(owner: owner, device: kitchen)
    try store.set("first", to: .integer(1), at: now)
    store.merge(wrong)
    try store.set("p", to: .integer(2), at: now)
    let past = WriteTime(WallInstant(milliseconds: 1_000), isKnown: false)
    try store.set("other", to: .integer(3), at: past)
    try store.set("p", to: .integer(4), at: past)
    let milliseconds = now.wall.milliseconds
    #expect(
      bodies(store).dropFirst() == [
        #"k {"k":"other","t":"\#(milliseconds).1@\#(kitchenText)","v":3}"#,
        #"k {"k":"p","t":"\#(year2040.milliseconds).2@\#(kitchenText)","v":4}"#,
      ])
  }

  @Test func clockTrouble_beginsMoreThanFiveMinutesAhead() throws {
    for (ahead, isTrouble) in [(299_999, false), (300_000, false), (300_001, true)] {
      let stamp = now.wall.milliseconds + Int64(ahead)
      for body in [
        #"k {"k":"p","t":"\#(stamp)@\#(studyText)","v":1}"#,
        #"x {"i":"\#(kitchenText)","t":"\#(stamp)@\#(studyText)"}"#,
        #"s {"@":{"n":"\#(stamp)@\#(studyText)"},"b":1,"i":"\#(kitchenText)","n":"x"}"#,
        #"c {"c":null,"d":"\#(studyText)","t":"\#(stamp)@\#(studyText)"}"#,
      ] {
        let store = try store(of: body)
        #expect(store.clockTrouble(at: now).map(\.device) == (isTrouble ? [study] : []))
        #expect(store.clockTrouble(at: WriteTime(now.wall, isKnown: false)).isEmpty)
      }
    }
  }

  @Test func report34_datesThatReachIntoTheFuture_creditOnlyWhatWasSat() throws {
    // The wall clock went 134 hours ahead in mid-sit; the length is not taken from it.
    var stepped = sit(0)
    stepped.endDate = WallInstant(milliseconds: stepped.startDate.milliseconds + 134 * 3_600_000)
    var store = SessionStore(owner: owner, device: kitchen)
    try store.add(stepped)
    try store.add(sit(1))
    let read = try SessionStore(parsing: store.encode()).sessions
    #expect(read.map(\.durationSeconds) == [1_800, 1_800])
    #expect(read.map { $0.day(dayStartsSeconds: 0).text } == ["2026-11-30", "2026-11-30"])
  }
}
