import Sessions
import Settings

extension Verb {
  static let config = Verb(
    "config", "", "print the effective settings, and where each comes from",
    details: "What was chosen on this device (timerbox set) stands at the end."
  ) { options throws(VerbError) in
    let rows = try ConfigVerb.rows(options)
    if options.has("--json") {
      let values = rows.map { row in
        JSONValue.object(of: [
          JSONMember("key", .string(row.key)), JSONMember("value", .string(row.value)),
          JSONMember("origin", .string(row.origin)),
        ])
      }
      Output.write(String(decoding: JSONValue.array(values).encoded(), as: UTF8.self) + "\n")
    } else {
      let width = rows.map { $0.key.utf8.count + $0.value.utf8.count }.max() ?? 0
      for row in rows {
        Output.write("\(row.key) = \(row.value)".padded(to: width + 3) + "  # \(row.origin)\n")
      }
    }
    return .done
  }
}

enum ConfigVerb {
  struct Row {
    var key: String
    var value: String
    var origin: String
  }

  static func rows(_ options: Options) throws(VerbError) -> [Row] {
    let configuration = try Places.configuration(options)
    let configured = configuration.effective.map { key, text, origin in
      Row(key: key.dottedName, value: text, origin: origin.text)
    }
    let named = configuration.effectiveNamed.map { name, text, origin in
      Row(key: name, value: text, origin: origin.text)
    }
    let state = Places.stateFolder(options)
    let path = "\(state)/\(SettingsFile.name)"
    let settings = LocalSettings.look(state: state).file
    return configured + named
      + settings.entries.map { Row(key: $0.key, value: $0.value, origin: path) }
  }
}
