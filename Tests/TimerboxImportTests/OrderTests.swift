import Testing

@testable import timerbox_import

private func message(_ arguments: String...) -> String? {
  do throws(UsageError) {
    _ = try ImportOrder(arguments)
    return nil
  } catch { return error.message }
}

@Test func order_withoutAName_isCalledAsItsFile() throws {
  let order = try ImportOrder(["some/My Bowl (2).take1.FLAC", "--into", "state/sounds"])
  #expect(order.name == "my-bowl-2-take1")
  #expect(order.path == "some/My Bowl (2).take1.FLAC")
  #expect(order.folder == "state/sounds")
  #expect(ImportOrder.name(ofFile: "bell") == "bell")
  #expect(ImportOrder.name(ofFile: "/a/.wav") == "wav")
  #expect(ImportOrder.name(ofFile: String(repeating: "a", count: 99) + ".wav").utf8.count == 40)
}

@Test func order_withANameOfItsOwn_takesItOrSaysWhyNot() throws {
  #expect(try ImportOrder(["--name", "gong", "--into", "f", "--", "--x.wav"]).path == "--x.wav")
  let rule = "expected --name with lower-case letters, digits and hyphens, at most 40"
  #expect(
    message("a.wav", "--into", "f", "--name", "../gong") == "found the name \"../gong\", \(rule)")
  #expect(message("\u{C885}.wav", "--into", "f") == "found no name in the file's, \(rule)")
}

@Test func help_behindTheTwoHyphens_isAFile() {
  #expect(ImportOrder.wantsHelp(["a.wav", "--help"]))
  #expect(!ImportOrder.wantsHelp(["--into", "f", "--", "--help"]))
  #expect(!ImportOrder.wantsHelp(["help"]))
}

@Test func order_thatIsNone_saysWhatIsMissing() {
  #expect(message("--into", "f") == "found 0 files, expected one")
  #expect(message("a", "b", "--into", "f") == "found 2 files, expected one")
  #expect(message("", "--into", "f", "--name", "a") == "found \"\", expected a file")
  #expect(message("a") == "--into is missing")
  #expect(message("a", "--into") == "--into needs a value")
  #expect(message("a", "--loud") == "found \"--loud\", expected --name, --into or --json")
}
