import Bells
import FoundationEssentials
import Glibc
import LinuxIO
import Testing

@testable import SoundFiles

private final class Folder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/timerbox-sounds-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ bytes: [UInt8], to name: String) throws {
    let file = try #require(fopen("\(path)/\(name)", "w"))
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  func faults() -> [String] { SoundFiles.load(path).faults.map(\.description) }
}

private func file(_ name: String = "bell.wav", frames: Int = 100) -> RecordingFile {
  RecordingFile(
    source: RecordingFile.Source(name: name, byteCount: 1_000, checksum: 7), loudness: -18,
    recording: Recording(samples: [Int16](repeating: 99, count: 2 * frames), gain: 0.5))
}

@Test func load_folderThatIsNotThere_isNoFault() {
  let (sounds, faults) = SoundFiles.load("/tmp/timerbox-no-such-folder")
  #expect(sounds.isEmpty && faults.isEmpty)
}

@Test func replace_thenLoad_givesTheSameSoundByItsName() throws {
  let folder = try Folder()
  let inner = folder.path + "/state/sounds"
  try SoundFiles.replace("gong", with: file("Gong 1.wav"), in: inner)
  try SoundFiles.replace("bowl", with: file(frames: 24_000), in: inner)
  try SoundFiles.replace("gong", with: file("Gong 2.wav"), in: inner)
  let (sounds, faults) = SoundFiles.load(inner)
  #expect(faults.isEmpty)
  #expect(sounds.map(\.name) == ["own/bowl", "own/gong"])
  #expect(sounds.map(\.source) == ["bell.wav", "Gong 2.wav"])
  #expect(sounds.allSatisfy { $0.title == "own recording" && $0.isBell })
  #expect(sounds[0].seconds == 0.5)
  #expect(try SoundFiles.read("gong", in: inner) == file("Gong 2.wav"))
  #expect(try SoundFiles.read("ring", in: inner) == nil)
}

@Test func load_eachWrongFile_isNamedAndTheRestIsRead() throws {
  let folder = try Folder()
  let whole = file().bytes
  var damaged = whole
  damaged[100] ^= 1
  var newer = whole
  newer[8] = 2
  try folder.write([], to: "a-empty.sound")
  try folder.write(Array(whole.dropLast(1)), to: "b-cut.sound")
  try folder.write(damaged, to: "c-damaged.sound")
  try folder.write(Array("RIFF....WAVE".utf8), to: "d-wave.sound")
  try folder.write(newer, to: "e-newer.sound")
  try folder.write(whole + [0], to: "f-long.sound")
  try folder.write(whole, to: "g-good.sound")
  try folder.write(whole, to: "H.sound")
  try folder.write(whole, to: "i.wav")
  try folder.write(whole, to: ".hidden")
  let (sounds, faults) = SoundFiles.load(folder.path)
  #expect(sounds.map(\.name) == ["own/g-good"])
  let place = folder.path
  let form = "the box's own form"
  let hint = "\"timerbox sounds add FILE\" brings it there"
  #expect(
    faults.map(\.description) == [
      "\(place)/H.sound is not in \(form); \(hint)",
      "own/a-empty: \(place)/a-empty.sound is empty",
      "own/b-cut: \(place)/b-cut.sound is cut: 455 bytes of 456",
      "own/c-damaged: \(place)/c-damaged.sound is damaged: its checksum is another",
      "own/d-wave: \(place)/d-wave.sound is not in \(form)",
      "own/e-newer: \(place)/e-newer.sound is of version 2 of \(form), and this timerbox reads "
        + "version 1",
      "own/f-long: \(place)/f-long.sound has 457 bytes, and should have 456",
      "\(place)/i.wav is not in \(form); \(hint)",
    ])
}

@Test func load_whatIsNoFile_neverWaits() throws {
  let folder = try Folder()
  mkfifo(folder.path + "/pipe.sound", 0o600)
  mkdir(folder.path + "/folder.sound", 0o700)
  symlink("/dev/zero", folder.path + "/link.sound")
  try folder.write([], to: "large.sound")
  truncate(folder.path + "/large.sound", 30_000_000)
  let place = folder.path
  #expect(
    folder.faults() == [
      "own/folder: \(place)/folder.sound is no ordinary file",
      "own/large: \(place)/large.sound has more than the 23040303 bytes of the longest recording",
      "own/link: \(place)/link.sound is no ordinary file",
      "own/pipe: \(place)/pipe.sound is no ordinary file",
    ])
  #expect(SoundFiles.load(place + "/large.sound").faults.map(\.reason) == [.system(.notFolder)])
}

@Test func load_moreFilesThanAreRead_saysSo() throws {
  let folder = try Folder()
  for number in 0..<65 { try folder.write(file().bytes, to: "bell-\(number).sound") }
  let (sounds, faults) = SoundFiles.load(folder.path)
  #expect(sounds.count == 64)
  #expect(faults.map(\.reason) == [.tooMany(65)])
}

@Test func replace_whereItCannotBeWritten_saysWhy() throws {
  let folder = try Folder()
  try folder.write([], to: "file")
  var found: SoundFileFault?
  do throws(SoundFileFault) {
    try SoundFiles.replace("gong", with: file(), in: folder.path + "/file/sounds")
  } catch { found = error }
  #expect(
    found?.description
      == "own/gong: \(folder.path)/file/sounds/gong.sound: Not a directory")
}

@Test func name_ofARecording_isPlain() {
  for name in ["a", "7-5-3", String(repeating: "x", count: 40)] {
    #expect(SoundFiles.isName(name))
  }
  for name in ["", "-a", "A", "a b", "../a", "a.b", "\u{E9}", String(repeating: "x", count: 41)] {
    #expect(!SoundFiles.isName(name))
  }
}

@Test func printable_nameThatMovesTheCursor_isMadeHarmless() {
  #expect(SoundFiles.printable("a\u{1B}[2Jb\nc\u{85}") == "a\u{FFFD}[2Jb\u{FFFD}c\u{FFFD}")
  #expect(SoundFiles.printable("\u{C885} 1.wav") == "\u{C885} 1.wav")
}

@Test func replace_manyOfOneNameAtOnce_leavesOneOfThemWholeAndNothingElse() throws {
  let folder = try Folder()
  let path = folder.path
  let group = (0..<8).map { number -> pthread_t in
    let order = Order(path: path, frames: 10_000 + number)
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { raw in
        guard let raw else { return nil }
        // Safety: the one reference that was made for this thread.
        let order = Unmanaged<Order>.fromOpaque(raw).takeRetainedValue()
        for _ in 0..<5 {
          do throws(SoundFileFault) {
            try SoundFiles.replace("gong", with: file(frames: order.frames), in: order.path)
          } catch { return UnsafeMutableRawPointer(bitPattern: 1) }
        }
        return nil
      }, Unmanaged.passRetained(order).toOpaque())
    return thread
  }
  for thread in group {
    var failure: UnsafeMutableRawPointer?
    pthread_join(thread, &failure)
    #expect(failure == nil)
  }
  let (sounds, faults) = SoundFiles.load(path)
  #expect(sounds.map(\.name) == ["own/gong"] && faults.isEmpty)
  #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["gong.sound"])
}

private final class Order: Sendable {
  let path: String
  let frames: Int
  init(path: String, frames: Int) {
    self.path = path
    self.frames = frames
  }
}

@Test func replace_afterOneThatWasCutOff_takesAwayWhatItLeft() throws {
  let folder = try Folder()
  try folder.write([1, 2, 3], to: ".gong.sound.new")
  try folder.write([1, 2, 3], to: ".bowl.sound.new")
  try folder.write([1, 2, 3], to: ".else")
  try SoundFiles.replace("gong", with: file(), in: folder.path)
  let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  #expect(left == [".else", "gong.sound"])
}
