import Bells
import FoundationEssentials
import Testing

@testable import Settings

/// A recipe of the folder sounds, as the strict reader of settings reads it.
private struct Recipe {
  var sections: [(name: String, entries: [INIEntry])] = []

  init(_ path: String) throws {
    let data = try #require(FileManager.default.contents(atPath: path))
    let reader = INIReader(Array(data), file: path)
    #expect(reader.problems.isEmpty)
    sections = reader.sections.map { ($0.name, $0.entries) }
  }

  func text(_ section: String, _ key: String) throws -> String {
    let entries = try #require(sections.first { $0.name == section }).entries
    return try #require(entries.first { $0.key == key }, "[\(section)] \(key)").value
  }

  func number(_ section: String, _ key: String) throws -> Double {
    try #require(Double(text(section, key)))
  }

  /// The sound that it describes.
  func sound() throws -> Sound {
    var partials: [Partial] = []
    while sections.contains(where: { $0.name == "partial \(partials.count + 1)" }) {
      let name = "partial \(partials.count + 1)"
      partials.append(
        Partial(
          frequencyHertz: try number(name, "frequency"), decaySeconds: try number(name, "t60"),
          level: try number(name, "level"), beatHertz: try number(name, "beat"),
          pairRatio: try number(name, "ratio")))
    }
    let hasNoise = sections.contains { $0.name == "noise" }
    #expect(sections.count == 1 + partials.count + (hasNoise ? 1 : 0))
    let noise =
      !hasNoise
      ? nil
      : StrikeNoise(
        level: try number("noise", "level"), decaySeconds: try number("noise", "t60"),
        lowHertz: try number("noise", "low"), highHertz: try number("noise", "high"))
    return Sound(
      name: try text("sound", "name"), title: try text("sound", "title"),
      source: try text("sound", "source"),
      kind: try text("sound", "kind") == "cue" ? .cue : .bell, partials: partials,
      mallet: Mallet(
        contactSeconds: try number("sound", "contact") / 1_000,
        hardening: try number("sound", "hardening")),
      noise: noise, width: try number("sound", "width"),
      amplitude: try number("sound", "amplitude"),
      smallAmplitude: try number("sound", "amplitude-small"))
  }
}

@Suite struct SoundRecipeTests {
  /// Tests/SettingsTests/SoundRecipeTests.swift, three names below the root.
  private static let folder =
    #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 } + "/sounds"

  @Test func catalogue_isWhatTheRecipesSay() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
    let names = files.filter { $0.hasSuffix(".ini") }.map { String($0.dropLast(4)) }
    #expect(names.sorted() == Sound.names.sorted())
    for name in names {
      let sound = try Recipe(Self.folder + "/" + name + ".ini").sound()
      #expect(sound.name == name)
      #expect(sound == Sound.catalogue.first { $0.name == name })
    }
  }

  @Test func page_hasEachSoundAndItsPicture() throws {
    let data = try #require(FileManager.default.contents(atPath: Self.folder + "/README.md"))
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
    for sound in Sound.catalogue where sound.isBell {
      #expect(lines.contains("## " + sound.name))
      let picture = "pictures/\(sound.name).png"
      #expect(lines.contains("![spectrogram](\(picture))"))
      let bytes = try #require(
        FileManager.default.contents(atPath: Self.folder + "/" + picture))
      #expect(bytes.count < 40_000)
    }
  }
}
