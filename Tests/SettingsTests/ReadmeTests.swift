import FoundationEssentials
import Settings
import Testing
import Ticks

@Test func configuration_ofTheREADME_isInOrder() throws {
  let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
  let path = root.joined(separator: "/") + "/README.md"
  let text = try String(contentsOfFile: path, encoding: .utf8)
  let start = try #require(text.range(of: "```ini\n")).upperBound
  let end = try #require(text[start...].range(of: "```")).lowerBound
  var configuration = Configuration()
  try configuration.read(Array(text[start..<end].utf8), file: "README.md")
  #expect(configuration.sit.length == .minutes(25))
  #expect(configuration.interval.every == .minutes(5))
}
