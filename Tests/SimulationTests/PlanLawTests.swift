// What `timerbox plan` says of a sit is what it rings.
import Appliance
import Bells
import Sessions
import Settings
import Testing
import Ticks
import TimerMachine

@testable import Simulation

/// A programme, or a sit of `simple`, as the statements that make and begin it.
private struct AnyPlan {
  var settings: [String] = []
  var start = ""
  /// How long the sit is; nil for an open one.
  var length: Span?

  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    let isSimple = generator.below(3) == 0
    set("sit.overtime", any(["yes", "no"]))
    set("sit.open-limit", "\(10 + generator.below(60))m")
    set("sit.preparation", any(["0", "10s", "1s"]))
    for role in ["start", "interval", "segment", "end"] {
      set("bell.\(role).sound", any(["keisu", "inkin", "rin", "jukbi"]))
      set("bell.\(role).strikes", "1")
    }
    let prefix = isSimple ? "" : "programme.x."
    start = isSimple ? chosenLength() : "x"
    if !isSimple { programmeLength() }
    intervals(prefix)
  }

  private mutating func set(_ key: String, _ value: String) { settings.append("\(key) \(value)") }

  private mutating func any<Value>(_ values: [Value]) -> Value {
    values[Int(generator.below(UInt64(values.count)))]
  }

  /// Whole minutes meet each other, the borders and the end; milliseconds come close.
  private mutating func anySpan(below minutes: UInt64) -> Span {
    let span = Span.minutes(Int64(1 + generator.below(minutes)))
    return generator.below(3) == 0
      ? span - .milliseconds(Int64(generator.below(2_000))) : span
  }

  private mutating func chosenLength() -> String {
    switch generator.below(3) {
    case 0: return "--open"
    case 1: return "--until 06:\(30 + generator.below(30))"
    default:
      length = anySpan(below: 60) + .minutes(1)
      return length?.lengthText ?? ""
    }
  }

  private mutating func programmeLength() {
    switch generator.below(6) {
    case 0: set("programme.x.sit.length", "open")
    case 1: set("programme.x.sit.length", "until 06:\(30 + generator.below(30))")
    case 2: set("programme.x.sit.length", (anySpan(below: 60) + .minutes(1)).lengthText)
    default:
      let segments = (0...generator.below(3)).map { _ in
        "\(any(["sit", "walk", "rest"])) \(anySpan(below: 15).lengthText)"
      }
      set("programme.x.segments", segments.joined(separator: ", "))
      set("programme.x.rounds", "\(1 + generator.below(3))")
      for kind in ["sit", "walk", "rest"] where segments.contains(where: { $0.hasPrefix(kind) }) {
        guard generator.below(2) == 0 else { continue }
        set("programme.x.bell.\(kind).\(any(["begin", "end"])).sound", any(["keisu", "inkin"]))
      }
    }
  }

  private mutating func intervals(_ prefix: String) {
    let key = prefix + "interval."
    func list(_ spans: [Span]) -> String { spans.map(\.lengthText).joined(separator: ", ") }
    if generator.below(2) == 0 { set(key + "every", anySpan(below: 12).lengthText) }
    if generator.below(3) == 0 { set(key + "at", list([anySpan(below: 30), anySpan(below: 50)])) }
    if generator.below(3) == 0 { set(key + "from-end", anySpan(below: 20).lengthText) }
    if generator.below(3) == 0 { set(key + "fractions", any(["1/2", "1/3, 2/3", "3/4"])) }
    if generator.below(3) == 0 {
      let count = generator.below(8)
      set(key + "random", any(["\(count)", "\(count) in 5m..15m", "\(count) in 0..4m"]))
    }
    if generator.below(5) == 0 { set(key + "count", "\(1 + generator.below(6))") }
  }

  /// The scenario; 06:00 is when it begins.
  var scenario: String {
    "wall 2026-06-01T06:00:00Z UTC\n" + settings.map { "set \($0)\n" }.joined()
      + "at 0 start \(start)\nat 2h30m stop\nend 3h\n"
  }
}

/// A bell of a sit, by its instant after the start.
private struct Rung: Equatable {
  var offset: Span
  var role: String
  var sound: String
}

private func rung(_ trace: [JSONValue]) -> [Rung] {
  let first = trace.filter { line in
    line["kind"]?.stringValue == "bell" && line["strike"]?.integerValue == 1
      && ["start", "segment", "interval", "end"].contains(line["role"]?.stringValue)
      && line["outcome"]?.stringValue == "rung"
  }
  let start = first.first?["dueNs"]?.integerValue ?? 0
  return first.map { line in
    Rung(
      offset: Span(nanoseconds: (line["dueNs"]?.integerValue ?? 0) - start),
      role: line["role"]?.stringValue ?? "", sound: line["sound"]?.stringValue ?? "")
  }
}

/// What the plan says of the sit that a scenario begins.
private func planned(
  _ configuration: Configuration, _ plan: AnyPlan, seed: UInt64
) throws -> BellSchedule {
  let name = plan.start == "x" ? "x" : "simple"
  let programme = try #require(configuration.programmes().programmes.first { $0.name == name })
  var length = plan.length ?? programme.plan.length
  let words = plan.settings.first { $0.contains("sit.length until") } ?? plan.start
  if let until = words.split(separator: " ").last, until.hasPrefix("06:"),
    let minutes = Int64(until.dropFirst(3))
  {
    length = .minutes(minutes) - programme.plan.preparation
  }
  return BellSchedule(programme, length: length, seed: seed)
}

@Test func plan_ofAnyProgramme_isWhatItRings() throws {
  var (taken, withUnrung, withRandom) = (0, 0, 0)
  for seed in UInt64(1)...5_000 where taken < 500 {
    let plan = AnyPlan(seed: seed)
    // What cannot be rung is refused with its line, and never begun.
    guard let scenario = try? Scenarios.parse(plan.scenario) else { continue }
    taken += 1
    var trace: [JSONValue] = []
    _ = Simulation.run(scenario) { line in
      if let value = try? JSONValue(parsing: Array(line.utf8)) { trace.append(value) }
    }
    let drawn = trace.first { $0["action"]?.stringValue == "begun" }?["seed"]?.stringValue
    withRandom += drawn == nil ? 0 : 1
    let schedule = try planned(
      scenario.boxes[0].configuration, plan, seed: drawn.flatMap { UInt64($0) } ?? 0)
    withUnrung += schedule.unrung.isEmpty ? 0 : 1
    let expected = schedule.parts.joined().map { bell in
      Rung(
        offset: bell.offset, role: bell.role.name.description,
        sound: bell.recipe.sound.map { Sound.catalogue[$0].name } ?? "")
    }
    #expect(rung(trace) == expected, "\(seed): \(plan.settings) \(plan.start)")
  }
  #expect(taken == 500)
  #expect(withUnrung > 30 && withRandom > 30, "\(withUnrung) \(withRandom)")
}
