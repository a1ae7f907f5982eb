import Box
import Testing

@testable import TerminalFace

private func plain(_ state: StateLine, _ columns: Int, _ rows: Int) -> [String] {
  Face.lines(state, columns: columns, rows: rows, palette: .none)
}

private func trimmed(_ line: String) -> String {
  var text = Substring(line)
  while text.last == " " { text.removeLast() }
  while text.first == " " { text.removeFirst() }
  return String(text)
}

@Suite struct FaceTests {
  @Test func face_smallestWhole_holdsEverything() {
    let running = state(
      "running", remaining: 1_103, degraded: ["No sound card. The timer goes on."])
    let lines = plain(running, 40, 10)
    #expect(
      lines == [
        "                  Sit                   ",
        "        ▄█   ▄▀▀▀▄   ▄▀▀▀▄ ▄▀▀▀▄        ",
        "         █   ▀▄▄▄▀ ▀    ▄▀   ▄▄▀        ",
        "         █   █   █ ▄  ▄▀       █        ",
        "        ▄█▄  ▀▄▄▄▀   █▄▄▄▄ ▀▄▄▄▀        ",
        "                                        ",
        "        ━━━━━━──────────────────        ",
        "      simple · 25 min · volume 60       ",
        "   No sound card. The timer goes on.    ",
        "←→ turn  space press  hold long  q quit ",
      ])
  }

  @Test(arguments: [(80, 24), (120, 40), (40, 10), (30, 10), (200, 60)])
  func face_anySize_fillsEachRowExactly(columns: Int, rows: Int) {
    for phase in ["idle", "preparing", "running", "paused", "overtime", "ended"] {
      var shown = state(phase, remaining: 700, planned: 5_400, degraded: ["한국어 오류", "b", "c"])
      shown.programme = String(repeating: "좌선", count: 40)
      shown.setSeconds = 86_400
      let lines = plain(shown, columns, rows)
      #expect(lines.count == rows)
      #expect(lines.allSatisfy { Cells.width($0) == columns })
      #expect(lines.contains { $0.contains("volume 60") })
    }
  }

  @Test func face_tooSmall_isOneLineCut() {
    let running = state("running", remaining: 1_103, degraded: ["No sound card."])
    for (columns, rows) in [(29, 10), (30, 9)] {
      let lines = plain(running, columns, rows)
      #expect(lines.count == rows)
      #expect(lines.filter { $0.contains { $0 != " " } }.count == 1)
      #expect(trimmed(lines[(rows - 1) / 2]).hasPrefix("18:23 · Sit · No sound card"))
    }
    #expect(trimmed(plain(running, 9, 1)[0]) == "18:23 ·…")
    #expect(plain(running, 1, 1) == ["…"])
    #expect(plain(running, 0, 4) == [])
  }

  @Test func face_blackout_isDark() {
    var dark = state("running", remaining: 60)
    dark.panel.blackout = true
    #expect(plain(dark, 40, 10) == Array(repeating: String(repeating: " ", count: 40), count: 10))
  }

  @Test func face_faultsBeyondItsRoom_areCounted() {
    let three = state("idle", degraded: ["One.", "Two.", "Three."])
    #expect(plain(three, 40, 10).map(trimmed).contains("One. +2"))
    let lines = plain(three, 80, 24).map(trimmed)
    #expect(lines.contains("One.") && lines.contains("Two.") && lines.contains("Three."))
  }

  @Test func face_openQuestion_standsInTheLineOfHelp() {
    var asking = state("ended")
    asking.panel.dialog = "Delete this sit?"
    #expect(trimmed(plain(asking, 40, 10)[9]) == "Delete this sit?")
  }

  @Test func face_nameWithEscapes_cannotSteerTheTerminal() {
    var hostile = state("idle", degraded: ["a\u{1B}[2Jb\u{9B}31mc\r\nd"])
    hostile.programme = "\u{1B}]0;title\u{7}x"
    hostile.activeElsewhere = "\u{1B}[Hkitchen"
    let text = plain(hostile, 80, 24).joined()
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
    #expect(text.contains("A sit is running on [Hkitchen."))
    #expect(!Face.plainLine(hostile).unicodeScalars.contains { $0.value < 0x20 })
  }

  @Test func ring_ofAFixedSit_fillsWithTimeAndNamesItsBells() {
    func ring(_ remaining: Int64, _ bells: [Int64] = []) -> String {
      var shown = state("running", remaining: remaining)
      shown.panel.intervals = bells
      return trimmed(plain(shown, 40, 10)[6])
    }
    #expect(ring(1_500) == String(repeating: "─", count: 24))
    // A half of one of the 24 cells is 31.25 s.
    #expect(ring(1_469) == String(repeating: "─", count: 24))
    #expect(ring(1_468) == "╾" + String(repeating: "─", count: 23))
    #expect(ring(0) == String(repeating: "━", count: 24))
    #expect(ring(1_500, [0, 750, 1_500]) == "────────────•───────────")
  }

  @Test func ring_ofAnOpenSit_isNotThere() {
    var open = state("running", remaining: nil, planned: nil)
    open.panel.length = "open"
    open.elapsedSeconds = 61
    let lines = plain(open, 40, 10)
    #expect(!lines.joined().contains("─"))
    #expect(lines.map(trimmed).contains("simple · open · volume 60"))
    #expect(FaceWords.time(open) == "1:01")
  }
}

@Suite struct FaceWordsTests {
  @Test(
    arguments: [
      (0, "0:00"), (59, "0:59"), (60, "1:00"), (1_500, "25:00"), (3_599, "59:59"),
      (3_600, "1:00:00"), (3_900, "1:05:00"), (604_800, "168:00:00"),
    ] as [(Int64, String)])
  func clock_seconds_areWrittenWithoutJitter(seconds: Int64, text: String) {
    #expect(FaceWords.clock(seconds) == text)
  }

  @Test(
    arguments: [
      (1_500, "25 min"), (3_600, "1 h"), (5_400, "1 h 30 min"), (90, "1 min 30 s"), (262, "4 min 22 s"), (3_601, "1 h 1 s"), (0, "0 s"),
    ] as [(Int64, String)])
  func length_seconds_areWrittenInTheirUnit(seconds: Int64, text: String) {
    #expect(FaceWords.length(seconds) == text)
  }

  @Test func time_ofEachPhase_isTheOneThatMatters() {
    var shown = state("idle", remaining: 7)
    shown.elapsedSeconds = 100
    shown.overtimeSeconds = 65
    let expected = [
      "idle": "25:00", "preparing": "0:07", "running": "0:07", "paused": "0:07",
      "overtime": "+1:05", "ended": "1:40",
    ]
    for (phase, text) in expected {
      shown.phase = phase
      #expect(FaceWords.time(shown) == text)
    }
  }

  @Test func phase_words_areTheFacesOwn() {
    let words = ["running", "paused", "overtime", "ended"].map { FaceWords.phase(state($0)) }
    #expect(words == ["Sit", "Paused", "Past the bell", "Done"])
    var walking = state("running")
    walking.segment = "walk"
    #expect(FaceWords.phase(walking) == "Walk")
  }

  @Test func names_asTheWidthShrinks_keepLengthAndVolume() {
    var running = state("running", remaining: 60)
    running.endsAt = "2026-11-30T07:25:00+09:00"
    let whole = "simple · 25 min · ends 07:25 · volume 60"
    #expect(FaceWords.names(running, columns: 40) == whole)
    #expect(FaceWords.names(running, columns: 39) == "25 min · ends 07:25 · volume 60")
    #expect(FaceWords.names(running, columns: 30) == "25 min · volume 60")
    #expect(FaceWords.names(running, columns: 17) == "25 min · volume…")
  }

  @Test func plainLine_whileTimePasses_staysTheSame() {
    var running = state("running", remaining: 60, degraded: ["No sound card."])
    let first = Face.plainLine(running)
    running.remainingSeconds = 59
    running.elapsedSeconds = 1_441
    #expect(Face.plainLine(running) == first)
    #expect(first == "Sit · simple · 25 min · volume 60 · No sound card.")
    running.phase = "paused"
    #expect(
      Face.plainLine(running) == "Paused · 0:59 left · simple · 25 min · volume 60 · No sound card."
    )
  }

  @Test func statusLine_saysWhatIsLeft() {
    var shown = state("running", remaining: 754)
    #expect(Face.statusLine(shown) == "Sit · 12:34 left · simple · 25 min · volume 60")
    shown.phase = "preparing"
    shown.remainingSeconds = 8
    #expect(Face.statusLine(shown) == "Settling · 0:08 left · simple · 25 min · volume 60")
    shown.phase = "overtime"
    shown.overtimeSeconds = 65
    #expect(Face.statusLine(shown) == "Past the bell · +1:05 · simple · 25 min · volume 60")
    var open = state("running", planned: nil)
    open.elapsedSeconds = 90
    open.panel.length = "open"
    #expect(Face.statusLine(open) == "Sit · 1:30 sat · simple · open · volume 60")
    let idle = state("idle")
    #expect(Face.statusLine(idle) == Face.plainLine(idle))
  }

  @Test func sitThatWasNotKept_isNotCalledDone() {
    var ended = state("ended")
    ended.elapsedSeconds = 2
    let rest = " · 0:02 sat · simple · 25 min · volume 60"
    #expect(Face.plainLine(ended) == "Done" + rest)
    ended.panel.kept = true
    #expect(Face.plainLine(ended) == "Done" + rest)
    ended.panel.kept = false
    #expect(Face.plainLine(ended) == "Done, too short to be kept" + rest)
  }
}

@Suite struct CellsTests {
  @Test func width_ofWideAndEmptyScalars_isCounted() {
    #expect(Cells.width("abc") == 3)
    #expect(Cells.width("앉기") == 4)
    #expect(Cells.width("e\u{301}") == 1)
    #expect(Cells.width("🔔") == 2)
  }

  @Test func cut_wideText_neverOverflows() {
    #expect(Cells.cut("앉기멈춤", to: 8) == "앉기멈춤")
    #expect(Cells.cut("앉기멈춤", to: 7) == "앉기멈…")
    #expect(Cells.cut("앉기멈춤", to: 6) == "앉기…")
    #expect(Cells.cut("앉기", to: 1) == "…")
    #expect(Cells.cut("앉기", to: 0) == "")
    #expect(Cells.cut("ab cd", to: 4) == "ab…")
  }
}
