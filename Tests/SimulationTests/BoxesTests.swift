import Sessions
import Testing

@testable import Simulation

@Suite struct BoxesTests {
  @Test(arguments: [
    ("box", "t:2:4: found the end of the line, expected a name for the box"),
    ("box a\nbox a", "t:3:5: found \"a\", expected a name that no other box has"),
    ("on kitchen at 1s split", "t:2:4: found \"kitchen\", expected one of: box"),
    ("box hall\non hal at 1s split", "t:3:4: found \"hal\", expected one of: hall; did you mean"),
    ("box hall\non hall wall +1h", "t:3:9: found \"wall\", expected one of: at, expect, set"),
    ("at 1s peer kitchen", "t:2:12: found \"kitchen\", expected a replica's file, such as"),
    ("at 1s peer a.kv", "t:2:12: found \"a.kv\", expected a file that can be read"),
    ("at 1s copy old now", "t:2:16: found \"now\", expected the end of the line"),
    ("at 1s kv set a", "t:2:15: found no JSON: line 1, column 1: the text ends, expected a value"),
    ("at 1s kv set a {\"b\": x}", "t:2:16: found no JSON: line 1, column 7: found \"x\""),
    ("on box set seed 3\non box set seed 4", "t:2:12: found \"seed\""),
  ])
  func statement_thatIsWrong_isRefusedWithItsPlace(_ lines: String, _ message: String) throws {
    let got = try #require(Scenarios.message("end 1h\n\(lines)\n"))
    #expect(got.hasPrefix(message), "\(got)")
  }

  @Test func statements_withoutABox_areForAllOfThem() throws {
    let text = """
      box kitchen
      box hall
      set sit.length 5m
      on hall set sit.length 7m
      at 1s expect set 5m
      at 2s turn 1
      on kitchen at 3s expect set 6m
      expect set 8m
      end 5s
      """
    #expect(
      try Scenarios.failures(text) == [
        "t:5: expected set 5m, got 7m on hall", "t:8: expected set 8m, got 6m on kitchen",
      ])
  }

  @Test func boxNamedLater_hasWhatWasSetForAll() throws {
    let text = "box a\nset sit.length 5m\non a set crown.step 2m\nbox b\nexpect set 5m\nend 1s"
    #expect(try Scenarios.failures(text) == [])
  }

  @Test func boxes_ofOneScenario_drawNumbersOfTheirOwn() throws {
    let lines = try Scenarios.trace(
      "box a\nbox b\nset sit.preparation 0\nat 1s start 1m\nend 2m"
    ).filter { $0.contains("\"begun\"") }
    #expect(lines.count == 2)
    #expect(Set(lines.map { $0.suffix(40) }).count == 2)
  }

  @Test func scenario_playedTwice_tracesTheSame() throws {
    let text = try Scenarios.text("boxes-split-and-joined.scenario")
    #expect(try Scenarios.trace(text) == Scenarios.trace(text))
  }

  @Test func conflict_ofTwoSidesOfASplit_leavesTheLoserUnderAnotherName() {
    let share = SimulatedShare(boxes: 2)
    share.write("a.kv", [1], by: 0)
    share.change(.split, of: 1, own: "a.kv")
    share.write("a.kv", [2], by: 0)
    share.write("a.kv", [3], by: 1)
    share.change(.join, of: 1, own: "a.kv")
    for box in 0...1 {
      #expect(share.read("a.kv", of: box) == [3])
      #expect(
        share.files(of: box).map(\.path)
          == ["a.kv", "a.sync-conflict-20260101-000002-ABCDEFG.kv"])
      #expect(share.takeNews(of: box) == true)
      #expect(share.takeNews(of: box) == false)
    }
  }

  @Test func conflicts_oneAfterAnother_leaveAllLosers() {
    let share = SimulatedShare(boxes: 2)
    for round in 0..<3 as Range<UInt8> {
      share.change(.split, of: 1, own: "a.kv")
      share.write("a.kv", [10 + round], by: 0)
      share.write("a.kv", [20 + round], by: 1)
      share.change(.join, of: 1, own: "a.kv")
    }
    let copies = share.files(of: 0).map(\.path).compactMap { share.read($0, of: 0) }
    #expect(Set(copies) == [[22], [10], [11], [12]])
  }

  @Test func change_onOneSideOfASplit_winsWithoutAConflict() {
    let share = SimulatedShare(boxes: 2)
    share.write("a.kv", [1], by: 0)
    share.change(.split, of: 0, own: "a.kv")
    share.write("a.kv", [2], by: 1)
    #expect(share.read("a.kv", of: 0) == [1])
    share.change(.join, of: 0, own: "a.kv")
    #expect(share.files(of: 0) == share.files(of: 1))
    #expect(share.read("a.kv", of: 0) == [2])
  }
}
