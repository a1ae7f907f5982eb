import Sessions
import Settings
import Ticks

extension Expectation {
  /// Holds the expectation against a box.
  /// - Parameter neighbours: all boxes, by name, with their devices.
  /// - Returns: nil if it holds, else `expected …, got …`.
  func check(
    _ box: borrowing SimulatedBox, at scenarioInstant: Instant, _ configuration: Configuration,
    neighbours: [(name: String, device: Identity)]
  ) -> String? {
    let now = scenarioInstant - box.bootSpan
    let state = box.box.state(at: now)
    let timer = box.box.appliance.timer
    switch self {
    case .phase(let name): return compare("phase", name, box.absence ?? state.phase)
    case .remaining(let span):
      return compare("remaining", span.lengthText, timer.remaining(at: now)?.lengthText ?? "none")
    case .elapsed(let span):
      return compare("elapsed", span.lengthText, timer.elapsed(at: now).lengthText)
    case .set(let span):
      return compare("set", span.lengthText, box.box.appliance.setSpan.lengthText)
    case .volume(let percent): return compare("volume", "\(percent)", "\(state.volume)")
    case .focus(let name): return compare("focus", name, state.panel.focus ?? "none")
    case .records(let count): return compare("records", "\(count)", "\(box.sessions.count)")
    case .recovered(let count):
      return compare("recovered", "\(count)", "\(box.changes[.recovered, default: 0])")
    case .offered(let count):
      return compare("offered", "\(count)", "\(box.changes[.offered, default: 0])")
    case .programme(let name): return compare("programme", name, state.programme)
    case .segment(let kind): return compare("segment", kind, state.segment ?? "none")
    case .elsewhere(let name):
      let text = state.activeElsewhere
      // A box is told from others by the beginning of its identity.
      let found = neighbours.first { text?.contains($0.device.description.prefix(8)) == true }
      return compare("elsewhere", name, found?.name ?? text ?? "none")
    case .streak(let count, let isDue):
      return streak(count, isDue, SimulatedDays(box, configuration), box)
    case .dayTotal(let date, let total):
      let got = Span.seconds(SimulatedDays(box, configuration).days.seconds(on: date))
      return compare("day-total \(date.text)", total.lengthText, got.lengthText)
    case .journey(let name, let text):
      let days = SimulatedDays(box, configuration).days
      return compare("journey \(name)", text, box.words(ofJourney: name, rule: days.rule))
    case .keyValue(let key, let value):
      func text(_ value: JSONValue?) -> String {
        value.map { String(decoding: $0.encoded(), as: UTF8.self) } ?? "none"
      }
      let got = box.storage.keeper.store.value(forKey: key)
      return compare("kv \(key)", text(value), text(got))
    case .copies(let count): return compare("copies", "\(count)", "\(box.copies)")
    case .usage(let most):
      let bytes = box.storage.keeper.store.usage.bytes
      return bytes <= most ? nil : mismatch("usage", "of at most \(most)", "\(bytes)")
    case .degraded(let text): return degraded(text, state.degraded)
    case .bells(let bells):
      return check(
        "bells", bells.map { ($0.onset, $0.role) }, box.bells.map { ($0.onset, $0.role) })
    case .cues(let cues):
      return check("cues", cues, box.cues.map { ($0.onset, $0.name) })
    case .missed(let count): return compare("missed", "\(count)", "\(box.missed)")
    case .output(let name): return compare("output", name, box.output.state.rawValue)
    case .openings(let count): return compare("openings", "\(count)", "\(box.output.openings)")
    case .inputs(let names):
      let got = box.inputs.map(\.name)
      return got == names ? nil : mismatch("inputs", list(names), list(got))
    case .detents(let clockwise, let counterclockwise):
      let right = box.inputs.count { $0.name == "+1" }
      let left = box.inputs.count { $0.name == "-1" }
      return compare("detents", "+\(clockwise) -\(counterclockwise)", "+\(right) -\(left)")
    case .record(let index, let fields): return check(index, fields, box, configuration)
    }
  }

  private func streak(
    _ count: Int, _ isDue: Bool?, _ days: SimulatedDays, _ box: borrowing SimulatedBox
  ) -> String? {
    func text(_ count: Int, _ isDue: Bool) -> String { "\(count) \(isDue ? "due" : "sat")" }
    guard let isDue else { return compare("streak", "\(count)", "\(days.streak)") }
    return compare("streak", text(count, isDue), text(days.streak, days.isDue))
  }

  private func compare(_ what: String, _ expected: String, _ got: String) -> String? {
    expected == got ? nil : mismatch(what, expected, got)
  }

  private func mismatch(_ what: String, _ expected: String, _ got: String) -> String {
    "expected \(what) \(expected), got \(got)"
  }

  private func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.joined(separator: " ")
  }

  private func degraded(_ text: String, _ lines: [String]) -> String? {
    let holds = text.isEmpty ? lines.isEmpty : lines.contains { $0.contains(text) }
    return holds
      ? nil
      : mismatch("degraded", text.isEmpty ? "nothing" : "\"\(text)\"", list(lines))
  }

  /// Onsets agree when they are less than 1 ms apart, so that one changed by a unit never does.
  private func check(
    _ what: String, _ expected: [(onset: Span, name: String)],
    _ got: [(onset: Instant, name: String)]
  ) -> String? {
    let holds =
      got.count == expected.count
      && zip(expected, got).allSatisfy { expected, got in
        let apart = (got.onset - .zero) - expected.onset
        return expected.name == got.name && apart > .milliseconds(-1) && apart < .milliseconds(1)
      }
    if holds { return nil }
    return mismatch(
      what, list(expected.map { "\($0.onset.lengthText):\($0.name)" }),
      list(got.map { "\(Self.milliseconds($0.onset)):\($0.name)" }))
  }

  /// An onset as scenarios usually write it, rounded down to the millisecond where it is not whole.
  private static func milliseconds(_ onset: Instant) -> String {
    let count = onset.nanoseconds / 1_000_000
    return count % 1_000 == 0 ? Span.milliseconds(count).lengthText : "\(count)ms"
  }

  private func check(
    _ index: Int, _ fields: [(field: String, value: String)], _ box: borrowing SimulatedBox,
    _ configuration: Configuration
  ) -> String? {
    let sessions = box.sessions
    guard index <= sessions.count else {
      return mismatch("record \(index)", "to be there", "\(sessions.count) records")
    }
    for (field, expected) in fields {
      let got = SimulatedRecords.value(
        of: field, in: sessions[index - 1], rule: SimulatedDays(box, configuration).days.rule)
      if !SimulatedRecords.matches(expected, got, field: field) {
        return mismatch("record \(index) \(field)", expected, got)
      }
    }
    return nil
  }
}
