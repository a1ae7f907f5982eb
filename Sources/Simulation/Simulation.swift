import Bells
import Box
import Settings
import Ticks
import Zones

/// What a run of a scenario showed.
public struct SimulationResult: Sendable {
  /// One line an expectation that did not hold: `FILE:LINE: expected …, got …`.
  public var failures: [String]
  /// What was played, for rendering: also what a card that was away, or slept, did not let through.
  public var sound: [Rendering.Event]
  /// What the strikes of it sound, by position.
  public var sounds: [Sound]
  /// How long the scenario lasts, in frames of 48 kHz.
  public var frames: Int
}

/// Runs scenarios in virtual time.
public enum Simulation {
  /// Runs a scenario to its end.
  /// - Parameters:
  ///   - scenario: what happens.
  ///   - zone: the rules of the scenario's zone.
  ///   - seed: in place of the scenario's own seed.
  ///   - ticks: whether every second is traced.
  ///   - trace: takes one trace line after the other, without line feeds.
  public static func run(
    _ scenario: Scenario, zone: ZoneRules, seed: UInt64? = nil, ticks: Bool = false,
    trace: @escaping (String) -> Void = { _ in }
  ) -> SimulationResult {
    let configuration = scenario.configuration
    let sounds = Sound.catalogue(for: configuration.sound.speaker)
    var settings = BoxSettings(
      appliance: configuration.appliance(sounds: sounds), seed: seed ?? scenario.seed)
    settings.lineNames = scenario.board.lineNames
    let output = SimulatedOutput(
      outputs: outputs(configuration), sounds: sounds,
      settings: PlaybackSettings(latest: configuration.sound.latest, queue: .immediate))
    var box = SimulatedBox(
      settings: settings, wired: scenario.board.lines, output: output, zone: zone,
      wall: scenario.wall, ticks: ticks, trace: trace)
    box.begin()
    var failures: [Failure] = []
    var now: Instant?
    for statement in inOrder(scenario) {
      guard let at = statement.at else { continue }
      // What a statement makes due waits until all statements of its instant are carried out.
      if at != now { box.advance(to: at) }
      now = at
      if case .expect(let expectation) = statement.action {
        if let message = expectation.check(box, at: at, configuration) {
          failures.append(Failure(line: statement.place.line, message: message))
        }
      } else {
        box.perform(statement.action)
      }
    }
    box.advance(to: scenario.end)
    for case let statement in scenario.statements where statement.at == nil {
      guard case .expect(let expectation) = statement.action else { continue }
      if let message = expectation.check(box, at: scenario.end, configuration) {
        failures.append(Failure(line: statement.place.line, message: message))
      }
    }
    let lines = failures.sorted { $0.line < $1.line }
    return SimulationResult(
      failures: lines.map { "\(scenario.file):\($0.line): \($0.message)" }, sound: box.rendering,
      sounds: sounds, frames: Int(Crystal().nextFrame(at: scenario.end)))
  }

  /// The outputs that the settings name. They need no lead-in and are let go after the last tail,
  /// unless the settings say otherwise.
  private static func outputs(
    _ configuration: Configuration
  ) -> [(name: String, traits: OutputTraits)] {
    let sound = configuration.sound
    return ([sound.device] + sound.fallback).map { name in
      let traits = OutputTraits(
        leadIn: sound.leadIn ?? .zero, offset: sound.offsets[name],
        keepAlive: sound.keepAlive ?? .never)
      return (name, traits)
    }
  }

  private struct Failure {
    var line: Int
    var message: String
  }

  /// The statements in the order of their instants; those of one instant in file order.
  private static func inOrder(_ scenario: Scenario) -> [Scenario.Statement] {
    let timed = scenario.statements.enumerated().filter { $0.element.at != nil }
    return timed.sorted { left, right in
      let (a, b) = (left.element.at ?? .zero, right.element.at ?? .zero)
      return a == b ? left.offset < right.offset : a < b
    }.map(\.element)
  }
}
