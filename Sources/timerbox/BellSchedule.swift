import Appliance
import Bells
import Sessions
import Ticks
import TimerMachine

/// Every bell of a sit in which nothing happens, in order.
struct BellSchedule {
  /// A bell.
  struct Bell: Equatable {
    /// When it rings after the start.
    var offset: Span
    var role: BellRole
    /// The sound's name; nil where the role is silent.
    var sound: String?
    var strikes: Int
    var isRandom = false
  }

  let programme: Programme
  /// How long the sit is; nil for an open one.
  var length: Span?
  /// What random bells are drawn from.
  var seed: UInt64 = 0
  private let sounds: [Sound]

  init(_ programme: Programme, sounds: [Sound]) {
    self.programme = programme
    self.sounds = sounds
  }

  /// The bells, those of each segment apart. The bell of a border begins a segment, and the last
  /// one is the end's.
  var bells: [[Bell]] {
    let segments = programme.plan.segments
    var parts = [[bell(.start, at: .zero)]]
    var borders: [Span] = []
    for (index, segment) in segments.enumerated().dropLast() {
      borders.append((borders.last ?? .zero) + segment.length)
      let recipe = programme.border(from: segment.kind, to: segments[index + 1].kind)
      parts.append([bell(.segment, at: borders[index], recipe)])
    }
    var part = 0
    let random = randomMarks
    for mark in marks(programme.plan.intervals) {
      while part < borders.count, borders[part] <= mark { part += 1 }
      var bell = bell(.interval, at: mark)
      bell.isRandom = random.contains(mark)
      parts[part].append(bell)
    }
    if let length { parts[parts.count - 1].append(bell(.end, at: length)) }
    return parts
  }

  private func marks(_ intervals: IntervalPlan) -> IntervalMarks {
    var plan = programme.plan
    plan.seed = seed
    plan.intervals = intervals
    return plan.marks(length: length)
  }

  /// The marks that are there by chance alone.
  private var randomMarks: Set<Span> {
    guard programme.plan.intervals.random > 0 else { return [] }
    var chance = IntervalPlan()
    chance.random = programme.plan.intervals.random
    var others = programme.plan.intervals
    others.random = 0
    others.count = nil
    return Set(marks(chance)).subtracting(marks(others))
  }

  private func bell(_ role: BellRole, at offset: Span, _ recipe: BellRecipe? = nil) -> Bell {
    let recipe = recipe ?? programme.bells[Int(role.rawValue)]
    return Bell(
      offset: offset, role: role, sound: recipe.sound.map { sounds[$0].name },
      strikes: recipe.beatCount)
  }
}

// MARK: - Words

extension BellSchedule {
  /// A line a bell, the segments as headings, and the total.
  func text(_ clock: PlanClock) -> String {
    let segments = programme.plan.segments
    let parts = bells
    var lines = [programme.name]
    for (index, part) in parts.enumerated() {
      if index < segments.count {
        lines.append("\(segments[index].kind) \(segments[index].length.lengthText)")
      }
      lines += part.map { line($0, clock) }
    }
    lines.append(totalText)
    if parts.joined().contains(where: \.isRandom) {
      lines.append("random bells drawn with seed \(seed); each sit draws its own")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private var totalText: String {
    guard let length else {
      return "open, until a hand ends it, at most \(programme.plan.openLimit.lengthText)"
    }
    // What the clock gives is no whole number of seconds.
    let total = "total \(Span.seconds(length.secondsRoundedUp).lengthText)"
    let preparation = programme.plan.preparation
    return total
      + (preparation == .zero ? "" : ", after a preparation of \(preparation.lengthText)")
  }

  private func line(_ bell: Bell, _ clock: PlanClock) -> String {
    let offset = BellSchedule.text(of: bell.offset)
    var line = String(repeating: " ", count: max(0, 12 - offset.utf8.count)) + offset
    if clock.isKnown {
      line += "  " + clock.time(after: programme.plan.preparation + bell.offset)
    }
    line += "  " + "\(bell.role.name)".padded(to: 8) + "  "
    guard let sound = bell.sound else { return line + "silent" }
    line += sound.padded(to: 12) + "  " + StoreWords.counted(bell.strikes, "strike")
    return line + (bell.isRandom ? ", random" : "")
  }

  /// `1:05:00`, `0:30`, with thousandths where there are any.
  private static func text(of offset: Span) -> String {
    let seconds = offset.wholeSeconds
    let thousandths = offset.nanoseconds / 1_000_000 % 1_000
    func padded(_ number: Int64, _ digits: Int) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
    let hours = seconds >= 3_600 ? "\(seconds / 3_600):" : ""
    let minutes = seconds / 60 % 60
    let text =
      hours + (hours.isEmpty ? "\(minutes)" : padded(minutes, 2))
      + ":" + padded(seconds % 60, 2)
    return text + (thousandths == 0 ? "" : "." + padded(thousandths, 3))
  }

  /// One object: the programme, its segments and its bells.
  func json(_ clock: PlanClock) -> JSONValue {
    func milliseconds(_ span: Span) -> JSONValue { .integer(span.nanoseconds / 1_000_000) }
    let plan = programme.plan
    let segments = plan.segments.map { segment in
      JSONValue.object(of: [
        JSONMember("kind", .string(segment.kind)),
        JSONMember("milliseconds", milliseconds(segment.length)),
      ])
    }
    let rows = bells.joined().map { bell in
      JSONValue.object(of: [
        JSONMember("offsetMilliseconds", milliseconds(bell.offset)),
        JSONMember(
          "time",
          clock.isKnown ? .string(clock.time(after: plan.preparation + bell.offset)) : .null),
        JSONMember("role", .string("\(bell.role.name)")),
        JSONMember("sound", bell.sound.map { .string($0) } ?? .null),
        JSONMember("strikes", .integer(Int64(bell.strikes))),
        JSONMember("random", .bool(bell.isRandom)),
      ])
    }
    return .object(of: [
      JSONMember("programme", .string(programme.name)),
      JSONMember("preparationMilliseconds", milliseconds(plan.preparation)),
      JSONMember("plannedSeconds", length.map { .integer($0.wholeSeconds) } ?? .null),
      JSONMember("seed", .number("\(seed)")),
      JSONMember("segments", .array(segments)),
      JSONMember("bells", .array(rows)),
    ])
  }
}
