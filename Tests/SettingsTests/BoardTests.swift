import Glibc
import Settings
import Testing
import Ticks

private func boardMessages(_ text: String) -> String {
  do {
    _ = try Board(Array(text.utf8), file: "b.ini")
    return ""
  } catch {
    return error.text
  }
}

private let head = "[board]\nname = desk\nchip = simulated\n"

/// The bytes of a file of the project.
private func projectFile(_ name: String) throws -> [UInt8] {
  let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  let file = try #require(fopen("/\(root)/\(name)", "rb"))
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 65_536)
  return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
}

@Test func board_simulated_hasTheCrownAndSevenButtonsAtRest() {
  let board = Board.simulated
  #expect(board.name == "simulated")
  #expect(String(board.lines.map(\.part.letter)) == "ABSUDLROKP")
  #expect(board.lines.allSatisfy { $0.restLevel == 1 })
  #expect(Configuration(board: board) == Configuration())
}

@Test func board_fileOfTheSimulatedBoard_saysTheSame() throws {
  #expect(try Board(projectFile("board/simulated.ini"), file: "simulated.ini") == .simulated)
}

@Test func board_keysOfCrownAndButton_areOverriddenByTheConfiguration() throws {
  let text = head + "[crown]\ndetents-per-cycle = 2\nreverse = yes\n[button]\nlong = 1s\n"
  let board = try Board(Array(text.utf8), file: "b.ini")
  var configuration = Configuration(board: board)
  #expect(configuration.crown.detentsPerCycle == 2)
  #expect(configuration.crown.isReversed)
  #expect(configuration.button.long == .seconds(1))
  #expect(configuration.origin(of: "crown.reverse").text == "b.ini:6:1")
  try configuration.read(Array("[crown]\nreverse = no\n".utf8), file: "t.conf")
  #expect(!configuration.crown.isReversed)
  #expect(configuration.crown.detentsPerCycle == 2)
}

@Test func board_withSomeLines_hasThoseInOrder() throws {
  let text = head + "[lines]\nplay = P\ncrown-a = B\ncrown-b = A\n"
  let board = try Board(Array(text.utf8), file: "b.ini")
  #expect(board.lines.map(\.part) == [.crownA, .crownB, .play])
  #expect(board.lines.map(\.name) == ["B", "A", "P"])
}

/// In a table of its own, with its type: Swift 6.0 cannot infer it inside the macro in good time.
private let wrongBoards: [(text: String, message: String)] = [
  (
    "[board]\nname = pi\nchip = pinctrl-bcm2711\n[lines]\ncrown-a = GPIO17",
    "b.ini:3:8: found \"pinctrl-bcm2711\", not built yet in this version, expected the chip "
      + "simulated"
  ),
  ("[board]\nname = pi", "b.ini:1:1: found no such key, expected chip in [board]"),
  ("[board]\nchip = simulated", "b.ini:1:1: found no such key, expected name in [board]"),
  (
    "[board]\nname =\nchip = simulated",
    "b.ini:2:7: found nothing, expected a name of at most 63 letters, digits, - and _"
  ),
  (head + "chips = x", "b.ini:4:1: found \"chips\", expected name or chip; did you mean \"chip\"?"),
  (
    head + "[lines]\ncrown-c = A",
    "b.ini:5:1: found \"crown-c\", expected crown-a, crown-b, crown-switch, up, down, left, right, "
      + "select, back or play; did you mean \"crown-a\"?"
  ),
  (
    head + "[lines]\nup = X",
    "b.ini:5:6: found \"X\", expected a line of the simulated chip: A, B, S, U, D, L, R, O, K or P"
  ),
  (
    head + "[lines]\nup = U\ndown = U",
    "b.ini:6:8: found \"U\", expected another line, for up has this one"
  ),
  (
    head + "[sit]\nlength = 5m",
    "b.ini:4:1: found [sit], expected one of board, lines, crown or button"
  ),
  (
    head + "[crown]\nstep = 5m",
    "b.ini:5:1: found \"step\", expected detents-per-cycle or reverse in [crown]"
  ),
  (
    head + "[button]\ndouble = 50ms\ndebounce = 60ms",
    "b.ini:6:1: found \"button.debounce = 60ms\", expected at most button.double (50ms)"
  ),
  (
    head + "[crown]\nreverse = maybe",
    "b.ini:5:11: found \"maybe\", expected yes or no"
  ),
]

@Test(arguments: wrongBoards)
func board_wrongFile_isRefusedWithItsPlace(text: String, message: String) {
  #expect(boardMessages(text) == message)
}
