import Appliance
import Bells
import Controls
import Sessions
import Ticks
import TimerMachine

extension Configuration {
  /// The settings as the appliance takes them, with the sounds that are built in.
  public var appliance: ApplianceSettings { appliance(sounds: Sound.catalogue) }

  /// The settings as the appliance takes them, with every programme that there is. A role whose own
  /// recording is missing rings as the appliance's own defaults say.
  /// - Parameters:
  ///   - sounds: the sounds there are.
  ///   - definitions: what the store defines.
  public func appliance(
    sounds: [Sound], definitions: [Definition] = []
  ) -> ApplianceSettings {
    var settings = plainAppliance(sounds: sounds)
    settings.programmes = programmes(sounds: sounds, definitions: definitions).programmes
    return settings
  }

  /// The same with `simple` alone, which is what the plain sections say.
  func plainAppliance(sounds: [Sound]) -> ApplianceSettings {
    var settings = ApplianceSettings()
    settings.sounds = sounds
    settings.length = sit.length
    settings.plan = plan
    settings.stepSpan = crown.step
    settings.fastStepSpan = crown.fastStep
    settings.isCrownLocked = crown.isLocked
    settings.controls = controls
    settings.crown = panels.crown
    settings.remote = panels.remote
    settings.hasRemote = panels.hasRemote
    settings.latestSpan = sound.latest
    settings.undecidedSpan = .zero - min(.zero, sound.offsets.least)
    settings.cues = cue
    settings.cues.gain = Float(Mathematics.factor(decibels: bells.cue.levelDecibels))
    settings.ambient = sound.ambient
    for (role, bell) in configured {
      let standard = settings.bells[Int(role.rawValue)]
      let level = Float(Mathematics.factor(decibels: bell.levelDecibels))
      settings.bells[Int(role.rawValue)] = BellRecipe(
        sound: bell.sound.map { settings.sound(named: $0) ?? standard.sound ?? 0 },
        strikes: bell.strikes, gap: bell.gap, pattern: bell.pattern, gain: level * standard.gain)
    }
    return settings
  }

  /// A sit as the plain sections say, without its length.
  var plan: SitPlan {
    SitPlan(
      preparation: sit.preparation, length: nil, intervals: interval.plan,
      overtime: sit.hasOvertime, overtimeLimit: sit.overtimeLimit, openLimit: sit.openLimit,
      minimum: sit.minimum)
  }

  private var configured: [(role: BellRole, bell: BellSettings)] {
    let bells = bells
    return [
      (.start, bells.start), (.interval, bells.interval), (.segment, bells.segment),
      (.end, bells.end), (.reminder, bells.reminder), (.cue, bells.cue),
    ]
  }

  /// The names of sounds that bells are to have and that are not there: somebody's own recordings,
  /// for a built-in name that does not exist is an error of `check(sounds:)`.
  public func missingSounds(among sounds: [Sound]) -> [String] {
    let names = configured.compactMap(\.bell.sound)
    var missing: [String] = []
    for name in names where !sounds.contains(where: { $0.name == name }) && !missing.contains(name)
    {
      missing.append(name)
    }
    return missing
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
