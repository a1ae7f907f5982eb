import FoundationEssentials
import RemoteFront
import Testing

@Test func mapping_manual_standsInTheArchitecture() throws {
  let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
  let path = root.joined(separator: "/") + "/ARCHITECTURE.md"
  let text = try String(contentsOfFile: path, encoding: .utf8)
  #expect(text.contains(RemoteMapping().manual), "print RemoteMapping().manual into \(path)")
}
