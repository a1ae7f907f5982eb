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
      text += comment(key.about) + comment("It takes \(key.kind.expected)\(emptyNote(key)).")
      text += "#\(key.name) = \(key.standard)\n"
    }
    // A key without a default would leave a space at its line's end.
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasSuffix(" ") ? $0.dropLast() : $0 }.joined(separator: "\n")
  }

  /// A sentence as comment lines of at most 100 columns.
  private static func comment(_ sentence: String) -> String {
    var lines = [""]
    for word in sentence.split(separator: " ") {
      if lines[lines.count - 1].utf8.count + word.utf8.count > 97 { lines.append("") }
      lines[lines.count - 1] += " " + word
    }
    return lines.map { "#\($0)\n" }.joined()
  }

  private static func emptyNote(_ key: ConfigurationKey) -> String {
    key.standard.isEmpty ? ", or nothing" : ""
  }
}
