import Glibc
import RecordingMaker
import Sessions
import Settings
import Testing

/// Recordings from the file that somebody brings to the sound that is heard, through the binaries.
@Suite struct OwnSoundsTests {
  private let place: Surroundings

  init() throws { place = try Surroundings() }

  private func make(_ name: String, _ format: Int32, seconds: Int = 1) throws -> String {
    let samples = (0..<(seconds * 44_100)).flatMap { frame -> [Float] in
      let time = Double(frame) / 44_100
      let value = Float(0.5 * exp(-2 * time) * cos(2 * .pi * 660 * time))
      return [value, value]
    }
    let count = Int64(samples.count / 2)
    let made = recording_maker_write(place.path(name), format, 44_100, 2, samples, count)
    try #require(made == 1)
    return place.path(name)
  }

  private func sounds(_ words: String...) throws -> Finished {
    try Program(["sounds"] + words + ["--state", place.path("box")], in: place).finish()
  }

  @Test func add_aRecording_isListedAndCanBeRendered() throws {
    let file = try make("My Bowl.flac", recording_maker_flac)
    let added = try sounds("add", file)
    #expect(added.status == 0 && added.complaints == "")
    #expect(
      added.output
        == "own/my-bowl  1.0 s  -18.0 LUFS\na service that runs has it after its next start\n")
    let listed = try sounds("list")
    #expect(listed.output.contains("own/my-bowl"))
    #expect(listed.output.contains("own recording (My Bowl.flac)"))
    #expect(try sounds("list", "--json").output.contains("\"own/my-bowl\""))
    let rendered = try sounds("render", "own/my-bowl", place.path("out.wav"))
    #expect(rendered.status == 0 && rendered.complaints == "")
    let bytes = place.bytes("out.wav")
    let samples = stride(from: 44, to: bytes.count - 1, by: 4).map { index in
      Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8)
    }
    // It begins at once, at the level of a bell, and its end is silent.
    let loudest = try #require(samples.map(\.magnitude).max())
    #expect((4_000...16_400).contains(loudest))
    #expect(try #require(samples.firstIndex { $0.magnitude > loudest / 2 }) < 96)
    #expect(samples.last == 0)
  }

  @Test func add_theSameFileAgain_changesNothing() throws {
    let file = try make("gong.wav", recording_maker_wav16)
    let first = try sounds("add", file)
    let made = place.bytes("box/sounds/gong.sound")
    var before = stat()
    stat(place.path("box/sounds/gong.sound"), &before)
    let again = try sounds("add", file)
    var after = stat()
    stat(place.path("box/sounds/gong.sound"), &after)
    #expect(again.output == first.output && again.status == 0)
    #expect(before.st_ino == after.st_ino && !made.isEmpty)
    // Another file of that name takes its place, and that is said.
    let other = try sounds("add", try make("x.mp3", recording_maker_mp3), "--name", "gong")
    #expect(other.status == 0)
    #expect(
      other.complaints == "timerbox-import: own/gong was made of gong.wav before, and is replaced\n"
    )
    #expect(place.bytes("box/sounds/gong.sound") != made)
  }

  @Test func add_whatIsNoRecording_isRefusedInOneLine() throws {
    try place.write("hello, world\n", to: "text.wav")
    let file = place.path("text.wav")
    let text = try sounds("add", file)
    #expect(text.status == 65 && text.output == "")
    #expect(
      text.complaints
        == "timerbox-import: \(file): found a file that begins with \"hello, w\", "
        + "expected WAV, FLAC, Ogg (Vorbis, Opus) or MP3\n")
    let missing = try sounds("add", place.path("none.wav"))
    #expect(missing.status == 74)
    #expect(
      missing.complaints
        == "timerbox-import: \(place.path("none.wav")): No such file or directory\n")
    mkfifo(place.path("pipe.wav"), 0o600)
    #expect(try sounds("add", place.path("pipe.wav")).status == 65)
    #expect(try sounds("add").status == 64)
  }

  @Test func add_wrongNameOrNoFile_saysHowThisProgramIsUsed() throws {
    let file = try make("gong.wav", recording_maker_wav16)
    let usage = "usage: timerbox sounds [list|render NAME FILE.wav|add FILE]\n"
    let named = try sounds("add", file, "--name", "A/B")
    #expect(named.status == 64)
    let rule = "expected lower-case letters, digits and hyphens, at most 40"
    #expect(named.complaints == "timerbox: --name: found \"A/B\", \(rule)\n\(usage)")
    let empty = try sounds("add", "")
    #expect(empty.status == 64)
    #expect(empty.complaints == "timerbox: found \"\", expected a FILE\n\(usage)")
    rename(file, place.path("\u{C885}.wav"))
    let nameless = try sounds("add", place.path("\u{C885}.wav"))
    #expect(nameless.status == 64 && !nameless.complaints.contains("--into"))
  }

  @Test func add_forAProgram_answersInJSON() throws {
    let added = try sounds("add", try make("gong.wav", recording_maker_wav16), "--json")
    #expect(added.status == 0)
    let answer = try JSONValue(parsing: Array(added.output.utf8))
    #expect(answer.member("name")?.stringValue == "own/gong")
    #expect(answer.member("seconds") == .number("1.0"))
    #expect(answer.member("loudness") == .number("-18.0"))
  }

  @Test func list_longNamesAndLengths_standInColumnsAsAddToldThem() throws {
    let name = String(repeating: "a", count: 40)
    let added = try sounds(
      "add", try make("two.wav", recording_maker_wav16, seconds: 2), "--name", name)
    #expect(added.output.hasPrefix("own/\(name)  2.0 s  "))
    let lines = try sounds("list").output.split(separator: "\n").map { Array($0.utf8) }
    #expect(lines.contains { String(decoding: $0, as: UTF8.self).contains("   2.0 s  own rec") })
    // The kind begins in one column, and the title in one, behind two spaces each.
    for line in lines {
      try #require(line.count > 64)
      #expect(line[44] == 0x20 && line[45] == 0x20 && line[46] != 0x20)
      #expect(line[62] == 0x20 && line[63] == 0x20 && line[64] != 0x20)
    }
  }

  @Test func add_aCutMP3_saysSoAndNothingElseIsSaid() throws {
    _ = try make("whole.mp3", recording_maker_mp3, seconds: 10)
    let whole = place.bytes("whole.mp3")
    let cut = try #require(fopen(place.path("cut.mp3"), "w"))
    fwrite(whole, 1, 20_000, cut)
    fclose(cut)
    let added = try sounds("add", place.path("cut.mp3"))
    #expect(added.status == 0)
    let lines = added.complaints.split(separator: "\n")
    #expect(lines.count == 1)
    #expect(lines.first?.contains("cut.mp3: it says that it has 10.") == true)
  }

  @Test func list_wrongFileInTheFolder_isNamedAndTheRestIsThere() throws {
    _ = try sounds("add", try make("gong.wav", recording_maker_wav16))
    try place.write("", to: "box/sounds/bowl.sound")
    let listed = try sounds("list")
    #expect(listed.status == 0)
    #expect(
      listed.complaints == "timerbox: own/bowl: \(place.path("box/sounds/bowl.sound")) is empty\n")
    #expect(listed.output.contains("own/gong"))
  }

  @Test func render_anAmbientSound_isTwentySecondsOfIt() throws {
    #expect(try sounds("render", "rain", place.path("rain.wav")).status == 0)
    let frames = (place.bytes("rain.wav").count - 44) / 4
    #expect((960_000...970_000).contains(frames))
  }

  @Test func ring_aRecording_isHeardAsItIsRendered() throws {
    let place = try Surroundings(
      sound: """
        pcm.null { type null }
        pcm.!default { type file slave.pcm null file "FOLDER/heard.raw" format raw perm 384 }

        """)
    let file = place.path("gong.wav")
    let samples = (0..<24_000).map { frame -> Float in
      let time = Double(frame)
      return Float(0.5 * exp(-time / 8_000) * sin(time / 9))
    }
    try #require(
      recording_maker_write(file, recording_maker_wav16, 48_000, 1, samples, 24_000) == 1)
    #expect(try place.run("sounds", "add", file).status == 0)
    #expect(try place.run("sounds", "render", "own/gong", place.path("gong-out.wav")).status == 0)
    let wave = place.bytes("gong-out.wav").dropFirst(44)
    let rendered = stride(from: wave.startIndex, to: wave.endIndex - 3, by: 4).map { index in
      Double(Int16(bitPattern: UInt16(wave[index]) | UInt16(wave[index + 1]) << 8))
    }
    let service = try Service(place)
    #expect(try place.run("ring", "own/gong").status == 0)
    var heard: [Double] = []
    try eventually("the whole recording is heard") {
      heard = leftOfFrames(place.bytes("heard.raw"))
      return (heard.lastIndex { $0 != 0 } ?? 0) - (heard.firstIndex { $0 != 0 } ?? 0) > 23_000
    }
    #expect(try service.program.finish(SIGTERM).status == 0)
    // The same frames, all of them at the same share, which is the volume of the box.
    let first = try #require(attack(heard))
    let begin = try #require(attack(rendered))
    let share = { (index: Int) in heard[first + index] / rendered[begin + index] }
    let places = (0..<4_000).filter { rendered[begin + $0].magnitude > 2_000 }
    let shares = places.map { share($0) }
    let least = try #require(shares.min())
    let greatest = try #require(shares.max())
    #expect(shares.count > 1_000 && least > 0 && greatest < 1.01 * least)
  }

  /// The first sample that is half as loud as the loudest.
  private func attack(_ samples: [Double]) -> Int? {
    let loudest = samples.reduce(0) { max($0, $1.magnitude) }
    return samples.firstIndex { $0.magnitude > 0 && $0.magnitude >= loudest / 2 }
  }

  @Test func run_recordingsThatAreMissingOrWrong_areNamedAndTheBoxGoesOn() throws {
    mkdir(place.path("box"), 0o700)
    mkdir(place.path("box/sounds"), 0o700)
    try place.write("RIFF", to: "box/sounds/bowl.sound")
    try place.write(
      "[bell start]\nsound = own/bowl\n[bell end]\nsound = own/gong\n", to: "box.conf")
    let service = try Service(
      place, words: ["run", "--state", place.path("box"), "--config", place.path("box.conf")])
    let still = "The built-in bell rings in its place."
    let path = place.path("box/sounds/bowl.sound")
    let degraded = try service.degraded()
    #expect(degraded.contains("own/bowl: \(path) is not in the box's own form. \(still)"))
    #expect(degraded.contains("own/gong: there is no such recording. \(still)"))
    #expect(try place.run("ring").status == 0)
    #expect(try service.program.finish(SIGTERM).status == 0)
  }

  /// The left samples of what a PCM of two channels and 32 bits was given.
  private func leftOfFrames(_ bytes: [UInt8]) -> [Double] {
    // Safety: eight bytes are a frame; only whole frames are read.
    bytes.withUnsafeBytes { raw in
      (0..<raw.count / 8).map { index in
        Double(raw.loadUnaligned(fromByteOffset: 8 * index, as: Int32.self)) / 65_536
      }
    }
  }

  @Test func add_importThatTakesTooMuchOfTheProcessor_isSaidAsThat() throws {
    let binary = place.path("timerbox")
    try place.write("#!/bin/sh\nkill -XCPU $$\n", to: "timerbox-import")
    chmod(place.path("timerbox-import"), 0o700)
    let pipe = try #require(
      popen(
        "cp '\(try products())/timerbox' '\(binary)' && "
          + "'\(binary)' sounds add --state '\(place.path("box"))' -- --help 2>&1", "r"))
    var line = [CChar](repeating: 0, count: 1_024)
    var text = ""
    while fgets(&line, 1_024, pipe) != nil {
      text += String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    #expect(text == "timerbox: --help: not done within the processor time that it may take\n")
    #expect(pclose(pipe) >> 8 == 74)
  }

  /// The folder of what was built.
  private func products() throws -> String {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? "/proc/self/exe"
    let own = try #require(realpath(bundle, nil))
    defer { free(own) }
    return "/" + String(cString: own).split(separator: "/").dropLast().joined(separator: "/")
  }

  /// Which libraries a binary beside the tests is linked with, but those of Swift itself.
  private func libraries(of name: String) throws -> [String] {
    let path = try products() + "/" + name
    let pipe = try #require(popen("readelf -d '\(path)'", "r"))
    defer { pclose(pipe) }
    var text = ""
    var line = [CChar](repeating: 0, count: 4_096)
    while fgets(&line, 4_096, pipe) != nil {
      text += String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    let needed = text.split(separator: "\n").filter { $0.contains("(NEEDED)") }
    let names = needed.compactMap { $0.split(separator: "[").last?.split(separator: ".").first }
    return names.map { String($0) }.filter {
      !$0.hasPrefix("libswift") && !$0.contains("Foundation") && $0 != "libc" && $0 != "libm"
        && $0 != "libstdc++" && $0 != "libgcc_s" && !$0.hasPrefix("ld-linux")
    }.sorted()
  }

  @Test func binaries_eachLinks_itsOwnLibrariesAlone() throws {
    #expect(try libraries(of: "timerbox") == ["libasound", "libevdev", "libgpiod"])
    #expect(try libraries(of: "timerbox-import") == ["libebur128", "libsndfile", "libsoxr"])
  }
}
