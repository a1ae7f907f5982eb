import Glibc
import Sessions
import Testing

/// A running box, asked over its control socket by the binary's own verbs.
struct Service {
  let surroundings: Surroundings
  let program: Program

  /// Starts a box and waits until it answers.
  init(
    _ surroundings: Surroundings, words: [String] = ["run"], terminal: String? = nil,
    output: String? = nil, environment: [String] = []
  ) throws {
    self.surroundings = surroundings
    let program = try Program(
      words, in: surroundings, terminal: terminal, output: output, environment: environment)
    self.program = program
    try eventually("the box answers") {
      try surroundings.run("status").status == 0
    }
  }

  /// A field of the state line.
  func state(_ field: String) throws -> JSONValue {
    let line = try surroundings.run("status", "--json").output
    let object = try JSONValue(parsing: Array(line.utf8.dropLast()))
    return try #require(object.members?.first { $0.name == field }).value
  }

  func phase() throws -> String { try state("phase").stringValue ?? "" }

  func degraded() throws -> [String] {
    try state("degraded").arrayValue?.compactMap(\.stringValue) ?? []
  }

  /// What does not work, but for the time of day, which this machine may know or not.
  func faults() throws -> [String] {
    try degraded().filter { !$0.hasPrefix("The time of day is not known") }
  }

  /// Waits until the box is in a phase.
  func reach(_ phase: String, within seconds: Double = 10) throws {
    try eventually(within: seconds, "the phase is \(phase)") { try self.phase() == phase }
  }

  /// The sits as `history --json` gives them.
  func history() throws -> [JSONValue] {
    let text = try surroundings.run("history", "--json").output
    return try #require(try JSONValue(parsing: Array(text.utf8)).arrayValue)
  }
}

extension JSONValue {
  func member(_ name: String) -> JSONValue? { members?.first { $0.name == name }?.value }
}
