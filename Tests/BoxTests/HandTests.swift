import Box
import Controls
import Sessions
import Testing
import Ticks
import TimerMachine

/// A bench whose sit of a minute has just ended.
private func ended() -> BoxBench {
  var bench = BoxBench { $0.hasRating = true }
  bench.start(.fixed(.minutes(1)), at: at(0))
  bench.advance(to: at(70))
  return bench
}

private func longPress(_ bench: inout BoxBench, at instant: Instant) {
  for (level, after) in [(Level.low, Span.zero), (.high, .seconds(1))] {
    bench.handle(
      .appliance(.edge(Edge(line: .s, level: level, at: instant + after))), at: instant + after)
  }
  bench.advance(to: instant + .milliseconds(1_100))
}

@Test func sit_ratedByATurn_isEdited() {
  var bench = ended()
  bench.handle(.appliance(.turned(4)), at: at(71))
  bench.handle(.appliance(.turned(-1)), at: at(72))
  #expect(bench.edits.map(\.edit).last == .rating(3))
  #expect(bench.edits.allSatisfy { $0.id == bench.saved[0].id })
}

@Test func sit_deletedByTwoLongPresses_comesBackAsANewOne() throws {
  var bench = ended()
  bench.handle(.appliance(.turned(5)), at: at(71))
  longPress(&bench, at: at(72))
  #expect(bench.deletions.isEmpty)
  longPress(&bench, at: at(74))
  #expect(bench.deletions == [bench.saved[0].id])
  #expect(bench.erasures == 1)
  bench.handle(.appliance(.command(.undo)), at: at(80))
  // Each rating is saved behind its edit, and changes no other sit.
  let (first, last) = (bench.saved[0].id, bench.saved.count - 1)
  #expect(bench.saved[..<last].allSatisfy { $0.id == first })
  var again = bench.saved[last]
  // The one that the verb gives it too, so that both ways add it once.
  #expect(again.id == bench.saved[0].id.broughtBack && again.rating == 5)
  again.id = bench.saved[0].id
  again.rating = nil
  #expect(again == bench.saved[0])
}

@Test func edit_ofOneField_leavesTheOthers() {
  var session = MeditationSession(
    id: Identity(randomHigh: 1, low: 1), startDate: WallInstant(milliseconds: 0),
    endDate: WallInstant(milliseconds: 9_000), durationSeconds: 9, plannedSeconds: 9)
  (session.note, session.clock) = ("quiet", .unsynced)
  SitEdit.rating(4).apply(to: &session)
  SitEdit.credit(
    durationSeconds: 8, overtimeSeconds: 2, unconfirmedSeconds: 1, completed: false
  ).apply(to: &session)
  SitEdit.dates(
    start: WallInstant(milliseconds: 1), end: WallInstant(milliseconds: 2), offsetSeconds: 3_600,
    interruptions: []
  ).apply(to: &session)
  #expect(session.rating == 4 && session.note == "quiet" && session.durationSeconds == 8)
  #expect(session.overtimeSeconds == 2 && session.unconfirmedSeconds == 1 && !session.completed)
  #expect(session.startDate.milliseconds == 1 && session.endDate.milliseconds == 2)
  #expect(session.utcOffsetSeconds == 3_600 && session.clock == .repaired)
}
