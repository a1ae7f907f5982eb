import Settings

/// One verb of the command line: how it is used, and what it does.
struct Verb: Sendable {
  var name: String
  /// What may stand after the verb, for the help.
  var usage: String
  /// How many words may stand after the verb.
  var words: ClosedRange<Int>
  /// One line for the list of verbs.
  var summary: String
  /// What a reader of the help should know beside that.
  var details: String
  /// All options it takes.
  var options: [Option]
  var run: @Sendable (Options) throws(VerbError) -> ExitStatus

  init(
    _ name: String, _ usage: String = "", words: ClosedRange<Int> = 0...0, _ summary: String,
    details: String = "", options: [Option] = [], common: [Option] = Options.common,
    run: @escaping @Sendable (Options) throws(VerbError) -> ExitStatus
  ) {
    self.name = name
    self.usage = usage
    self.words = words
    self.summary = summary
    self.details = details
    self.options = options + common
    self.run = run
  }

  /// The text of `timerbox VERB --help`.
  var help: String {
    var text = "timerbox \(name)\(usage.isEmpty ? "" : " " + usage)\n\n\(summary)\n"
    if !details.isEmpty { text += "\n\(details)\n" }
    text += "\nOptions:\n"
    for option in options {
      let name = option.name + (option.value.map { " " + $0 } ?? "")
      text += "  " + name.padded(to: 22) + "  " + option.help + "\n"
    }
    return text
  }

  func usageError(_ message: String) -> VerbError {
    VerbError(
      status: .usage,
      message: "\(message)\nusage: timerbox \(name)\(usage.isEmpty ? "" : " " + usage)")
  }
}

extension String {
  /// The text with spaces after it up to a width; for ASCII.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - utf8.count))
  }
}
