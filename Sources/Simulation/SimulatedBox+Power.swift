import Bells
import Box
import Controls
import Sessions
import Settings
import Ticks

// Sleep, kills and power cuts.
extension SimulatedBox {
  /// Whether there is a box at all.
  enum Power: Equatable {
    /// It runs.
    case on
    /// The machine sleeps.
    case asleep(from: Instant, until: Instant)
    /// It is gone, and comes back; instants are of the boot before.
    case away(Outage, from: Instant, until: Instant)
  }

  /// What there is of it now, in a word; nil while it runs.
  var absence: String? {
    switch power {
    case .on: nil
    case .asleep: "asleep"
    case .away(.kill, _, _): "killed"
    case .away(.powerCut, _, _): "off"
    }
  }

  /// Tells the box what it finds at its start; call it once, first.
  mutating func begin() {
    tell(.appliance(.ticksWanted(ticks)))
    tell(.appliance(.output(output.readiness)))
    let journal = storage.journal.written.flatMap { try? Journal(parsing: $0) }
    let sits = journal?.sits ?? []
    tell(.journal(journal, known: Set(sits.filter(storage.keeper.store.knows))))
  }

  /// The machine falls asleep: the boot clock runs on, and nobody does anything.
  mutating func suspend(for span: Span) {
    guard power == .on, span > .zero else { return }
    power = .asleep(from: now, until: now + span)
    lines.isDeaf = true
    output.suspend(at: now, for: span)
  }

  /// The process is killed, or the power goes. What follows within an outage makes it no longer.
  mutating func goAway(_ outage: Outage, for span: Span) {
    if case .away = power { return }
    power = .away(outage, from: now, until: now + span)
    lines.close()
    output.close(at: now)
    render(.damp, at: now)
    storage.drop()
  }

  /// One round while there is nobody.
  mutating func pass() {
    if let due = lines.nextDeadline, due <= now { _ = lines.advance(to: now) }
    switch power {
    case .asleep(let from, let until) where until <= now: wake(from: from)
    case .away(let outage, let from, let until) where until <= now: comeBack(outage, from: from)
    case .on, .asleep, .away: break
    }
  }

  private mutating func wake(from: Instant) {
    power = .on
    // Before anything that fell due in between: whether it was sat hangs on this.
    box.handle(.slept(to: now), at: from)
    takeActions()
    let moved = lines.hearAgain()
    if !moved.isEmpty { tell(.appliance(.edgesMissed(moved))) }
    fireDeadlines()
  }

  private mutating func comeBack(_ outage: Outage, from: Instant) {
    if outage == .powerCut {
      let span = now - Instant.zero
      wall.powerWasAway(for: now - from)
      lines.moveClock(by: span)
      hands.moveClock(by: span)
      output.moveClock(by: span)
      bootSpan = bootSpan + span
      boot += 1
      now = .zero
    }
    power = .on
    _ = lines.hearAgain()
    output.restart(at: now)
    start()
  }

  /// Makes the box anew, of its configuration and of what the disk holds.
  private mutating func start() {
    var settings = settings
    settings.seed = seeds.next()
    settings.boot = Identity(high: 0, low: boot)
    let reports = storage.reopen()
    if let choices = storage.choices {
      let file = SettingsFile(choices)
      file.apply(to: &settings.appliance)
      settings.soundDevice = file.soundDevice
    }
    settings.called = CalledDays(parsing: storage.called)
    told = nil
    box = Box(
      settings: settings, zone: zone, wall: wall.reading(at: now, bootSpan: bootSpan),
      levels: lines.levels)
    render(.volumes(settings.appliance.volumes), at: now)
    tell(reports)
    begin()
    for line in Line.allCases {
      guard let trouble = lines.trouble(of: line), !(trouble == .gone && !wired.contains(line))
      else { continue }
      tell(trouble, of: line)
      switch trouble {
      case .busy, .gone: tell(.appliance(.linesLost(LineSet(line))))
      case .ok, .stuck, .noise: break
      }
    }
  }
}
