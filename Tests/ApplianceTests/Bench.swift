import Appliance
import Bells
import Controls
import Ticks
import TimerMachine

/// What the appliance told, as a line of text with its instant.
struct Told: Equatable {
  var at: Instant
  var text: String
}

/// An appliance with a hand, a program and an output that rings what is planned, in virtual time.
struct Bench {
  var appliance: Appliance
  /// Whether the output rings; without one, nothing is ever reported.
  var rings: Bool
  var told: [Told] = []
  var inputs: [Input] = []
  /// The strikes of bells that sounded, each with when it did.
  var rung: [(strike: PlannedStrike, at: Instant)] = []
  /// The strikes of cues that sounded.
  var cues: [(strike: PlannedStrike, at: Instant)] = []
  /// The strikes of bells that are planned.
  var plan: [PlannedStrike] { ordered.filter { $0.cue == nil } }
  private var ordered: [PlannedStrike] = []
  var closed: [FinishedSit] = []
  /// When a hand was at the box.
  var touches: [Instant] = []
  /// `plan`, `damp`, `warm up` and the notices, in the order in which they were given.
  var works: [String] = []
  var now = Instant.zero

  init(rings: Bool = true, _ set: (inout ApplianceSettings) -> Void = { _ in }) {
    var settings = ApplianceSettings()
    set(&settings)
    appliance = Appliance(settings: settings)
    self.rings = rings
  }

  /// All that was told but inputs and strikes.
  var changes: [Told] {
    told.filter { told in !["input", "strike", "cue"].contains { told.text.hasPrefix($0) } }
  }

  /// The same in words.
  var effects: [String] { changes.map(\.text) }

  /// `start@10000` for a start strike that sounded at 10 s.
  var rungText: [String] {
    rung.map { "\($0.strike.role.name)\($0.strike.index)@\($0.at.milliseconds)" }
  }

  /// `no no` for the two taps of a refusal.
  var cueText: String { cues.compactMap(\.strike.cue).map { "\($0)" }.joined(separator: " ") }

  /// The sounds of the cues' strikes: `tap tap-low` for the sixth programme.
  var cueSounds: String {
    cues.map { appliance.sounds[$0.strike.strike.sound].name }.joined(separator: " ")
  }

  /// Whether each answer began within the time that PRODUCT gives it, in an output without delay.
  var isEachCueWithinATwelfthOfASecond: Bool {
    cues.filter { $0.strike.index == 1 }.allSatisfy { cue in
      inputs.contains { input in
        cue.at >= input.decidedAt && cue.at - input.decidedAt <= .milliseconds(120)
      }
    }
  }

  var planText: [String] {
    plan.map { "\($0.role.name)\($0.index)@\($0.strike.due.milliseconds)" }
  }

  // MARK: - Time

  mutating func advance(to instant: Instant) {
    while true {
      let strike = rings ? ordered.first { $0.strike.due <= instant }?.strike.due : nil
      let due = appliance.nextDeadline.map { min($0, strike ?? $0) } ?? strike ?? instant
      let step = max(now, min(due, instant))
      fire(at: step)
      let hasRung = ring(at: step)
      if step >= instant && !hasRung { return }
    }
  }

  mutating func fire(at instant: Instant) {
    now = max(now, instant)
    while appliance.advance(to: instant) { drain() }
    drain()
  }

  mutating func handle(_ event: ApplianceEvent, at instant: Instant) {
    advance(to: instant)
    appliance.handle(event, at: instant)
    drain()
    advance(to: instant)
  }

  /// The output sounds the first planned strike that is due.
  private mutating func ring(at instant: Instant) -> Bool {
    guard rings, let strike = ordered.first(where: { $0.strike.due <= instant }) else {
      return false
    }
    if strike.cue == nil { rung.append((strike, instant)) } else { cues.append((strike, instant)) }
    let outcome: StrikeReport.Outcome = strike.strike.due == instant ? .rung : .late
    let report = StrikeReport(number: strike.strike.number, started: instant, outcome: outcome)
    appliance.handle(.strike(report), at: instant)
    drain()
    return true
  }

  private mutating func drain() {
    while let action = appliance.nextAction() {
      switch action {
      case .plan(let strikes):
        let before = plan
        ordered = strikes
        // A plan that only gives or takes an answer is told by its strikes.
        if plan != before { works.append("plan \(plan.count)") }
      case .volumes: break
      case .ambient(let ambient): works.append("ambient \(ambient?.name ?? "none")")
      case .sitting(let isSitting): works.append("sitting \(isSitting)")
      case .warmUp: works.append("warm up")
      case .damp: works.append("damp")
      // These hands lose no edge.
      case .readLevels:
        let nothing = LevelReading(lines: [], levels: .rest, at: now)
        appliance.handle(.levels(nothing), at: nothing.at)
      case .mask(let lines): works.append("mask \(lines.rawValue)")
      case .notice(let notice, let instant): take(notice, at: instant)
      }
    }
  }

  private mutating func take(_ notice: Notice, at instant: Instant) {
    let text: String
    switch notice {
    case .touched:
      touches.append(instant)
      return
    case .programme(let name): text = "programme \(name)"
    case .rated(let rating): text = "rated \(rating)"
    case .askedDelete: text = "asked delete"
    case .deleted: text = "deleted"
    case .undone: text = "undone"
    case .reminder(let name): text = "reminder \(name ?? "over")"
    case .input(let input):
      inputs.append(input)
      text = "input \(input.button.name) \(input.kind.name)"
    case .phase(let from, let to): text = "\(from.name)>\(to.name)"
    case .set(let span): text = "set \(span.lengthText)"
    case .volume(let percent): text = "volume \(percent)"
    case .refused(let command, let reason): text = "refused \(command): \(reason)"
    case .tick(let remaining): text = "tick \(remaining)"
    case .begun: text = "begun"
    case .closed(let sit):
      closed.append(sit)
      text = "closed"
    case .discarded: text = "discarded"
    case .heldAtStart(let lines): text = "held at start \(lines.rawValue)"
    case .noise(let noise): text = "noise \(noise.line) \(noise.isNoisy)"
    case .strike(let strike, let report):
      text =
        strike.cue.map { "cue \($0) \(report.outcome)" }
        ?? "strike \(strike.role.name)\(strike.index) \(report.outcome)"
    }
    told.append(Told(at: instant, text: text))
    works.append(text)
  }
}

extension Instant {
  var milliseconds: Int64 { nanoseconds / 1_000_000 }
}

func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }
func at(ms milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }
let nanosecond = Span(nanoseconds: 1)
