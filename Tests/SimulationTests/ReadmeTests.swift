import FoundationEssentials
import Testing

@Test func scenario_ofTheREADME_holds() throws {
  let path = Scenarios.folder + "/../../README.md"
  let text = try String(contentsOfFile: path, encoding: .utf8)
  let blocks = text.split(separator: "```")
  let block = try #require(blocks.first { $0.hasPrefix("text\nset ") }).dropFirst(5)
  #expect(try Scenarios.failures(String(block)) == [])
}
