// What became of a store, as one process tells another.
import ControlSocket
import Sessions
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
