import FoundationEssentials
import Testing
import TimerMachine

@Test func table_manual_standsInTheArchitecture() throws {
  let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
  let path = root.joined(separator: "/") + "/ARCHITECTURE.md"
  let text = try String(contentsOfFile: path, encoding: .utf8)
  #expect(text.contains(TransitionTable.manual), "print TransitionTable.manual into \(path)")
}
