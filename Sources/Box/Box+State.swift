import Appliance
import Sessions
import Ticks
import TimerMachine
import Zones

// What the box shows.
extension Box {
  /// What the box shows at an instant.
  public func state(at instant: Instant) -> StateLine {
    let timer = appliance.timer
    var line = StateLine()
    line.phase = timer.phase.name.description
    line.programme = sit?.programme ?? appliance.programme.name
    line.segment = timer.plan == nil ? nil : timer.segment(at: instant)?.kind ?? "sit"
    line.plannedSeconds = timer.plannedLength?.wholeSeconds
    line.elapsedSeconds = timer.elapsed(at: instant).wholeSeconds
    line.remainingSeconds = timer.remaining(at: instant)?.secondsRoundedUp
    line.overtimeSeconds = timer.overtime(at: instant).wholeSeconds
    let next = appliance.phase == .idle ? appliance.plan?.length : nil
    line.setSeconds = (next ?? appliance.setSpan).wholeSeconds
    line.volume = appliance.volume
    for (role, percent) in zip(BellRole.allCases, appliance.roleVolumes) {
      line.roleVolumes["\(role.name)"] = percent
    }
    line.panel = StateLine.Panel(appliance)
    line.degraded = degraded
    line.activeElsewhere = elsewhere?.text
    if wall.isKnown, let end = timer.plannedEnd {
      let date = wall.wall(at: end)
      line.endsAt = date.text(offsetSeconds: zone.offsetSeconds(at: date))
    }
    return line
  }

  /// The same with how the store stands: for who asks once, since the ages of copies change all the
  /// time.
  public func stateWithStore(at instant: Instant) -> StateLine {
    var line = state(at: instant)
    line.store = storeStatus.map {
      StateStore($0, at: wall.isKnown ? wall.wall(at: instant) : nil) { [zone] in
        $0.text(offsetSeconds: zone.offsetSeconds(at: $0))
      }
    }
    return line
  }
}
