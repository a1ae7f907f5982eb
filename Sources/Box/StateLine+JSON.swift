// Every field stands in every state line, also one that has no value: a script then tells "none"
// from "not known to this version". Swift's own encoding would leave it out.

extension StateLine {
  private enum Field: String, CodingKey {
    case phase, programme, segment, plannedSeconds, elapsedSeconds, remainingSeconds
    case overtimeSeconds, endsAt, setSeconds, volume, roleVolumes, panel, degraded, activeElsewhere,
      clock, store
  }

  /// Writes every field under its name; one without a value as null.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(phase, forKey: .phase)
    try fields.encode(programme, forKey: .programme)
    try fields.encode(segment, forKey: .segment)
    try fields.encode(plannedSeconds, forKey: .plannedSeconds)
    try fields.encode(elapsedSeconds, forKey: .elapsedSeconds)
    try fields.encode(remainingSeconds, forKey: .remainingSeconds)
    try fields.encode(overtimeSeconds, forKey: .overtimeSeconds)
    try fields.encode(endsAt, forKey: .endsAt)
    try fields.encode(setSeconds, forKey: .setSeconds)
    try fields.encode(volume, forKey: .volume)
    try fields.encode(roleVolumes, forKey: .roleVolumes)
    try fields.encode(panel, forKey: .panel)
    try fields.encode(degraded, forKey: .degraded)
    try fields.encode(activeElsewhere, forKey: .activeElsewhere)
    // A watcher is told of changes of the box, and the age of a copy is none.
    try fields.encodeIfPresent(store, forKey: .store)
    try fields.encodeIfPresent(clock, forKey: .clock)
  }
}

extension StateLine.Panel {
  private enum Field: String, CodingKey {
    case focus, dialog, blackout, dimmed, timeHidden, bell, interval, preparation, picture
    case length, segments, intervals, rating, kept, reminder
  }

  /// Writes every field under its name; one without a value as null.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(focus, forKey: .focus)
    try fields.encode(dialog, forKey: .dialog)
    try fields.encode(blackout, forKey: .blackout)
    try fields.encode(dimmed, forKey: .dimmed)
    try fields.encode(timeHidden, forKey: .timeHidden)
    try fields.encode(bell, forKey: .bell)
    try fields.encode(interval, forKey: .interval)
    try fields.encode(preparation, forKey: .preparation)
    try fields.encode(picture, forKey: .picture)
    try fields.encode(length, forKey: .length)
    try fields.encode(segments, forKey: .segments)
    try fields.encode(intervals, forKey: .intervals)
    try fields.encode(rating, forKey: .rating)
    try fields.encode(kept, forKey: .kept)
    try fields.encode(reminder, forKey: .reminder)
  }
}
