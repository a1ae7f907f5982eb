import Testing

@testable import Settings

@Test(arguments: [
  ("kitten", "sitting", 3), ("", "abc", 3), ("abc", "", 3), ("same", "same", 0), ("ab", "ba", 2),
  ("flaw", "lawn", 2),
])
func editDistance_knownPairs_isLevenshteins(left: String, right: String, distance: Int) {
  #expect(editDistance(Array(left.unicodeScalars), Array(right.unicodeScalars)) == distance)
}

@Test func nearest_limit_isTwoOrAThirdOfTheLength() {
  #expect(nearest(to: "lengt", among: ["length", "lengths"]) == "length")
  #expect(nearest(to: "leng", among: ["length"]) == "length")
  #expect(nearest(to: "len", among: ["length"]) == nil)
  #expect(nearest(to: "preparing-x", among: ["preparation"]) == nil)
  #expect(nearest(to: "overtmelimi", among: ["overtime-limit"]) == "overtime-limit")
  #expect(nearest(to: "x", among: ["at"]) == nil)
  #expect(nearest(to: "ab", among: ["ac", "ad"]) == "ac")
  #expect(nearest(to: "anything", among: []) == nil)
}
