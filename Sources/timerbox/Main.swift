import LinuxIO
import Settings

/// The binary: finds the verb, runs it, and turns what went wrong into a sentence and a status.
@main
struct Main {
  static let verbs: [Verb] = [
    .run, .simulate, .status, .watch, .start,
    .control(.pause, "hold the sit"), .control(.resume, "go on after a pause"),
    .control(.stop, "end the sit here and keep it"),
    .control(.discard, "end the sit here and keep nothing"),
    .control(.skip, "leave out the rest of the preparation"),
    .ring, .set, .unset,
    .plan, .journey, .history, .stats, .add, .edit, .delete, .undo, .export, .importing,
    .sync, .keyValue,
    .sounds, .devices, .doctor, .selfTest, .checkConfiguration, .config, .version,
  ]

  /// Verbs of the contract that this version does not have yet.
  static let notBuilt = ["fuzz"]

  static func main() {
    Machine.openMissingStandardDescriptors()
    Machine.ignoreBrokenPipes()
    Machine.exit(status(of: Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  static func status(of arguments: [String]) -> ExitStatus {
    guard let name = arguments.first, name != "--help", name != "-h", name != "help" else {
      Output.write(overview)
      return arguments.isEmpty ? .usage : .done
    }
    do throws(VerbError) {
      guard let verb = verbs.first(where: { $0.name == name }) else { throw unknown(name) }
      let options = try Options(Array(arguments.dropFirst()), of: verb)
      if options.has("--help") {
        Output.write(verb.help)
        return .done
      }
      return try verb.run(options)
    } catch {
      Output.complain("timerbox: \(error.message)")
      return error.status
    }
  }

  static var overview: String {
    var text = "timerbox VERB [OPTIONS]: a meditation timer box\n\n"
    for verb in verbs {
      text += "  " + verb.name.padded(to: 13) + " " + verb.summary + "\n"
    }
    return text + "\n`timerbox VERB --help` says more of each.\n"
  }

  private static func unknown(_ name: String) -> VerbError {
    if notBuilt.contains(name) {
      return VerbError(
        status: .usage, message: "\"\(name)\" is not built yet in this version")
    }
    let hint = suggestion(for: name, among: verbs.map(\.name))
    return VerbError(
      status: .usage,
      message: "found \"\(name)\", expected a verb (timerbox --help lists them)\(hint)")
  }
}
