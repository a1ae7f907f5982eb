import Bells
import Sessions
import Settings
import SoundFiles
import Ticks

extension Verb {
  static let sounds = Verb(
    "sounds", "[list|render NAME FILE.wav|add FILE]", words: 0...3,
    "list the sounds there are, write one to a file, or add a recording",
    details: """
      A recording is WAV, FLAC, Ogg (Vorbis, Opus) or MP3, of at most 120 s and 32 MB. It is called
      own/NAME wherever a sound is named; without --name it is called as its file is. fire and rain,
      which sound under a sit, can be rendered too: 20 s of them.
      """,
    options: [
      Option(name: "--speaker", value: "KIND", help: "render for a speaker: full or small (full)"),
      Option(name: "--strength", value: "N", help: "render a strike of 0.01 to 1 (1)"),
      Option(name: "--partials", value: nil, help: "render without the noise, to measure it"),
      SoundsAdd.option,
    ], run: SoundsVerb.run)
}

enum SoundsVerb {
  static var names: [String] { Sound.names }

  static func run(_ options: Options) throws(VerbError) -> ExitStatus {
    let words = options.words
    switch words.first ?? "list" {
    case "list":
      guard words.count <= 1 else { throw Verb.sounds.usageError("list takes nothing more") }
      let sounds = Sound.catalogue + own(options)
      Output.write(options.has("--json") ? json(sounds) : table(sounds))
    case "render":
      guard words.count == 3 else { throw Verb.sounds.usageError("render needs NAME FILE.wav") }
      try render(words[1], to: words[2], options)
    case "add":
      guard words.count == 2 else { throw Verb.sounds.usageError("add needs one FILE") }
      return try SoundsAdd.run(words[1], options)
    case let other:
      let hint = suggestion(for: other, among: ["list", "render", "add"])
      throw Verb.sounds.usageError("found \"\(other)\", expected list, render or add\(hint)")
    }
    return .done
  }

  private static func render(
    _ name: String, to path: String, _ options: Options
  ) throws(VerbError) {
    if let ambient = AmbientSound.allCases.first(where: { "\($0.name)" == name }) {
      return try render(ambient, to: path)
    }
    var sounds = Sound.catalogue(for: try speaker(options))
    if name.hasPrefix(SoundFiles.prefix) { sounds += own(options) }
    guard let sound = sounds.firstIndex(where: { $0.name == name }) else {
      let names = sounds.map(\.name)
      throw VerbError(
        status: .badData,
        message: "found \"\(name)\", expected a sound: \(names.joined(separator: ", "))"
          + suggestion(for: name, among: names))
    }
    let events = [
      Rendering.Event(frame: 0, action: .volumes(Volumes())),
      Rendering.Event(
        frame: 0,
        action: .strike(
          Strike(number: 0, sound: sound, due: .zero, gain: 1, strength: try strength(options)))),
    ]
    if options.has("--partials") { sounds[sound].noise = nil }
    try AudioFile.write(events, sounds: sounds, minimumFrames: 0, to: path)
  }

  /// 20 s, the fades at both ends in them.
  private static func render(_ ambient: AmbientSound, to path: String) throws(VerbError) {
    let events = [
      Rendering.Event(frame: 0, action: .volumes(Volumes())),
      Rendering.Event(frame: 0, action: .ambient(ambient)),
      Rendering.Event(frame: 16 * 48_000, action: .ambient(nil)),
    ]
    try AudioFile.write(events, minimumFrames: 0, to: path)
  }

  /// The recordings of this device. What cannot be read is said, and the others are there.
  private static func own(_ options: Options) -> [Sound] {
    let (sounds, faults) = SoundFiles.load(
      SoundsAdd.folder(state: Places.stateFolder(options)))
    for fault in faults { Output.complain("timerbox: \(fault)") }
    return sounds
  }

  private static func speaker(_ options: Options) throws(VerbError) -> Speaker {
    let name = options.value("--speaker") ?? Speaker.full.name
    if let speaker = Speaker.allCases.first(where: { $0.name == name }) { return speaker }
    throw Verb.sounds.usageError("--speaker: found \"\(name)\", expected full or small")
  }

  private static func strength(_ options: Options) throws(VerbError) -> Float {
    let text = options.value("--strength") ?? "1"
    if let strength = Float(text), strength >= 0.01, strength <= 1 { return strength }
    throw Verb.sounds.usageError("--strength: found \"\(text)\", expected 0.01 to 1")
  }

  /// What marks a sound that is no bell.
  private static func kind(_ sound: Sound) -> String { sound.isBell ? "bell" : "cue" }

  private static func table(_ sounds: [Sound]) -> String {
    sounds.map { sound in
      let seconds = String(wholeSeconds(sound))
      let column = String(repeating: " ", count: 4 - seconds.utf8.count) + seconds
      return "\(sound.name.padded(to: 12)) \(kind(sound).padded(to: 4)) \(column) s  "
        + "\(sound.title) (\(sound.source))\n"
    }.joined()
  }

  private static func json(_ sounds: [Sound]) -> String {
    let sounds = sounds.map { sound in
      JSONValue.object(of: [
        JSONMember("name", .string(sound.name)),
        JSONMember("kind", .string(kind(sound))),
        JSONMember("seconds", .integer(wholeSeconds(sound))),
        JSONMember("title", .string(sound.title)),
        JSONMember("source", .string(sound.source)),
      ])
    }
    return String(decoding: JSONValue.array(sounds).encoded(), as: UTF8.self) + "\n"
  }

  private static func wholeSeconds(_ sound: Sound) -> Int64 { Int64(sound.seconds.rounded(.up)) }
}
