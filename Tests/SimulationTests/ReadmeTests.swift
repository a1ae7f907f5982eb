import FoundationEssentials
import Testing

@Test func scenario_ofTheREADME_holds() throws {
  let path = Scenarios.folder + "/../../README.md"
  let text = try String(contentsOfFile: path, encoding: .utf8)
  let start = try #require(text.range(of: "```text\nset ")).lowerBound
  let body = text[start...].dropFirst("```text\n".count)
  let end = try #require(body.range(of: "```")).lowerBound
  #expect(try Scenarios.failures(String(body[..<end])) == [])
}
