import FoundationEssentials
import GPIOInput
import Glibc
import Testing

/// Which libgpiod a test stands on. Whatever is installed here, both are tried.
enum Generation: Int, CaseIterable, Sendable, CustomTestStringConvertible {
  case first = 1
  case second = 2

  /// The name by which programs that were built for it ask for the library. Debian's package of the
  /// first is called libgpiod2 for it.
  var libraryName: String { self == .first ? "libgpiod.so.2" : "libgpiod.so.3" }
  /// Whether the program of this build is built for it, with the header that is installed.
  var isInstalled: Bool { rawValue == GPIOLibrary.generation }
  var other: Generation { self == .first ? .second : .first }

  var testDescription: String { "libgpiod \(rawValue)" }
}

/// The stand-ins for both libraries (Tests/standins) and the program that is tried with them, made
/// once for all tests.
///
/// - Of the library that is installed, the program of this build is taken as it is, and the
///   stand-in is loaded before the library. The stand-in is made with our own header and the
///   program with the real one, so that a difference between the two shows.
/// - For the other, the same objects are linked anew: with that half of the shim, compiled with our
///   header.
struct Workshop: Sendable {
  static let shared = Result { try Workshop() }

  let folder: String
  private static let root = #filePath.split(separator: "/").dropLast(3)
    .reduce(into: "") { $0 += "/" + $1 }
  private static let products: String = {
    // The test bundle lies beside the products of the same build.
    let program = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    let path =
      program
      ?? (try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/exe")) ?? ""
    return path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
  }()

  func library(_ generation: Generation) -> String {
    "\(folder)/\(generation.rawValue)/\(generation.libraryName)"
  }

  func program(_ generation: Generation) -> String {
    generation.isInstalled ? Self.products + "/timerbox-lines" : folder + "/timerbox-lines"
  }

  private init() throws {
    folder = Self.products + "/standins"
    mkdir(folder, 0o700)
    for generation in Generation.allCases {
      let number = generation.rawValue
      mkdir("\(folder)/\(number)", 0o700)
      try Self.make(
        "cc", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-pthread",
        "-I", Self.root + "/Tests/standins/v\(number)", "-Wl,-soname,\(generation.libraryName)",
        "-o", library(generation), Self.root + "/Tests/standins/v\(number).c",
        Self.root + "/Tests/standins/kernel.c")
      if !generation.isInstalled { try link(generation) }
    }
  }

  private func link(_ generation: Generation) throws {
    let number = generation.rawValue
    var objects: [String] = []
    for source in ["gpiod_v\(number)", "node"] {
      objects.append("\(folder)/\(source).o")
      // The last two are for a compiler that is not clang, which the build uses.
      try Self.make(
        "cc", "-c", "-fPIC", "-Wall", "-Wextra", "-Werror",
        "-I", Self.root + "/Tests/standins/v\(number)",
        "-I", Self.root + "/Sources/CGPIO/include",
        "-o", "\(folder)/\(source).o", Self.root + "/Sources/CGPIO/\(source).c",
        "-D_Nullable=", "-Wno-unknown-pragmas")
    }
    let list = try String(
      contentsOfFile: Self.products + "/timerbox-lines.product/Objects.LinkFileList",
      encoding: .utf8)
    let others = list.split(separator: "\n").map(String.init).filter { path in
      !path.split(separator: "/").contains("CGPIO.build")
    }
    var command: [String] = ["swiftc", "-o", program(generation)]
    command += others + objects + [library(generation)]
    command += ["-Xlinker", "-rpath", "-Xlinker", "\(folder)/\(number)"]
    // The package builder gives every program's start a name of its own.
    command += ["-Xlinker", "--defsym=main=timerbox_lines_main"]
    try Self.make(command)
  }

  private static func make(_ command: String...) throws { try make(command) }

  private static func make(_ command: [String]) throws {
    let made = try Run(command, environment: inherited)
    try #require(made.status == 0, "\(command[0]): \(made.output)")
  }

  private static var inherited: [String] {
    let names: [String] = ["PATH", "HOME"]
    return names.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
  }
}

func temporaryFolder() throws -> String {
  var template = Array("/tmp/timerbox-gpio-XXXXXX".utf8CString)
  try #require(mkdtemp(&template) != nil)
  return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// A machine with the chips of a script.
final class Stand {
  let folder: String
  private let generation: Generation
  private let workshop: Workshop

  /// - Parameters:
  ///   - script: as Tests/standins/kernel.h describes.
  ///   - links: symbolic links among the devices: name and target.
  init(_ generation: Generation, _ script: String, links: [(String, String)] = []) throws {
    self.generation = generation
    workshop = try Workshop.shared.get()
    folder = try temporaryFolder()
    mkdir(folder + "/dev", 0o700)
    try script.write(toFile: folder + "/script", atomically: false, encoding: .utf8)
    let lines = script.split(separator: "\n").map { $0.split(separator: " ") }
    for (place, line) in lines.enumerated() where line.first == "chip" {
      let next = place + 1 < lines.count ? lines[place + 1].first : nil
      if next != "away" { close(creat("\(folder)/dev/\(line[1])", 0o640)) }
    }
    for (name, target) in links { symlink(target, "\(folder)/dev/\(name)") }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// What the program prints when it is given this wiring and these commands.
  func run(_ wiring: String, _ commands: String...) throws -> [String] {
    let run = try Run(arguments(wiring, commands), environment: environment)
    #expect(run.status == 0)
    return run.lines
  }

  /// Runs the program and compares what it prints.
  func run(
    _ wiring: String, _ commands: String..., prints expected: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try Run(arguments(wiring, commands), environment: environment)
    #expect(run.status == 0, sourceLocation: sourceLocation)
    expect(run.lines, expected, sourceLocation: sourceLocation)
  }

  func arguments(_ wiring: String, _ commands: [String]) -> [String] {
    [workshop.program(generation), folder + "/dev"]
      + wiring.split(separator: " ").map(String.init) + ["--"] + commands
  }

  var environment: [String] {
    let preload = generation.isInstalled ? ["LD_PRELOAD=" + workshop.library(generation)] : []
    return ["TIMERBOX_STANDIN=\(folder)/script", "TIMERBOX_STANDIN_LOG=\(folder)/log"] + preload
  }

  /// What was asked of the chips, in order.
  var log: [String] {
    let text = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// What was asked that begins with a word.
  func log(_ word: String) -> [String] { log.filter { $0.hasPrefix(word + " ") } }
}

/// A program that ran to its end.
struct Run {
  var status: Int32
  var output: String

  var lines: [String] { output.split(separator: "\n").map(String.init) }

  init(_ command: [String], environment: [String]) throws {
    let started = try Started(command, environment: environment)
    self = try started.finish()
  }

  fileprivate init(status: Int32, output: String) {
    self.status = status
    self.output = output
  }
}

/// A program that runs. Its output goes to a file, so that nothing can fill up.
final class Started {
  let process: pid_t
  private let folder: String

  init(_ command: [String], environment: [String]) throws {
    folder = try temporaryFolder()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions, 1, folder + "/output", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) }
    words.append(nil)
    variables.append(nil)
    defer { (words + variables).forEach { free($0) } }
    var process: pid_t = 0
    let error = posix_spawnp(&process, command[0], &actions, nil, words, variables)
    try #require(error == 0, "\(command[0]): \(String(cString: strerror(error)))")
    self.process = process
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var output: String { (try? String(contentsOfFile: folder + "/output", encoding: .utf8)) ?? "" }

  /// Waits for the end. A signal counts as 128 and its number.
  func finish() throws -> Run {
    var status: Int32 = 0
    try #require(waitpid(process, &status, 0) == process)
    let number = status & 0x7f == 0 ? status >> 8 : 128 + status & 0x7f
    return Run(status: number, output: output)
  }
}
