import Testing

/// Everything of the contract's scenario language that this version cannot do, each with the column
/// and the word of which it is said.
private let notBuilt: [(statement: String, column: Int, word: String)] = [
  ("clock unsynced", 7, "unsynced"),
  ("at 7s undo", 7, "undo"),
  ("at 7s start --until 07:00", 13, "--until"),
  ("at 7s set brightness 5", 11, "brightness"),
  ("at 7s set sound.device hw:1", 11, "sound.device"),
  ("set brightness 5", 5, "brightness"),
  ("at 1m synced", 7, "synced"),
  ("at 1m zone Europe/Paris", 7, "zone"),
  ("at 2m suspend 8m", 7, "suspend"),
  ("at 3m power-cut 30s", 7, "power-cut"),
  ("at 3m kill 30s", 7, "kill"),
  ("expect streak 5", 8, "streak"),
  ("expect day-total 2026-01-01 20m", 8, "day-total"),
]

@Test(arguments: notBuilt)
func statement_thatIsNotBuilt_isRefusedAsSuch(statement: String, column: Int, word: String) {
  #expect(
    Scenarios.message("end 1h\n  \(statement)\n")
      == "t:2:\(column + 2): \"\(word)\" is not built yet in this version")
}
