import Testing

/// Everything of the contract's scenario language that this version cannot do, each with the column
/// and the word of which it is said.
private let notBuilt: [(statement: String, column: Int, word: String)] = [
  ("at 7s unset programme", 13, "programme"),
  ("at 7s set programme evening", 11, "programme"),
  ("at 7s set brightness 5", 11, "brightness"),
  ("at 7s set picture fire", 11, "picture"),
  ("at 7s set rating 5", 11, "rating"),
  ("at 7s set sound.device hw:1", 11, "sound.device"),
  ("set brightness 5", 5, "brightness"),
]

@Test(arguments: notBuilt)
func statement_thatIsNotBuilt_isRefusedAsSuch(statement: String, column: Int, word: String) {
  #expect(
    Scenarios.message("end 1h\n  \(statement)\n")
      == "t:2:\(column + 2): \"\(word)\" is not built yet in this version")
}

@Test(arguments: ["interval.fractions 1/2", "sit.recover wait", "bell.segment.sound none"])
func key_thatIsNotBuilt_isRefusedAsSuch(setting: String) throws {
  let message = try #require(Scenarios.message("end 1h\nset \(setting)\n"))
  #expect(message.hasPrefix("t:2:5: found \"\(setting.split(separator: " ")[0])\", not built yet"))
}
