import Bells
import Sessions
import Settings

extension Verb {
  static let sounds = Verb(
    "sounds", "[list|render NAME FILE.wav|add FILE]", words: 0...3,
    "list the sounds there are, write one to a file, or add a recording",
    details: """
      A recording is WAV, FLAC, Ogg (Vorbis, Opus) or MP3, of at most 120 s and 32 MB. It is called
      own/NAME wherever a sound is named; without --name it is called as its file is.
      """, options: [SoundsAdd.option], run: SoundsVerb.run)
}

enum SoundsVerb {
  static var names: [String] { Sound.catalogue.map(\.name) }

  static func run(_ options: Options) throws(VerbError) -> ExitStatus {
    let words = options.words
    switch words.first ?? "list" {
    case "list":
      guard words.count <= 1 else { throw Verb.sounds.usageError("list takes nothing more") }
      Output.write(options.has("--json") ? json : table)
    case "render":
      guard words.count == 3 else { throw Verb.sounds.usageError("render needs NAME FILE.wav") }
      guard let sound = Sound.index(named: words[1]) else {
        throw VerbError(
          status: .badData,
          message: "found \"\(words[1])\", expected a sound: \(names.joined(separator: ", "))"
            + suggestion(for: words[1], among: names))
      }
      let events = [
        Rendering.Event(frame: 0, action: .volumes(Volumes())),
        Rendering.Event(frame: 0, action: .strike(sound: sound, gain: 1)),
      ]
      try AudioFile.write(events, minimumFrames: 0, to: words[2])
    case "add":
      guard words.count == 2 else { throw Verb.sounds.usageError("add needs one FILE") }
      return try SoundsAdd.run(words[1], options)
    case let other:
      let hint = suggestion(for: other, among: ["list", "render", "add"])
      throw Verb.sounds.usageError("found \"\(other)\", expected list, render or add\(hint)")
    }
    return .done
  }

  private static var table: String {
    Sound.catalogue.map { sound in
      "\(sound.name.padded(to: 16)) \(wholeSeconds(sound)) s   \(sound.source)\n"
    }.joined()
  }

  private static var json: String {
    let sounds = Sound.catalogue.map { sound in
      JSONValue.object(of: [
        JSONMember("name", .string(sound.name)),
        JSONMember("seconds", .integer(wholeSeconds(sound))),
        JSONMember("source", .string(sound.source)),
      ])
    }
    return String(decoding: JSONValue.array(sounds).encoded(), as: UTF8.self) + "\n"
  }

  private static func wholeSeconds(_ sound: Sound) -> Int64 { Int64(sound.seconds.rounded(.up)) }
}
