import LinuxIO
import StoreFiles
import Testing

@Test func stateFiles_replacedAndRead_areWhole() throws {
  try withTemporaryFolder { state in
    let files = try StateFiles(state)
    #expect(try files.read("settings") == nil)
    try files.replace("settings", with: [1, 2, 3])
    try files.replace("settings", with: [4])
    #expect(try files.read("settings") == [4])
    #expect(try names(state) == ["settings"])
  }
}

@Test func stateFiles_folderThatIsNotThere_isAnErrorAndIsNotMade() throws {
  try withTemporaryFolder { state in
    #expect(throws: StoreFileFault.self) { _ = try StateFiles("\(state)/none") }
    let left = try names(state)
    #expect(left.isEmpty)
  }
}

@Test func keepCopy_ofDamagedFiles_keepsEachOnceAndAtMostEight() throws {
  try withTemporaryFolder { state in
    let files = try StateFiles(state)
    try files.replace("settings", with: [0])
    for copy in 1...8 {
      let path = "\(state)/settings.damaged-\(copy)"
      #expect(try files.keepCopy(of: [UInt8(copy)], damaged: "settings") == path)
      // A mending that was cut off is done again.
      #expect(try files.keepCopy(of: [UInt8(copy)], damaged: "settings") == path)
    }
    let last = "\(state)/settings.damaged-8"
    #expect(try files.keepCopy(of: [99], damaged: "settings") == last)
    #expect(try content(last) == [99] && content("\(state)/settings.damaged-1") == [1])
    // The file itself stands where it stood until it is replaced.
    #expect(try files.read("settings") == [0])
  }
}
