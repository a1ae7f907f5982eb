import Settings

/// An option of a verb.
struct Option {
  /// With its dashes.
  var name: String
  /// What its value is called in the help; nil for a flag.
  var value: String?
  /// One line for the help.
  var help: String
}

/// What stands after the verb on a command line.
struct Options {
  private(set) var words: [String] = []
  private var values: [(name: String, value: String)] = []

  /// The options that most verbs take.
  static let common = [
    Option(name: "--config", value: "FILE", help: "read this configuration; it must exist"),
    Option(name: "--board", value: "NAME|FILE", help: "the board, or auto (simulated)"),
    Option(name: "--state", value: "DIR", help: "the device's own folder"),
    Option(name: "--store", value: "DIR", help: "the shared folder of replicas"),
    Option(name: "--json", value: nil, help: "answer in JSON"),
    Option(name: "--help", value: nil, help: "say how this verb is used"),
  ]

  /// Those of a verb that asks the running box, which has its own configuration and folders.
  static let ofClients = common.filter { ["--json", "--help"].contains($0.name) }

  /// Reads the words after a verb. Options may stand anywhere, as `--name VALUE` or
  /// `--name=VALUE`; after `--` everything is a word.
  init(_ arguments: [String], of verb: Verb) throws(VerbError) {
    let known = verb.options
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        words += rest
        break
      }
      guard argument.hasPrefix("--") else {
        words.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = known.first(where: { $0.name == name }) else {
        throw Options.unknown(name, of: verb, known)
      }
      if option.value == nil {
        if parts.count == 2 { throw verb.usageError("\(name) takes no value") }
        values.append((name, ""))
      } else if parts.count == 2 {
        values.append((name, String(parts[1])))
      } else if let value = rest.popFirst() {
        values.append((name, value))
      } else {
        throw verb.usageError("\(name) needs a value: \(option.value ?? "")")
      }
    }
    if !has("--help") { try expectWordCount(of: verb) }
  }

  /// Whether a flag was given.
  func has(_ name: String) -> Bool { values.contains { $0.name == name } }

  /// An option's value; the last one where it was given more than once.
  func value(_ name: String) -> String? { values.last { $0.name == name }?.value }

  private func expectWordCount(of verb: Verb) throws(VerbError) {
    if words.count < verb.words.lowerBound {
      throw verb.usageError("something is missing")
    }
    if words.count > verb.words.upperBound {
      throw verb.usageError("found \"\(words[verb.words.upperBound])\", expected nothing more")
    }
  }

  private static func unknown(
    _ name: String, of verb: Verb, _ known: [Option]
  ) -> VerbError {
    let hint = suggestion(for: name, among: known.map(\.name))
    return verb.usageError("found \"\(name)\", expected an option of \(verb.name)\(hint)")
  }
}
