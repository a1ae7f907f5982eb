import Testing

@testable import TerminalFace

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

@Suite struct FrameTests {
  @Test func frame_first_clearsAndDrawsAll() {
    let bytes = Face.frame(["a", "b"], after: nil, palette: .none)
    #expect(text(bytes) == "\u{1B}[2J\u{1B}[1;1Ha\u{1B}[2;1Hb")
  }

  @Test func frame_next_drawsOnlyWhatChanged() {
    #expect(Face.frame(["a", "b"], after: ["a", "b"], palette: .none) == [])
    let bytes = Face.frame(["a", "c"], after: ["a", "b"], palette: .full)
    #expect(text(bytes) == "\u{1B}[2;1H\u{1B}[0;48;2;0;0;0mc")
  }

  @Test func frame_afterAResize_clears() {
    let bytes = Face.frame(["a"], after: ["a", "b"], palette: .sixteen)
    #expect(text(bytes) == "\u{1B}[0;40m\u{1B}[2J\u{1B}[1;1H\u{1B}[0;40ma")
  }

  @Test func frame_oneSecondOn_leavesAllButDigitsAndRing() {
    let lines = [1_103, 1_102].map {
      Face.lines(
        state("running", remaining: $0), columns: 80, rows: 24, palette: .sixteen)
    }
    let changed = lines[0].indices.filter { lines[0][$0] != lines[1][$0] }
    #expect(!changed.isEmpty && changed.count <= Digits.rows(scale: 2))
    #expect(changed.allSatisfy { lines[0][$0].contains { "█▀▄".contains($0) } })
  }

  @Test func leave_undoesWhatEnterDid() {
    let modes = ["1049", "7", "1000", "1006", "2004", "25"]
    for mode in modes {
      let wasRaised = text(Face.enter).contains("[?\(mode)h")
      #expect(text(Face.enter).contains("[?\(mode)\(wasRaised ? "h" : "l")"))
      #expect(text(Face.leave).contains("[?\(mode)\(wasRaised ? "l" : "h")"))
    }
    #expect(text(Face.enter).contains("[>11u") && text(Face.leave).contains("[<u"))
    // The fatal handler's own copy has 256 bytes.
    #expect(Face.leave.count <= 256)
  }

  @Test func palette_none_hasNoEscape() {
    let running = state("running", remaining: 5, degraded: ["x"])
    let lines = Face.lines(running, columns: 80, rows: 24, palette: .none)
    #expect(!lines.joined().contains("\u{1B}"))
    for palette in [Palette.sixteen, .full] {
      let drawn = Face.lines(running, columns: 80, rows: 24, palette: palette)
      #expect(drawn.joined().contains("\u{1B}["))
    }
  }

  @Test func style_isChosenFromTheEnvironment() {
    func chosen(_ isTerminal: Bool, _ environment: [String: String]) -> FaceStyle {
      FaceStyle.chosen(isTerminal: isTerminal) { environment[$0] }
    }
    let xterm = ["TERM": "xterm-256color"]
    #expect(chosen(false, xterm) == .plain)
    #expect(chosen(true, [:]) == .plain)
    #expect(chosen(true, ["TERM": "dumb"]) == .plain)
    #expect(chosen(true, xterm) == .drawn(.sixteen))
    #expect(chosen(true, xterm.merging(["COLORTERM": "truecolor"]) { $1 }) == .drawn(.full))
    #expect(chosen(true, xterm.merging(["NO_COLOR": "1"]) { $1 }) == .drawn(.none))
    #expect(chosen(true, xterm.merging(["NO_COLOR": ""]) { $1 }) == .drawn(.sixteen))
    #expect(chosen(true, ["TERM": "vt100"]) == .drawn(.none))
  }
}
