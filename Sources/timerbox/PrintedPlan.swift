import Appliance
import Bells
import Sessions
import Settings
import Ticks
import TimerMachine

/// What a sit rings, for people and for programs.
struct PrintedPlan {
  let programme: Programme
  /// How long the sit is; nil for an open one.
  let length: Span?
  /// What random bells are drawn from.
  let seed: UInt64
  let sounds: [Sound]

  private var schedule: BellSchedule { BellSchedule(programme, length: length, seed: seed) }

  /// What the plan says and the sit does not ring.
  private func words(_ unrung: UnrungInterval) -> UnrungWords {
    UnrungWords(unrung, of: programme.plan, length: length)
  }

  private func soundName(_ bell: BellSchedule.Bell) -> String? {
    bell.recipe.sound.map { sounds[$0].name }
  }

  /// A line a bell, the segments as headings, and the total.
  func text(_ clock: PlanClock) -> String {
    let segments = programme.plan.segments
    let schedule = schedule
    var lines = [programme.name]
    for (index, part) in schedule.parts.enumerated() {
      if index < segments.count {
        lines.append("\(segments[index].kind) \(segments[index].length.lengthText)")
      }
      lines += part.map { line($0, clock) }
    }
    lines.append(totalText)
    lines += schedule.unrung.map { unrung in
      let words = words(unrung)
      return "not rung: \(words.key) = \(words.value), since \(words.reason)"
    }
    if schedule.parts.joined().contains(where: \.isRandom) {
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
    let limit = programme.plan.overtimeLimit.lengthText
    return total
      + (preparation == .zero ? "" : ", after a preparation of \(preparation.lengthText)")
      + (programme.plan.overtime ? ", and on until a hand ends it, at most \(limit) more" : "")
  }

  private func line(_ bell: BellSchedule.Bell, _ clock: PlanClock) -> String {
    let offset = PrintedPlan.text(of: bell.offset)
    var line = String(repeating: " ", count: max(0, 12 - offset.utf8.count)) + offset
    if clock.isKnown {
      line += "  " + clock.time(after: programme.plan.preparation + bell.offset)
    }
    line += "  " + "\(bell.role.name)".padded(to: 8) + "  "
    guard let sound = soundName(bell) else { return line + "silent" }
    line += sound.padded(to: 12) + "  " + StoreWords.counted(bell.recipe.beatCount, "strike")
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
    let schedule = schedule
    let rows = schedule.parts.joined().map { bell in
      JSONValue.object(of: [
        JSONMember("offsetMilliseconds", milliseconds(bell.offset)),
        JSONMember(
          "time",
          clock.isKnown ? .string(clock.time(after: plan.preparation + bell.offset)) : .null),
        JSONMember("role", .string("\(bell.role.name)")),
        JSONMember("sound", soundName(bell).map { .string($0) } ?? .null),
        JSONMember("strikes", .integer(Int64(bell.recipe.beatCount))),
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
      JSONMember("notRung", .array(schedule.unrung.map { notRung($0) })),
    ])
  }

  private func notRung(_ unrung: UnrungInterval) -> JSONValue {
    let words = words(unrung)
    return .object(of: [
      JSONMember("key", .string(words.key)), JSONMember("value", .string(words.value)),
      JSONMember("reason", .string(words.reason)),
    ])
  }
}
