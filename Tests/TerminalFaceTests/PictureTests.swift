import Box
import FoundationEssentials
import TerminalFace
import Testing

/// The state that the README's picture shows: nineteen minutes into a sit of twenty-five.
private var pictured: StateLine {
  var state = StateLine()
  state.phase = "running"
  state.segment = "sit"
  state.plannedSeconds = 1_500
  state.elapsedSeconds = 1_116
  state.remainingSeconds = 384
  state.setSeconds = 1_500
  state.panel.length = "25m"
  state.panel.intervals = [300, 600, 900, 1_200]
  return state
}

@Test func face_pictureOfTheREADME_isWhatTheFaceDraws() throws {
  let lines = Face.lines(
    pictured, columns: 72, rows: 20, palette: .none)
  let picture = lines.map { line in
    String(line.reversed().drop { $0 == " " }.reversed())
  }.joined(separator: "\n")
  let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
  let path = root.joined(separator: "/") + "/README.md"
  let text = try String(contentsOfFile: path, encoding: .utf8)
  #expect(text.contains("```text\n\(picture)\n```"), "the face has changed:\n\(picture)")
}
