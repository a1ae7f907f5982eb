import Settings
import Testing

@Test func choices_writtenAndRead_areTheSame() {
  #expect(ChoicesFile.volume(in: ChoicesFile.bytes(volume: 35)) == 35)
  #expect(ChoicesFile.volume(in: ChoicesFile.bytes(volume: 0)) == 0)
}

@Test(arguments: ["", "[choices]\n", "[choices]\nvolume = 101\n", "volume = 5\n", "\u{0}\u{1}"])
func choices_thatCannotBeRead_areNone(text: String) {
  #expect(ChoicesFile.volume(in: Array(text.utf8)) == nil)
}
