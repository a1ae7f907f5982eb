import Bells
import FoundationEssentials
import Settings
import Testing
import Ticks

@Test func configuration_ofTheREADME_isInOrder() throws {
  let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
  let path = root.joined(separator: "/") + "/README.md"
  let text = try String(contentsOfFile: path, encoding: .utf8)
  let blocks = text.split(separator: "```").filter { $0.hasPrefix("ini\n") }
  var configuration = Configuration()
  for block in blocks {
    try configuration.read(Array(block.dropFirst(4).utf8), file: "README.md")
  }
  #expect(configuration.reminders.map(\.name) == ["morning"])
  #expect(configuration.programmes(sounds: Sound.catalogue).programmes.last?.name == "evening")
  #expect(configuration.sit.length == .minutes(25))
  #expect(configuration.interval.every == .minutes(5))
}
