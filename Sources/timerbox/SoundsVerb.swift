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
      try refuse(strikeOptions + ["--name"], of: options, by: "list")
      guard words.count <= 1 else { throw Verb.sounds.usageError("list takes nothing more") }
      let rows =
        Sound.catalogue.map { Row($0) } + AmbientSound.allCases.map { Row($0) }
        + own(options).map { Row($0) }
      Output.write(options.has("--json") ? json(rows) : table(rows))
    case "render":
      try refuse(["--name"], of: options, by: "render")
      guard words.count == 3 else { throw Verb.sounds.usageError("render needs NAME FILE.wav") }
      try render(words[1], to: words[2], options)
    case "add":
      try refuse(strikeOptions, of: options, by: "add")
      guard words.count == 2 else { throw Verb.sounds.usageError("add needs one FILE") }
      return try SoundsAdd.run(words[1], options)
    case let other:
      let hint = suggestion(for: other, among: ["list", "render", "add"])
      throw Verb.sounds.usageError("found \"\(other)\", expected list, render or add\(hint)")
    }
    return .done
  }

  private static let strikeOptions = ["--speaker", "--strength", "--partials"]

  /// An option that would do nothing is refused: whoever gave it expects it to do something.
  private static func refuse(
    _ names: [String], of options: Options, by what: String
  ) throws(VerbError) {
    guard let name = names.first(where: { options.has($0) }) else { return }
    throw Verb.sounds.usageError("found \(name), which means nothing to \(what)")
  }

  private static func render(
    _ name: String, to path: String, _ options: Options
  ) throws(VerbError) {
    try AudioFile.check(path)
    if let ambient = AmbientSound.allCases.first(where: { "\($0.name)" == name }) {
      try refuse(strikeOptions, of: options, by: name)
      return try render(ambient, to: path)
    }
    var sounds = Sound.catalogue(for: try speaker(options))
    if name.hasPrefix(SoundFiles.prefix) {
      try refuse(["--speaker", "--partials"], of: options, by: "a recording")
      sounds += own(options)
    }
    guard let sound = sounds.firstIndex(where: { $0.name == name }) else {
      let names = sounds.map(\.name) + AmbientSound.allCases.map { "\($0.name)" }
      throw VerbError(
        status: .usage,
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

  /// A line of the list.
  private struct Row {
    var name: String
    var kind: String
    /// How long a strike is heard; nil for what sounds for as long as it is wanted.
    var seconds: Double?
    var title: String
    var source: String

    init(_ sound: Sound) {
      name = sound.name
      kind = sound.isBell ? "bell" : "cue"
      seconds = sound.seconds
      title = sound.title
      source = sound.source
    }

    init(_ ambient: AmbientSound) {
      name = "\(ambient.name)"
      kind = "ambient"
      title = "under a sit"
      source = "synthesised as it sounds"
    }

    /// With one decimal, as `add` tells it.
    var tenths: String? {
      seconds.map { seconds in
        let tenths = Int64((seconds * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
      }
    }
  }

  private static func table(_ rows: [Row]) -> String {
    let width = rows.map(\.name.utf8.count).max() ?? 0
    return rows.map { row in
      let seconds = row.tenths.map { "\($0) s" } ?? ""
      let column = String(repeating: " ", count: max(0, 8 - seconds.utf8.count)) + seconds
      return "\(row.name.padded(to: width))  \(row.kind.padded(to: 7)) \(column)  "
        + "\(row.title) (\(row.source))\n"
    }.joined()
  }

  /// Programs are told of what is struck: each has its seconds.
  private static func json(_ rows: [Row]) -> String {
    let values = rows.compactMap { row -> JSONValue? in
      guard let seconds = row.tenths else { return nil }
      return JSONValue.object(of: [
        JSONMember("name", .string(row.name)),
        JSONMember("kind", .string(row.kind)),
        JSONMember("seconds", .number(seconds)),
        JSONMember("title", .string(row.title)),
        JSONMember("source", .string(row.source)),
      ])
    }
    return String(decoding: JSONValue.array(values).encoded(), as: UTF8.self) + "\n"
  }
}
