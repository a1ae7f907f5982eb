import Bells
import Controls
import CrownFront
import RemoteFront
import Ticks
import TimerMachine

/// What this device is set to, as the appliance needs it.
public struct ApplianceSettings: Equatable, Sendable {
  /// The length that the first press would start.
  public var length: Span
  /// The programmes there are, in their order; no two of one name, and exactly one with the length
  /// of the knob.
  public var programmes: [Programme]
  /// The name of the programme that is chosen on this device. While there is none of that name, the
  /// first stands for it.
  public var programme: String
  /// Whether a turn rates the sit that is over.
  public var hasRating: Bool
  /// What the instants of random bells are drawn from, anew for each sit.
  public var seed: UInt64
  /// What one detent changes the length by.
  public var stepSpan: Span
  /// What one fast detent changes the length by.
  public var fastStepSpan: Span
  /// Whether only a long press acts while a sit runs.
  public var isCrownLocked: Bool
  /// How edges become inputs. Where a double counts is the crown's mapping to say.
  public var controls: ControlSettings
  /// What the crown's gestures mean.
  public var crown: CrownMapping
  /// What the remote's keys mean.
  public var remote: RemoteMapping
  /// Whether there is a remote, and a picture that it belongs to.
  public var hasRemote: Bool
  /// What is seen behind the time.
  public var picture: Picture
  /// The choices that were made on this device and stand here in place of what is configured.
  public internal(set) var chosen: [PanelChoice]
  /// The sounds there are: those that are built in, and then those that somebody recorded.
  public var sounds: [Sound]
  /// What answers are given.
  public var cues: CueSettings
  /// What sounds under a sit; nil for nothing.
  public var ambient: AmbientSound?
  /// How late a strike may still ring.
  public var latestSpan: Span
  /// How much longer than that an output may take to decide on a strike: one with an offset below
  /// zero hands its frames over so much later.
  public var undecidedSpan: Span
  /// Volume in percent at the start.
  public var volume: Int
  /// The volumes of the roles that have one of their own, in the order of `BellRole`.
  public var roleVolumes: [Int?]

  /// Makes the settings of a box that nobody has configured: the defaults of the contract.
  public init() {
    length = .minutes(20)
    programmes = [.simple]
    programme = Programme.simple.name
    hasRating = false
    seed = 0
    stepSpan = .minutes(1)
    fastStepSpan = .minutes(5)
    isCrownLocked = false
    controls = ControlSettings()
    crown = CrownMapping()
    remote = RemoteMapping()
    hasRemote = true
    picture = .fire
    chosen = []
    sounds = Sound.catalogue
    cues = CueSettings()
    latestSpan = .seconds(5)
    undecidedSpan = .zero
    volume = 60
    roleVolumes = BellRole.allCases.map { _ in nil }
  }

  /// Everything about a sit of `simple` but its length, which `length` and the knob give.
  public var plan: SitPlan {
    get { programmes[programmes.simplePlace].plan }
    set { programmes[programmes.simplePlace].plan = newValue }
  }

  /// The bells of `simple`: one recipe a role, in the order of `BellRole`.
  public var bells: [BellRecipe] {
    get { programmes[programmes.simplePlace].bells }
    set { programmes[programmes.simplePlace].bells = newValue }
  }

  /// The volumes of an output at the start.
  public var volumes: Volumes { ApplianceSettings.volumes(volume, roleVolumes) }

  /// The volumes of an output: the box's own, and those of the roles, which follow it where they
  /// have none of their own.
  static func volumes(_ volume: Int, _ roleVolumes: [Int?]) -> Volumes {
    var volumes = Volumes(volume)
    for (role, percent) in roleVolumes.enumerated() { volumes[1 + role] = percent ?? volume }
    return volumes
  }

  /// A cue asks or answers; it does not call. A tenth of the level is 20 dB down; `bell.cue.level`
  /// counts from there.
  public static let cueGain: Float = 0.1

  /// The position of the sound with a name.
  public func sound(named name: String) -> Int? {
    for index in sounds.indices where sounds[index].name == name { return index }
    return nil
  }
}

extension BellRecipe {
  /// The bells of a box that nobody has configured, in the order of `BellRole`.
  static var standards: [BellRecipe] {
    BellRole.allCases.map { role in
      switch role {
      case .end: BellRecipe(sound: 0, strikes: 3)
      case .cue: BellRecipe(sound: 0, gain: ApplianceSettings.cueGain)
      case .start, .interval, .segment, .reminder: BellRecipe(sound: 0)
      }
    }
  }
}
