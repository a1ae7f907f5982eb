import Appliance
import Bells
import Box
import Controls
import Sessions
import Ticks

/// One event of a trace as the contract writes it: a JSON object a line, its members in a fixed
/// order.
struct TraceLine {
  private var text: String

  init(_ kind: String, at instant: Instant, box: String) {
    text = "{\"ns\":\(instant.nanoseconds),\"box\":\(TraceLine.quoted(box))"
    text += ",\"kind\":\"\(kind)\""
  }

  /// The finished line, without its line feed.
  var line: String { text + "}" }

  mutating func add(_ name: String, _ value: Int64) {
    text += ",\"\(name)\":\(value)"
  }

  mutating func add(_ name: String, _ value: String) {
    text += ",\"\(name)\":\(TraceLine.quoted(value))"
  }

  private static func quoted(_ text: String) -> String {
    String(decoding: JSONValue.string(text).encoded(), as: UTF8.self)
  }
}

extension TraceLine {
  /// The line of a notice; nil for one that the contract does not trace.
  /// - Parameters:
  ///   - instant: since when it is so, on the clock of this boot as all in the notice.
  ///   - bootSpan: from the beginning of the scenario to the zero of that clock.
  ///   - fastMultiplier: how many detents a fast one counts for.
  ///   - sounds: the sounds, by position.
  init?(
    _ notice: Notice, at instant: Instant, bootSpan: Span, box: String, ticks: Bool,
    fastMultiplier: Int64, sounds: [Sound]
  ) {
    let instant = instant + bootSpan
    switch notice {
    case .input(let input): self.init(input, at: input.decidedAt + bootSpan, box, fastMultiplier)
    case .phase(let from, let to):
      self.init("phase", at: instant, box: box)
      add("from", from.name.description)
      add("to", to.name.description)
    case .set(let span):
      self.init("set", at: instant, box: box)
      add("seconds", span.wholeSeconds)
    case .refused(let command, let reason):
      self.init(refused: command.description, reason, at: instant, box: box)
    case .tick(let remaining):
      guard ticks else { return nil }
      self.init("tick", at: instant, box: box)
      add("remainingSeconds", remaining)
    case .strike(let planned, let report):
      self.init("bell", at: instant, box: box)
      add(planned, report, sounds[planned.strike.sound].name, bootSpan)
    case .volume, .begun, .closed, .discarded, .noise, .heldAtStart, .programme, .rated,
      .askedDelete, .deleted, .undone, .touched, .reminder:
      return nil
    }
  }

  private init(
    _ input: Input, at instant: Instant, _ box: String, _ fastMultiplier: Int64
  ) {
    self.init("input", at: instant, box: box)
    add("what", input.kind.name.description)
    add("button", input.button.name.description)
    if case .detent(let step, let isFast, _) = input.kind {
      add("value", Int64(step))
      add("multiplier", isFast ? fastMultiplier : 1)
    }
  }

  private mutating func add(
    _ planned: PlannedStrike, _ report: StrikeReport, _ sound: String, _ bootSpan: Span
  ) {
    add("role", planned.role.name.description)
    add("sound", sound)
    add("strike", Int64(planned.index))
    add("dueNs", (planned.strike.due + bootSpan).nanoseconds)
    add("startNs", (report.started + bootSpan).nanoseconds)
    switch report.outcome {
    case .rung: add("outcome", "rung")
    case .late: add("outcome", "late")
    case .missed: add("outcome", "missed")
    }
  }

  init(refused command: String, _ reason: String, at instant: Instant, box: String) {
    self.init("refused", at: instant, box: box)
    add("command", command)
    add("reason", reason)
  }

  /// - Parameter seed: what the random bells of a sit that begins are drawn from, so that
  ///   `timerbox plan --seed` shows them; nil where it has none.
  init(
    _ change: SessionChange, _ identity: Identity, seed: UInt64?, at instant: Instant, box: String
  ) {
    self.init("session", at: instant, box: box)
    add("action", change.rawValue)
    add("record", identity.description)
    // A text: not every reader has whole numbers of 64 bits.
    if let seed { add("seed", "\(seed)") }
  }

  init(_ fault: Fault, at instant: Instant, box: String) {
    self.init(fault.isOver ? "recovered" : "fault", at: instant, box: box)
    add("what", fault.what)
    add("detail", fault.detail)
  }

  /// The line of what the store did; nil for what is told as a fault.
  init?(_ report: StoreReport, at instant: Instant, box: String) {
    switch report {
    case .written(let bytes, _):
      self.init("store", at: instant, box: box)
      add("action", "written")
      add("bytes", Int64(bytes))
    case .refused(let reason):
      self.init("store", at: instant, box: box)
      add("action", "refused")
      add("reason", reason)
    case .salvaged(_, let lines, _):
      self.init("store", at: instant, box: box)
      add("action", "salvaged")
      add("reason", "\(lines.count) damaged lines")
    case .opened, .kept, .archived, .failed, .exchanged, .exchangeFailed, .changed, .restored,
      .peers,
      .conflictRemoved, .cloned, .choicesWritten, .choicesFailed:
      return nil
    }
  }
}
