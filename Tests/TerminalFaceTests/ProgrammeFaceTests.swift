// What the face shows of a programme: its name, its segments, its bells, its end, and a reminder.
import Box
import Testing

@testable import TerminalFace

/// A sit of `zazen`: walk ten minutes, sit fifteen; the bell of an interval at twenty.
private func zazen(_ phase: String, elapsed: Int64 = 0) -> StateLine {
  var shown = state(phase, remaining: phase == "idle" ? nil : 1_500 - elapsed)
  shown.programme = "zazen"
  shown.elapsedSeconds = elapsed
  shown.segment = phase == "idle" ? nil : elapsed < 600 ? "walk" : "sit"
  shown.panel.length = "25m"
  shown.panel.segments = [
    StateLine.Segment(kind: "walk", seconds: 600), StateLine.Segment(kind: "sit", seconds: 900),
  ]
  shown.panel.intervals = [1_200]
  return shown
}

private func trimmedRing(_ state: StateLine) -> String {
  let line = Face.lines(state, columns: 40, rows: 10, palette: .none)[6]
  return String(line.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
}

@Test func ring_ofSegments_hasAGapAtEachBorderAndADotAtEachBell() {
  // 24 cells of 62.5 s: the border lies in the tenth, the bell in the twentieth.
  #expect(trimmedRing(zazen("idle")) == "───────── ─────────•────")
  #expect(trimmedRing(zazen("running", elapsed: 750)) == "━━━━━━━━━ ━━───────•────")
}

@Test func names_ofASitOfSegments_tellWhichIsOn() {
  func names(_ state: StateLine, _ columns: Int = 60) -> String {
    FaceWords.names(state, columns: columns)
  }
  #expect(names(zazen("idle")) == "zazen · 25 min · volume 60")
  #expect(names(zazen("preparing")) == "zazen · walk 1/2 · 25 min · volume 60")
  #expect(names(zazen("running", elapsed: 599)) == "zazen · walk 1/2 · 25 min · volume 60")
  #expect(names(zazen("running", elapsed: 600)) == "zazen · sit 2/2 · 25 min · volume 60")
  #expect(names(zazen("paused", elapsed: 700)) == "zazen · sit 2/2 · 25 min · volume 60")
  #expect(names(zazen("ended", elapsed: 1_500)) == "zazen · 25 min · volume 60")
  var ending = zazen("running", elapsed: 600)
  ending.endsAt = "2026-11-30T07:25:00+09:00"
  #expect(names(ending) == "zazen · sit 2/2 · 25 min · ends 07:25 · volume 60")
  #expect(names(ending, 48) == "sit 2/2 · 25 min · ends 07:25 · volume 60")
  #expect(names(ending, 40) == "25 min · ends 07:25 · volume 60")
}

@Test func idle_ofAnOpenProgramme_countsFromNothingAndHasNoRing() {
  var open = state("idle")
  open.programme = "free"
  open.panel.length = "open"
  #expect(FaceWords.time(open) == "0:00")
  #expect(FaceWords.names(open, columns: 60) == "free · open · volume 60")
  #expect(trimmedRing(open) == "")
}

@Test func idle_ofAProgrammeUntilATime_showsThatTime() {
  var until = state("idle")
  until.programme = "dawn"
  until.panel.length = "until 07:00"
  #expect(FaceWords.time(until) == "07:00")
  #expect(FaceWords.names(until, columns: 60) == "dawn · until 07:00 · volume 60")
  #expect(trimmedRing(until) == "")
}

@Test func reminder_thatCalls_standsInThePlaceOfThePhase() {
  for phase in ["idle", "ended"] {
    var called = state(phase)
    called.panel.reminder = "morning"
    #expect(FaceWords.phase(called) == "Morning")
  }
}

@Test func rating_ofTheSitThatIsOver_isShown() {
  var rated = state("ended")
  rated.panel.rating = 4
  #expect(FaceWords.phase(rated) == "Done, 4 of 5")
}
