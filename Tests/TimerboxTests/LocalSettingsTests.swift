// What is chosen on a device stays on it: its file, the one-time move, and what may be shared.
import Glibc
import Sessions
import Settings
import Testing
import Ticks

extension Surroundings {
  /// The state folder and the shared one, made before the first start.
  fileprivate func makeFolders() {
    for folder in ["state", "state/timerbox", "state/timerbox/state", "state/timerbox/store"] {
      mkdir(path(folder), 0o700)
    }
  }

  fileprivate func names(_ folder: String) -> [String] {
    guard let stream = opendir(path(folder)) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        // Safety: the kernel ends the name, and it is read before the next call of readdir.
        String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Every byte of the shared folder, file by file.
  fileprivate var shared: [String: [UInt8]] {
    let folder = "state/timerbox/store"
    return Dictionary(uniqueKeysWithValues: names(folder).map { ($0, bytes("\(folder)/\($0)")) })
  }

  fileprivate var settings: String {
    String(decoding: bytes("state/timerbox/state/settings"), as: UTF8.self)
  }

  /// Starts a box, does something with it, and ends it.
  fileprivate func runBox(_ body: (Service) throws -> Void = { _ in }) throws -> Finished {
    let service = try Service(self)
    try body(service)
    return try service.program.finish(SIGTERM)
  }
}

private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
  let wanted = Array(text.utf8)
  guard bytes.count >= wanted.count else { return false }
  return (0...(bytes.count - wanted.count)).contains { bytes[$0...].starts(with: wanted) }
}

@Test func report22_settingsOfAnEarlierVersion_areMovedOnceAndStayReset() throws {
  let surroundings = try Surroundings()
  surroundings.makeFolders()
  let earlier = "[choices]\nvolume = 35\nvolume.end = 20\n"
  let state = "state/timerbox/state"
  try surroundings.write(earlier, to: "\(state)/choices")
  // What a hand put into the store of an earlier version stands in its truth.
  let device = Identity(randomHigh: 1, low: 2)
  var store = SessionStore(owner: device, device: device)
  let time = WriteTime(WallInstant(milliseconds: 1_795_990_000_000))
  for (key, value) in [("volume", JSONValue.integer(40)), ("sound.device", .string("null"))] {
    try store.set(key, to: value, at: time)
  }
  try surroundings.write(String(decoding: store.encode(), as: UTF8.self), to: "\(state)/truth.kv")
  let moved = "[settings]\nvolume = 35\nvolume.end = 20\nsound.device = null\n"
  _ = try surroundings.runBox { service in
    let volume = try service.state("volume").integerValue
    #expect(volume == 35)
    #expect(surroundings.settings == "# timerbox 0.1.0\n" + moved)
    #expect(surroundings.names(state).contains("settings-moved"))
    for key in ["volume", "volume.end", "sound.device"] {
      let status = try surroundings.run("unset", key).status
      #expect(status == 0)
    }
  }
  // The old file, which a backup may put back at any time, and the store's key are still there.
  #expect(String(decoding: surroundings.bytes("\(state)/choices"), as: UTF8.self) == earlier)
  #expect(try surroundings.run("kv", "get", "volume").output == "40\n")
  for _ in 0..<2 {
    let end = try surroundings.runBox { service in
      let volume = try service.state("volume").integerValue
      #expect(volume == 60)
      let isPlain = try service.state("roleVolumes").members?.isEmpty
      #expect(isPlain == true)
    }
    #expect(end.complaints == "" && end.status == 0)
    #expect(surroundings.settings == "# timerbox 0.1.0\n[settings]\nvolume = 60\n")
  }
}

@Test(arguments: [true, false])
func volumeOfAnotherBox_thatAVerbBringsBeforeTheFirstStart_isNotTaken(isNew: Bool) throws {
  let surroundings = try Surroundings()
  surroundings.makeFolders()
  mkdir(surroundings.path("stick"), 0o700)
  let device = Identity(randomHigh: 1, low: 2)
  var store = SessionStore(owner: device, device: device)
  if !isNew {
    // An earlier version has been here.
    let own = String(decoding: store.encode(), as: UTF8.self)
    try surroundings.write(own, to: "state/timerbox/state/truth.kv")
    try surroundings.write("[choices]\nvolume = 35\n", to: "state/timerbox/state/choices")
  }
  for key in ["volume", "volume.end"] {
    try store.set(
      key, to: .integer(11), at: WriteTime(WallInstant(milliseconds: 1_795_990_000_000)))
  }
  let other = Identity(randomHigh: 3, low: 4).description.lowercased()
  let copy = String(decoding: store.encode(), as: UTF8.self)
  try surroundings.write(copy, to: "stick/\(other).kv")
  let sync = try surroundings.run("sync", surroundings.path("stick"), "--adopt")
  #expect(sync.status == 0 && sync.complaints == "")
  #expect(try surroundings.run("kv", "get", "volume").output == "11\n")
  _ = try surroundings.runBox { service in
    let volume = try service.state("volume").integerValue
    #expect(volume == (isNew ? 60 : 35))
    let isPlain = try service.state("roleVolumes").members?.isEmpty
    #expect(isPlain == true)
  }
}

@Test func report11_damagedSettings_areKeptNamedAndMended() throws {
  let surroundings = try Surroundings()
  surroundings.makeFolders()
  let state = "state/timerbox/state"
  let damaged = "[settings]\nvolume = 10l\nvolume.end = 20\nwarmth = 5\n"
  try surroundings.write(damaged, to: "\(state)/settings")
  let end = try surroundings.runBox { service in
    let end = try service.state("roleVolumes").member("end")?.integerValue
    #expect(end == 20)
  }
  #expect(
    end.complaints.contains("settings:2:10: found \"10l\", expected a whole number from 0 to 100"))
  #expect(end.complaints.contains("kept as \(surroundings.path(state))/settings.damaged-1"))
  #expect(surroundings.bytes("\(state)/settings.damaged-1") == Array(damaged.utf8))
  #expect(surroundings.settings == "# timerbox 0.1.0\n[settings]\nvolume.end = 20\nwarmth = 5\n")
  #expect(try surroundings.runBox().complaints == "")
}

@Test func settings_thatCannotBeRead_areNotWrittenOver() throws {
  let surroundings = try Surroundings()
  surroundings.makeFolders()
  let path = "state/timerbox/state/settings"
  mkdir(surroundings.path(path), 0o700)
  let end = try surroundings.runBox { service in
    let status = try surroundings.run("set", "volume", "35").status
    #expect(status == 0)
    try eventually(within: 15, "it is told") {
      try service.degraded().contains {
        $0.hasPrefix("Choices are not saved: ") && $0.contains("settings is no ordinary file")
      }
    }
  }
  #expect(end.complaints.contains("the settings of this device are not read"))
  rmdir(surroundings.path(path))
  // It was a folder to the end.
  #expect(surroundings.settings == "")
}

@Test func report26_localSettingChanged_leavesTheSharedFolderByteForByte() throws {
  let surroundings = try Surroundings()
  surroundings.makeFolders()
  #expect(try surroundings.run("kv", "set", "day.starts", "\"04:00\"").status == 0)
  let before = surroundings.shared
  #expect(before.count == 1)
  _ = try surroundings.runBox { _ in
    let status = try surroundings.run("set", "volume", "35").status
    #expect(status == 0)
  }
  #expect(surroundings.settings.hasSuffix("volume = 35\n"))
  #expect(surroundings.shared == before)
  // Another shared folder is this device's choice, too.
  mkdir(surroundings.path("other"), 0o700)
  let words = ["run", "--store", surroundings.path("other")]
  #expect(try Service(surroundings, words: words).program.finish(SIGTERM).status == 0)
  #expect(surroundings.shared == before)
  #expect(!surroundings.names("other").isEmpty)
  for name in surroundings.names("other") {
    #expect(!contains(surroundings.bytes("other/\(name)"), "other"))
  }
}

@Test func report27_randomLocalSettings_areNeverInTheSharedFolder() throws {
  let surroundings = try Surroundings(
    sound: "pcm.null { type null }\npcm.hush7731 { type null }\n")
  var generator = SeededGenerator(seed: 27)
  var chosen: [(key: String, value: String)] = []
  for round in 0..<3 {
    _ = try surroundings.runBox { service in
      for _ in 0..<8 {
        let roles = ["", ".start", ".interval", ".end", ".cue"]
        let key = "volume" + roles[Int(generator.below(5))]
        chosen.append((key, "\(generator.below(101))"))
        if generator.below(4) == 0 { chosen.append(("sound.device", "hush7731")) }
        for choice in chosen.suffix(2) {
          let status = try surroundings.run("set", choice.key, choice.value).status
          #expect(status == 0)
        }
      }
      // And something that is shared, so that the copy is written.
      let status = try surroundings.run("start", "1m").status
      #expect(status == 0)
      try service.reach("running", within: 20)
      let end = try surroundings.run("stop").status
      #expect(end == 0)
    }
    let status = try surroundings.run("kv", "set", "tea.\(round)", "\"green\"").status
    #expect(status == 0)
  }
  let shared = surroundings.shared
  #expect(shared.values.contains { contains($0, "tea.2") })
  let names = [
    "volume", "sound.device", "settings", "choices", "hush7731", "null", "crown", "GPIO",
  ]
  for (name, bytes) in shared {
    for word in names { #expect(!contains(bytes, word), "\(name): \(word)") }
    // A value alone, as a number may stand anywhere in a stamp, is looked for as a value.
    for (_, value) in chosen { #expect(!contains(bytes, ":\(value)}"), "\(name): \(value)") }
  }
  #expect(surroundings.settings.contains("volume = "))
}

@Test func kv_setOfADevicesOwnName_isRefusedAndAnythingElseIsFree() throws {
  let surroundings = try Surroundings()
  let cases = [
    ("volume", "timerbox set volume VALUE"), ("volume.end", "timerbox set volume.end VALUE"),
    ("sound.device", "timerbox set sound.device VALUE"), ("interval", "chosen at its remote"),
    ("sound.offset", "under [sound]"), ("crown.step", "under [crown]"),
    ("store.folder", "under [store]"), ("lines.A", "under [lines]"),
  ]
  for (key, reason) in cases {
    let end = try surroundings.run("kv", "set", key, "40")
    #expect(end.status == 1)
    #expect(end.complaints.contains(reason), "\(end.complaints)")
  }
  #expect(try surroundings.run("kv", "list").output == "")
  for key in ["day.start", "programme.evening", "bell.end.sound", "tea"] {
    let status = try surroundings.run("kv", "set", key, "{}").status
    #expect(status == 0)
  }
  // An earlier version's can be taken away.
  #expect(try surroundings.run("kv", "delete", "volume").complaints.contains("no key"))
}

/// What the program itself shares is nobody's local name, or it could not be edited by hand.
@Test func syncedNames_areNoLocalNames() {
  let names: [SyncedName] = [
    .programme("evening"), .bell("end.sound"), .journey("walk"), .dayStarts, .dayGrace,
  ]
  for name in names { #expect(LocalName.refusal(of: name.key) == nil) }
}
