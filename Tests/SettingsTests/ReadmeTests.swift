import FoundationEssentials
import Settings
import Testing
import Ticks

@Test func configuration_ofTheREADME_isInOrder() throws {
  let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
  let path = root.joined(separator: "/") + "/README.md"
  let text = try String(contentsOfFile: path, encoding: .utf8)
  let blocks = text.split(separator: "```")
  let block = try #require(blocks.first { $0.hasPrefix("ini\n") }).dropFirst(4)
  var configuration = Configuration()
  try configuration.read(Array(block.utf8), file: "README.md")
  #expect(configuration.sit.length == .minutes(25))
  #expect(configuration.interval.every == .minutes(5))
}
