import Appliance
import Ticks
import TimerMachine

extension StateLine.Panel {
  /// A face has room for so many dots.
  private static let intervalsMax = 100

  /// What the fronts of an appliance show beside the sit.
  init(_ appliance: Appliance) {
    focus = appliance.focus
    if appliance.isAskingEnd { dialog = "End this sit? select: end · back: go on" }
    if appliance.isAskingDelete { dialog = "Delete this sit? hold again: delete" }
    blackout = appliance.isBlackedOut
    dimmed = appliance.isDimmed
    timeHidden = appliance.isTimeHidden
    bell = appliance.choices.text(.bell)
    interval = appliance.choices.text(.interval)
    preparation = appliance.choices.text(.preparation)
    picture = appliance.choices.text(.picture)
    rating = appliance.rating
    kept = appliance.isKept
    reminder = appliance.reminder
    length = Self.lengthText(appliance)
    guard var plan = appliance.plan, let span = plan.length else { return }
    segments = plan.segments.map {
      StateLine.Segment(kind: $0.kind, seconds: $0.length.wholeSeconds)
    }
    plan.intervals.random = 0
    intervals = plan.marks(length: span).prefix(Self.intervalsMax).map(\.wholeSeconds)
  }

  private static func lengthText(_ appliance: Appliance) -> String {
    if case .until(let time) = appliance.programme.length { return "until \(clock(time))" }
    guard let plan = appliance.plan, plan.end == nil else { return "until" }
    return plan.length?.lengthText ?? "open"
  }

  /// A time of day as `HH:MM`, from the span since midnight.
  private static func clock(_ time: Span) -> String {
    let minutes = time / .minutes(1)
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return two(minutes / 60) + ":" + two(minutes % 60)
  }
}
