import Appliance
import Controls
import TimerMachine

/// What was chosen on this device, in the form of its file. The box writes it; it stays in the
/// state folder, and nothing of it is ever in the shared store.
///
///     # timerbox 0.1.0
///     [settings]
///     volume = 35
///     interval = 5m
///
/// Invariants:
/// - What nobody chose here is left out, so that a change of the configuration still reaches it.
/// - Keys and sections that this version does not know, as a newer one may write, are kept in their
///   very words and order when the file is written anew. Comments are not kept.
/// - What is wrong in a file is in `problems`; whoever writes over such a file keeps a copy of it.
public struct SettingsFile: Equatable, Sendable {
  /// The file's name in the state folder.
  public static let name = "settings"

  /// A choice.
  public struct Entry: Equatable, Sendable {
    /// Its name.
    public let key: String
    /// Its value as it stands in the file.
    public let value: String
  }

  /// The choices that this version knows.
  public private(set) var entries: [Entry] = []
  /// What is wrong with the file, each as a sentence that begins with its place.
  public private(set) var problems: [String] = []
  /// Lines of keys that this version does not know.
  private var unknown: [Line] = []
  /// Lines of other sections.
  private var others: [String] = []

  private struct Line: Equatable, Sendable {
    var key: String
    var text: String
  }

  /// A device on which nothing was chosen.
  public init() {}

  /// Reads a file.
  /// - Parameters:
  ///   - bytes: its bytes.
  ///   - name: its name, and that of its section.
  public init(_ bytes: [UInt8], name: String = SettingsFile.name) {
    let reader = INIReader(bytes, file: name)
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    func line(_ place: Place) -> String {
      String(decoding: lines[place.line - 1].filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    }
    var found = reader.problems
    for section in reader.sections where section.name != name {
      others += [line(section.place)] + section.entries.map { line($0.keyPlace) }
    }
    for entry in reader.sections.first(where: { $0.name == name })?.entries ?? [] {
      do throws(SettingsError) {
        if try SettingsFile.knows(entry) {
          entries.append(Entry(key: entry.key, value: entry.value))
        } else {
          unknown.append(Line(key: entry.key, text: line(entry.keyPlace)))
        }
      } catch {
        found.add(error)
      }
    }
    if found.isEmpty && !reader.sections.contains(where: { $0.name == name }) {
      found.add(
        .missingKey(expected: "the section [\(name)]"), at: Place(file: name, line: 1, column: 1))
    }
    problems = found.isEmpty ? [] : found.text.split(separator: "\n").map { String($0) }
  }

  /// Whether a key is one that this version knows.
  /// - Throws: what is wrong with its value.
  private static func knows(_ entry: INIEntry) throws(SettingsError) -> Bool {
    if LocalChoice.all.contains(where: { $0.name == entry.key }) {
      do throws(SettingsError) {
        _ = try LocalChoice.read(key: entry.key, value: entry.value)
      } catch { throw SettingsError(error.fault, at: entry.valuePlace) }
      return true
    }
    return PanelChoice.allCases.contains { $0.name.description == entry.key }
  }

  /// Whether there is nothing in it.
  public var isEmpty: Bool { entries.isEmpty && unknown.isEmpty && others.isEmpty }

  /// The ALSA device that was chosen; nil if none was.
  public var soundDevice: String? {
    guard let text = self["sound.device"],
      case .text(let device)? = try? LocalChoice.read(key: "sound.device", value: text)
    else { return nil }
    return device
  }

  /// The journey that sits belong to; nil for none.
  public var journey: String? { self["journey"].flatMap { $0 == "none" ? nil : $0 } }

  /// How bright a face is, in percent; nil where nobody chose.
  public var brightness: Int? {
    guard let text = self["brightness"],
      case .count(let percent)? = try? LocalChoice.read(key: "brightness", value: text)
    else { return nil }
    return percent
  }

  /// The choices that stand in this file alone.
  private static let kept = ["journey", "brightness"]

  /// Makes or forgets a choice that no part of the box keeps: the journey, the brightness.
  /// - Parameters:
  ///   - key: its name.
  ///   - value: its value in the words of `LocalChoice`; nil to forget it.
  /// - Precondition: it is one of those, and the value is one that it can have.
  public mutating func set(_ key: String, to value: String?) {
    precondition(SettingsFile.kept.contains(key), "\(key) is kept by the box")
    entries.removeAll { $0.key == key }
    if let value { entries.append(Entry(key: key, value: value)) }
  }

  private subscript(key: String) -> String? { entries.first { $0.key == key }?.value }

  /// Takes the choices into the settings of an appliance. A sound or a span that there is no more
  /// is left: the sounds of a box change, and its file need not be wrong for that.
  public func apply(to settings: inout ApplianceSettings) {
    for entry in entries {
      let choice = PanelChoice.allCases.first { $0.name.description == entry.key }
      if let choice { settings.choose(choice, entry.value) }
      guard let value = try? LocalChoice.read(key: entry.key, value: entry.value) else { continue }
      switch (try? LocalChoice.subject(key: entry.key), value) {
      case (.volume, .count(let percent)): settings.volume = percent
      case (.roleVolume(let role), .count(let percent)):
        settings.roleVolumes[Int(role.rawValue)] = percent
      case (.programme, .text(let name)): settings.programme = name
      case (.rating, .flag(let isOn)): settings.hasRating = isOn
      default: break
      }
    }
  }

  /// Puts what is chosen now in the place of what was.
  /// - Parameters:
  ///   - volume: in percent.
  ///   - choices: those for the sits.
  ///   - roleVolumes: the volumes of the roles that have one of their own, in the order of
  ///     `BellRole`.
  ///   - soundDevice: the ALSA device, if one was chosen.
  ///
  /// What no part of the box keeps for it stays: `set(_:to:)`.
  public mutating func choose(
    volume: Int, choices: Choices, roleVolumes: [Int?] = [], soundDevice: String? = nil
  ) {
    let earlier = self
    entries = [Entry(key: "volume", value: "\(volume)")]
    for (role, percent) in zip(BellRole.allCases, roleVolumes) {
      if let percent { entries.append(Entry(key: "volume.\(role.name)", value: "\(percent)")) }
    }
    if let soundDevice { entries.append(Entry(key: "sound.device", value: soundDevice)) }
    // A default that nobody chose is left out.
    if earlier["programme"] != nil || choices.programme != Programme.simple.name {
      entries.append(Entry(key: "programme", value: choices.programme))
    }
    if earlier["rating"] != nil || choices.hasRating {
      entries.append(Entry(key: "rating", value: choices.hasRating ? "yes" : "no"))
    }
    for key in SettingsFile.kept {
      if let value = earlier[key] { entries.append(Entry(key: key, value: value)) }
    }
    for choice in PanelChoice.allCases {
      // What stands there and is not chosen could not be taken, as the sound of a recording that is
      // away. It may come back.
      let key = choice.name.description
      let text = choices.chosen.contains(choice) ? choices.text(choice) : earlier[key]
      if let text { entries.append(Entry(key: key, value: text)) }
    }
    problems = []
  }

  /// The file's bytes.
  /// - Parameter version: that of the program that writes it, for whoever looks into the file.
  public func bytes(version: String) -> [UInt8] {
    let chosen = entries.map { "\($0.key) = \($0.value)" }
    let lines =
      ["# timerbox \(version)", "[\(SettingsFile.name)]"] + chosen + unknown.map(\.text) + others
    return Array(lines.map { $0 + "\n" }.joined().utf8)
  }
}

extension SettingsFile {
  /// Takes over what an earlier version kept elsewhere, where this file has no value of its own.
  /// - Parameters:
  ///   - earlier: the file of that version.
  ///   - store: keys of the shared store that are by name a device's own, with their values.
  /// - Returns: why a value was not taken over, each as a sentence.
  mutating func takeOver(
    _ earlier: SettingsFile?, store: [(key: String, value: String)]
  ) -> [String] {
    var told = earlier?.problems ?? []
    if let earlier {
      entries += earlier.entries.filter { self[$0.key] == nil }
      unknown += earlier.unknown.filter { !holds($0.key) }
      if others.isEmpty { others = earlier.others }
    }
    for (key, value) in store {
      guard let row = LocalChoice.all.first(where: { $0.name == key }), !holds(key) else {
        continue
      }
      do throws(SettingsError) { _ = try row.read(value, at: nil) } catch {
        told.append("the store's \(key): \(error.text)")
        continue
      }
      entries.append(Entry(key: key, value: value))
    }
    return told
  }

  private func holds(_ key: String) -> Bool {
    self[key] != nil || unknown.contains { $0.key == key }
  }
}
