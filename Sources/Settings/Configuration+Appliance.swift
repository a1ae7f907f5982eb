import Appliance
import Bells
import Controls
import Ticks
import TimerMachine

extension Configuration {
  /// The settings as the appliance takes them. Roles that this version gives no keys ring as the
  /// appliance's own defaults say.
  public var appliance: ApplianceSettings {
    var settings = ApplianceSettings()
    settings.length = sit.length
    settings.plan = SitPlan(
      preparation: sit.preparation, length: nil, intervalEvery: interval.every,
      overtime: sit.hasOvertime, overtimeLimit: sit.overtimeLimit, openLimit: sit.openLimit,
      minimum: sit.minimum)
    settings.stepSpan = crown.step
    settings.fastStepSpan = crown.fastStep
    settings.isCrownLocked = crown.isLocked
    settings.controls = controls
    settings.crown = panels.crown
    settings.remote = panels.remote
    settings.hasRemote = panels.hasRemote
    settings.latestSpan = sound.latest
    let configured: [(BellRole, BellSettings)] = [
      (.start, bells.start), (.interval, bells.interval), (.end, bells.end),
    ]
    for (role, bell) in configured {
      settings.bells[Int(role.rawValue)] = BellRecipe(
        sound: bell.sound.flatMap(Sound.index(named:)), strikes: bell.strikes, gap: bell.gap,
        gain: Float(Mathematics.factor(decibels: bell.levelDecibels)))
    }
    return settings
  }

  private var controls: ControlSettings {
    var settings = ControlSettings()
    settings.detentsPerCycle = DetentsPerCycle(rawValue: crown.detentsPerCycle) ?? .one
    settings.isReversed = crown.isReversed
    settings.debounceSpan = button.debounce
    settings.doubleSpan = button.double
    settings.longSpan = button.long
    settings.repeatAfterSpan = button.repeatAfter
    settings.repeatEverySpan = button.repeatEvery
    return settings
  }
}
