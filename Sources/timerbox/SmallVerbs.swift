import ALSAOutput
import GPIOInput
import LinuxIO
import Settings

extension Verb {
  static let checkConfiguration = Verb(
    "check-config", "[FILE]", words: 0...1, "check a configuration strictly",
    details: "Without FILE it checks the one that run would use. Errors name file, line and column."
  ) { options throws(VerbError) in
    let named = options.words.first ?? options.value("--config")
    let board = try Places.board(options)
    let configuration = try Places.configuration(options, board: board, file: named)
    let path = named ?? Places.configurationFile
    let isThere = named != nil || (try? Files.status(path)) != nil
    Output.write("\(path): \(isThere ? "in order" : "not there; the defaults hold")\n")
    let state = Places.stateFolder(options)
    // One that the store defines is as good as one of the file.
    let store = try? StoreFile(options).store
    let programmes = configuration.programmes(definitions: store?.definitions ?? []).programmes
    let warnings =
      SoundParts(configuration, board, state: state).missing
      + configuration.reminderProblems(programmes: programmes.map(\.name))
    for warning in warnings {
      Output.complain("timerbox: warning: \(warning)")
    }
    return .done
  }

  static let version = Verb(
    "version", "", "print the version, and the libgpiod and ALSA it runs on"
  ) { options in
    let parts = [
      ("timerbox", Version.number), ("libgpiod", GPIOLibrary.version),
      ("alsa", ALSALibrary.version),
    ]
    if options.has("--json") {
      let members = parts.map { "\"\($0.0)\":\"\($0.1)\"" }
      Output.write("{\(members.joined(separator: ","))}\n")
    } else {
      for (name, number) in parts { Output.write("\(name) \(number)\n") }
    }
    return .done
  }
}

/// The version of the product.
enum Version {
  static let number = "0.1.0"
}
