extension Configuration {
  /// A configuration file with every key that this version has, each with what it does, what it
  /// takes and its default, all commented out: read as it is, it changes nothing.
  public static var exampleText: String {
    var text = """
      # timerbox configuration. Every key is here with its default; take the # away to change one.
      # Lengths are written as 90s, 1m30s, 25m, 2h5m or 250ms.

      """
    var section = ""
    for key in ConfigurationKey.all {
      if key.section != section {
        section = key.section
        text += "\n[\(section)]\n"
      }
      text += entry(key)
    }
    text += comment(programmeNote, after: "\n") + "#[programme evening]\n"
    text += NamedSection.keys(of: .programme).map(entry).joined()
    text += comment("A call to sit; there may be any number.", after: "\n")
    text += "#[reminder morning]\n" + NamedSection.keys(of: .reminder).map(entry).joined()
    // A key without a default would leave a space at its line's end.
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasSuffix(" ") ? $0.dropLast() : $0 }.joined(separator: "\n")
  }

  private static let programmeNote =
    "A programme of one's own; there may be any number. Beside these keys it may have any of [sit], "
    + "[interval] and [bell ROLE] with its section before it, as bell.end.strikes, and bells of a "
    + "kind of segment, as bell.walk.begin.strikes and bell.walk.end.sound."

  private static func entry(_ key: ConfigurationKey) -> String {
    comment(key.about) + comment("It takes \(key.kind.expected)\(emptyNote(key)).")
      + "#\(key.name) = \(key.standard)\n"
  }

  /// A sentence as comment lines of at most 100 columns.
  private static func comment(_ sentence: String, after start: String = "") -> String {
    var lines = [""]
    for word in sentence.split(separator: " ") {
      if lines[lines.count - 1].utf8.count + word.utf8.count > 97 { lines.append("") }
      lines[lines.count - 1] += " " + word
    }
    return start + lines.map { "#\($0)\n" }.joined()
  }

  private static func emptyNote(_ key: ConfigurationKey) -> String {
    key.standard.isEmpty ? ", or nothing" : ""
  }
}
