import Bells
import LinuxIO
import Simulation
import Ticks
import Zones

extension Verb {
  static let simulate = Verb(
    "simulate", "FILE… [--trace FILE] [--audio FILE.wav] [--seed N] [--ticks]", words: 1...10_000,
    "play scenarios in virtual time on simulated devices",
    details: """
      Each expectation that does not hold is printed as FILE:LINE: expected …, got …, and the
      exit status is 1. A wrong or unknown statement ends the run with status 65.
      """,
    options: [
      Option(name: "--trace", value: "FILE", help: "write every event as JSON Lines (- : stdout)"),
      Option(name: "--audio", value: "FILE.wav", help: "write what the scenario sounds like"),
      Option(name: "--seed", value: "N", help: "in place of the scenario's own seed"),
      Option(name: "--ticks", value: nil, help: "trace every second of a sit, too"),
    ],
    run: SimulateVerb.run)
}

enum SimulateVerb {
  /// Six hours of 16-bit stereo are 4.1 GB, and a WAV file cannot count further.
  private static let audioMax = Span.hours(6)

  static func run(_ options: Options) throws(VerbError) -> ExitStatus {
    let seed = try seed(options)
    if let path = options.value("--audio") { try AudioFile.check(path) }
    var trace = try options.value("--trace").map { path throws(VerbError) in
      try TraceFile(path)
    }
    if options.value("--audio") != nil && options.words.count > 1 {
      throw Verb.simulate.usageError("--audio takes one scenario at a time")
    }
    var status = ExitStatus.done
    for file in options.words {
      let result = try play(file, seed: seed, ticks: options.has("--ticks"), trace: trace)
      for failure in result.failures { Output.write(failure + "\n") }
      if !result.failures.isEmpty { status = .notHeld }
      if let path = options.value("--audio") {
        try AudioFile.write(
          result.sound, sounds: result.sounds, minimumFrames: result.frames, to: path)
      }
    }
    try trace?.finish()
    trace = nil
    return status
  }

  private static func play(
    _ file: String, seed: UInt64?, ticks: Bool, trace: TraceFile?
  ) throws(VerbError) -> SimulationResult {
    let bytes = try Inputs.file(file)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw VerbError(status: .badData, message: "\(file): found bytes, expected UTF-8 text")
    }
    do throws(ScenarioError) {
      let scenario = try ScenarioParser.parse(
        text, file: file,
        boards: { name in
          looked { () throws(VerbError) in try Places.board(named: name) }
        },
        files: { name in
          looked { () throws(VerbError) in try Inputs.ordinaryFile(beside(file, name)) }
        },
        zones: { name in
          looked { () throws(VerbError) in try Inputs.zone(name) }
        })
      return Simulation.run(scenario, seed: seed, ticks: ticks) { line in
        trace?.add(line)
      }
    } catch {
      throw VerbError(status: .badData, message: error.text)
    }
  }

  private static func looked<Found>(
    _ find: () throws(VerbError) -> Found
  ) -> Result<Found, LookupError> {
    do throws(VerbError) { return .success(try find()) } catch {
      return .failure(LookupError(message: error.message))
    }
  }

  /// What a scenario names lies beside it, unless its path says otherwise.
  private static func beside(_ file: String, _ name: String) -> String {
    guard !name.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return name }
    return file[...slash] + name
  }

  private static func seed(_ options: Options) throws(VerbError) -> UInt64? {
    guard let text = options.value("--seed") else { return nil }
    guard let seed = UInt64(text) else {
      throw Verb.simulate.usageError("found \"\(text)\", expected a seed such as 7")
    }
    return seed
  }
}

/// A trace that is written while the scenario runs, in large pieces. A write that fails is told at
/// the end.
final class TraceFile {
  private static let bufferBytes = 1 << 16
  private let path: String
  private let file: OwnedDescriptor?
  private let target: LentDescriptor
  private var buffer: [UInt8] = []
  private var failure: SystemError?

  init(_ path: String) throws(VerbError) {
    self.path = path
    if path == "-" {
      file = nil
      target = .standardOutput
      return
    }
    do throws(SystemError) {
      let opened = try Files.open(path, [.writeOnly, .create, .truncate])
      target = opened.lent
      file = consume opened
    } catch {
      throw VerbError(status: Inputs.status(of: error), message: "\(path): \(error.errno.text)")
    }
  }

  func add(_ line: String) {
    buffer.append(contentsOf: line.utf8)
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= TraceFile.bufferBytes { flush() }
  }

  func finish() throws(VerbError) {
    flush()
    if let failure {
      throw VerbError(status: .inputOutput, message: "\(path): \(failure.errno.text)")
    }
  }

  private func flush() {
    do throws(SystemError) {
      try target.writeAll(buffer)
    } catch {
      // A reader that has seen enough is no fault.
      if error.errno != .brokenPipe { failure = failure ?? error }
    }
    buffer.removeAll(keepingCapacity: true)
  }
}
