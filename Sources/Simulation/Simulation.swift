import Bells
import Ticks
import Zones

/// What a run of a scenario showed.
public struct SimulationResult: Sendable {
  /// One line an expectation that did not hold: `FILE:LINE: expected …, got …`.
  public var failures: [String]
  /// What the first box played, for rendering: also what a card that was away, or slept, did not
  /// let through.
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
  ///   - seed: in place of the scenario's own seed.
  ///   - ticks: whether every second is traced.
  ///   - trace: takes one trace line after the other, without line feeds.
  public static func run(
    _ scenario: Scenario, seed: UInt64? = nil, ticks: Bool = false,
    trace: @escaping (String) -> Void = { _ in }
  ) -> SimulationResult {
    var house = SimulatedHouse(
      scenario, seed: seed ?? scenario.seed, ticks: ticks, trace: trace)
    var failures: [Failure] = []
    var now: Instant?
    for statement in inOrder(scenario) {
      guard let at = statement.at else { continue }
      // What a statement makes due waits until all statements of its instant are carried out.
      if at != now { house.advance(to: at) }
      now = at
      if case .expect(let expectation) = statement.action {
        let message = house.check(expectation, of: statement.box, at: at)
        failures += message.map { [Failure(line: statement.place.line, message: $0)] } ?? []
      } else {
        house.perform(statement.action, on: statement.box, at: at)
      }
    }
    house.advance(to: scenario.end)
    for case let statement in scenario.statements where statement.at == nil {
      guard case .expect(let expectation) = statement.action else { continue }
      let message = house.check(expectation, of: statement.box, at: scenario.end)
      failures += message.map { [Failure(line: statement.place.line, message: $0)] } ?? []
    }
    let lines = failures.sorted { $0.line < $1.line }
    return SimulationResult(
      failures: lines.map { "\(scenario.file):\($0.line): \($0.message)" }, sound: house.rendering,
      sounds: house.sounds, frames: Int(Crystal().nextFrame(at: scenario.end)))
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
