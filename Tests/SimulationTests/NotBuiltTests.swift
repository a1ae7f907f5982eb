import Testing

/// Everything of the contract's scenario language that this version cannot do, each with the column
/// and the word of which it is said.
private let notBuilt: [(statement: String, column: Int, word: String)] = [
  ("at 7s set brightness 5", 11, "brightness"),
  ("at 7s set sound.device hw:1", 11, "sound.device"),
  ("set brightness 5", 5, "brightness"),
]

@Test(arguments: notBuilt)
func statement_thatIsNotBuilt_isRefusedAsSuch(statement: String, column: Int, word: String) {
  #expect(
    Scenarios.message("end 1h\n  \(statement)\n")
      == "t:2:\(column + 2): \"\(word)\" is not built yet in this version")
}
