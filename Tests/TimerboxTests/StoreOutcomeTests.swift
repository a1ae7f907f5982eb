// What became of a store, as one process tells another.
import ControlSocket
import Sessions
import StoreFiles
import Testing

@testable import timerbox

@Test func outcome_ofMoreThanAnAnswerHolds_isCutAndCounted() throws {
  let keys = (0..<1_000).map { "\($0)\(String(repeating: "\u{1}", count: 60))" }
  let path = String(repeating: "\"", count: 255)
  var reports = [StoreReport.changed(keys: keys, reason: .peerChange)]
  for _ in 0..<200 { reports += [.restored(path: path), .conflictRemoved(path: path)] }
  let outcome = StoreOutcome(reports)
  #expect(outcome.changedKeys.count == 100 && outcome.removed.count == 100)
  #expect(outcome.namesMore == 1_100)
  let text = String(decoding: outcome.wire(), as: UTF8.self)
  // The bound of the control socket.
  #expect(ControlAnswer.data(text).encoded().count < 262_144)
  let read = try #require(StoreOutcome(text))
  #expect(read.changedKeys == Array(keys.prefix(50)))
  #expect(read.namesMore == 1_250 && read.reason == "peerChange")
  #expect(read.lines.contains("and 1250 more names"))
  // One that fits is whole.
  let small = StoreOutcome([.restored(path: path)])
  #expect(StoreOutcome(String(decoding: small.wire(), as: UTF8.self)) == small)
}

@Test func outcome_ofAValueThatIsNoJSON_isBadData() {
  #expect(StoreOutcome([.refused(reason: "the value: 1:1: found nothing")]).status == .badData)
  #expect(StoreOutcome([.refused(reason: "a key needs one")]).status == .notHeld)
}

@Test func outcome_ofACopyThatCannotBeRead_isAFaultOfTheFolder_andSaid() {
  let nobody = Identity(high: 0, low: 0)
  func outcome(_ peer: PeerSeen) -> StoreOutcome {
    var status = StoreStatus(
      owner: nobody, device: nobody, usage: StoreUsage(bytes: 0, keys: 0, sits: 0))
    status.peers = [peer]
    return StoreOutcome(StoreMerge(reports: [], status: status, newSits: 0), at: nil)
  }
  var peer = PeerSeen(
    path: "a.kv", modified: WallInstant(milliseconds: 0), problem: "read a.kv: Input/output error")
  peer.isUnreadable = true
  #expect(outcome(peer).folderStatus == .inputOutput)
  #expect(outcome(peer).folderProblems == ["read a.kv: Input/output error"])
  #expect(outcome(peer).lines.contains("left out a.kv: read a.kv: Input/output error"))
  // What nobody would read is told and no fault.
  peer.isUnreadable = false
  #expect(outcome(peer).folderStatus == .done && outcome(peer).folderProblems == [])
  peer.isForeign = true
  #expect(outcome(peer).folderStatus == .notHeld)
}

@Test func outcome_ofSeveralRequests_isThatOfOne() throws {
  var outcome = StoreOutcome([])
  var tally = try #require(
    try SitTally(
      json: JSONValue(
        parsing: Array(
          #"{"deleted":1,"ids":[],"known":3,"new":2,"refused":[[1,"wrong"]]}"#.utf8))))
  for first in [0, 6] {
    outcome.add(StoreOutcome([.exchangeFailed(reason: "away")], tally), from: first)
  }
  #expect(outcome.folderProblems == ["away"] && outcome.folderStatus == .inputOutput)
  #expect(outcome.tally.new == 4 && outcome.tally.known == 6 && outcome.tally.deleted == 2)
  #expect(outcome.tally.refusals.map(\.index) == [1, 7])
  tally = outcome.tally
  #expect(StoreOutcome(String(decoding: outcome.wire(), as: UTF8.self))?.tally == tally)
}
