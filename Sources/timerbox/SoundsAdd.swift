import LinuxIO
import Settings
import SoundFiles

/// `sounds add`: a recording to the box's own form, by the program that stands beside this one. It
/// is another process, since decoders of strange files have faults, and it must end in time.
enum SoundsAdd {
  static let option = Option(
    name: "--name", value: "NAME", help: "what the recording is called (add): own/NAME")

  /// The longest recording takes some seconds on a desktop, and fifteen times that on the smallest
  /// board.
  private static let timeoutMilliseconds: Int32 = 180_000
  /// How a program ends that has used the processor for too long: by SIGXCPU.
  private static let outOfTime: Int32 = 128 + 24
  private static let program = "timerbox-import"

  /// Where the recordings of a box are.
  static func folder(state: String) -> String { "\(state)/sounds" }

  static func run(_ file: String, _ options: Options) throws(VerbError) -> ExitStatus {
    guard !file.isEmpty else { throw Verb.sounds.usageError("found \"\", expected a FILE") }
    let name = options.value("--name")
    if let name, !SoundFiles.isName(name) {
      throw Verb.sounds.usageError(
        "--name: found \"\(SoundFiles.printable(name))\", expected lower-case letters, digits and "
          + "hyphens, at most 40")
    }
    let binary = try path()
    var arguments = ["--into", folder(state: Places.stateFolder(options))]
    if let name { arguments += ["--name", name] }
    if options.has("--json") { arguments.append("--json") }
    let status: Int32
    do throws(SystemError) {
      status = try Machine.run(
        binary, arguments + ["--", file], timeoutMilliseconds: timeoutMilliseconds)
    } catch {
      let reason =
        error.errno == .timedOut
        ? "not done within \(timeoutMilliseconds / 60_000) minutes" : error.errno.text
      throw VerbError(status: .inputOutput, message: "\(SoundFiles.printable(file)): \(reason)")
    }
    if status == outOfTime {
      throw VerbError(
        status: .inputOutput,
        message: "\(SoundFiles.printable(file)): "
          + "not done within the processor time that it may take")
    }
    // What it had to say, it has said.
    if let known = ExitStatus(rawValue: status) {
      if known == .done && !options.has("--json") {
        Output.write("a service that runs has it after its next start\n")
      }
      return known
    }
    throw VerbError(
      status: .badData,
      message: "\(SoundFiles.printable(file)): \(program) broke off (\(status)) while reading it")
  }

  /// The program beside this one.
  private static func path() throws(VerbError) -> String {
    let own = Machine.linkTarget("/proc/self/exe") ?? ""
    let folder = own.lastIndex(of: "/").map { String(own[..<$0]) } ?? ""
    let path = "\(folder)/\(program)"
    guard (try? Files.status(path)) != nil else {
      throw VerbError(
        status: .inputOutput,
        message: "\"sounds add\" needs \(program), which is not in \(folder)")
    }
    return path
  }
}
