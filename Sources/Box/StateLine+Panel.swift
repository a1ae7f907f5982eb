import Appliance

extension StateLine.Panel {
  /// What the fronts of an appliance show beside the sit.
  init(_ appliance: Appliance) {
    focus = appliance.focus
    dialog = appliance.isAskingEnd ? "End this sit? select: end · back: go on" : nil
    blackout = appliance.isBlackedOut
    dimmed = appliance.isDimmed
    timeHidden = appliance.isTimeHidden
    bell = appliance.choices.text(.bell)
    interval = appliance.choices.text(.interval)
    preparation = appliance.choices.text(.preparation)
    picture = appliance.choices.text(.picture)
  }
}
