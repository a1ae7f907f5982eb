import Appliance
import Bells
import Controls
import Sessions
import Ticks
import Zones

/// What a box is, beside what its appliance is set to.
public struct BoxSettings: Sendable {
  /// The appliance's settings.
  public var appliance: ApplianceSettings
  /// What each line is to the person who wired it, in the order of `Line`.
  public var lineNames: [String] = Line.allCases.map { "\($0)" }
  /// The ALSA device that was chosen on it before; nil for that of the configuration.
  public var soundDevice: String?
  /// The kind of device that its sits name.
  public var sourceDevice: MeditationSession.SourceDevice
  /// What all identities are drawn from. A real box takes it from the kernel at its start.
  public var seed: UInt64
  /// Which boot this is: its instants mean nothing in another one. Linux has an identity for it.
  public var boot = Identity(high: 0, low: 0)
  /// What becomes of a sit after an outage of unknown length (`sit.recover`).
  public var recover = RecoverPolicy.resume
  /// When a day of practice begins where the store does not say, in seconds after midnight.
  public var dayStartsSeconds: Int64 = 0
  /// What people call it where another box tells of it (`store.device-name`).
  public var deviceName: String?
  /// The journey that sits belong to from the start on; nil for none.
  public var journey: String?
  /// When it calls to sit.
  public var reminders: [Reminder] = []
  /// For which days its reminders have called.
  public var called = CalledDays()

  /// Makes settings.
  public init(
    appliance: ApplianceSettings = ApplianceSettings(),
    sourceDevice: MeditationSession.SourceDevice = .timerBox, seed: UInt64
  ) {
    self.appliance = appliance
    self.sourceDevice = sourceDevice
    self.seed = seed
  }
}

/// News from outside the box.
public enum BoxEvent: Sendable {
  /// News for the appliance.
  case appliance(ApplianceEvent)
  /// The wall clock was read, or was set.
  case wall(WallReading)
  /// The machine stands in another zone, or the rules of its zone have changed.
  case zone(ZoneRules)
  /// The machine slept until this instant. It is told as of the instant at which it fell asleep,
  /// before anything that fell due meanwhile is fired.
  case slept(to: Instant)
  /// The journal that was found at the start; nil when there was none that can be read. It is told
  /// once, before anything a hand does, with those of its sits that the store knows
  /// (`SessionStore.knows`).
  case journal(Journal?, known: Set<Identity>)
  /// Begin a sit of `simple` until the clock shows a time, so long after midnight.
  case startUntil(Span, anyway: Bool)
  /// Sits belong to another journey from now on, or to none.
  case journey(String?)
  /// The output stopped working, for this reason.
  case outputLost(reason: String)
  /// The output works.
  case outputWorks
  /// An ALSA device was chosen here, or that of the configuration again. The box only keeps it.
  case soundDevice(String?)
  /// A part does not work; what still does is said in the detail.
  case failed(what: String, detail: String)
  /// A part works again.
  case works(what: String)
  /// The store has done something; no report at all says that nothing was left to do.
  case store([StoreReport])
  /// The store stands otherwise than before.
  case storeStatus(StoreStatus)
}

/// Work that the box wants done.
public enum BoxAction: Sendable {
  /// The appliance's work and notices.
  case appliance(ApplianceAction)
  /// A sit began or ended, under this identity.
  case session(SessionChange, Identity, at: Instant)
  /// Keep a sit; to save it again is to save it once. The answer is a `BoxEvent.store`, which says
  /// of each save once that the sit is kept, with all that was asked before it.
  case save(MeditationSession)
  /// Try again to write what could not be written.
  case retrySave
  /// Keep what was chosen on this device. The answer is a `BoxEvent.store`.
  case saveChoices(DeviceChoices)
  /// Keep on this device for which days reminders have called. Nothing answers: without it one may
  /// call twice after an outage.
  case called(CalledDays)
  /// Write down the running sit and those that are over and wait for something, in place of what
  /// was written before.
  /// - Parameter isDurable: whether it is to survive a power cut from now on, and not only the end
  ///   of the process: a write that is synced.
  case journal(Journal, isDurable: Bool)
  /// Nothing is left that a start would have to go on with: erase the journal.
  case eraseJournal
  /// Say to the owner's other devices that a sit runs here, or that none does any more.
  case claim(SitClaim?, at: WriteTime)
  /// Change a sit that was saved before.
  case edit(Identity, SitEdit, at: WriteTime)
  /// Delete a sit that was saved before.
  case delete(Identity, at: WriteTime)
  /// A sit is on, preparation counted, and the machine is not to fall asleep by itself; or it may
  /// again.
  case inhibitSleep(Bool)
  /// Something does not work, or works again; for traces and logs.
  case fault(Fault, at: Instant)
}

/// What is chosen on this device and stays on it.
public struct DeviceChoices: Equatable, Sendable {
  /// Volume in percent.
  public var volume: Int
  /// What is chosen for the sits that begin on it.
  public var choices: Choices
  /// The volumes of the roles that have one of their own, in the order of `BellRole`.
  public var roleVolumes: [Int?]
  /// The ALSA device; nil for that of the configuration.
  public var soundDevice: String?

  /// Makes choices; what is not given is that of a fresh device.
  public init(
    volume: Int, choices: Choices = Choices(ApplianceSettings()),
    roleVolumes: [Int?] = ApplianceSettings().roleVolumes, soundDevice: String? = nil
  ) {
    self.volume = volume
    self.choices = choices
    self.roleVolumes = roleVolumes
    self.soundDevice = soundDevice
  }
}

/// What became of a sit.
public enum SessionChange: String, Sendable {
  /// It began.
  case begun
  /// It is over and is kept.
  case closed
  /// It is over and is not kept.
  case discarded
  /// It was found after an outage and goes on, or is paused as it was.
  case recovered
  /// It was found after an outage and waits, paused, for a press.
  case offered
}

/// What becomes of a sit after an outage of unknown length (`sit.recover`).
public enum RecoverPolicy: String, CaseIterable, Sendable {
  /// It goes on from the last known instant.
  case resume
  /// It waits, paused, for a press.
  case wait
  /// It is closed with what is known.
  case close
}

/// That a sit runs here, as the owner's other devices are told.
public struct SitClaim: Equatable, Sendable {
  /// When it began.
  public var since: WallInstant
  /// When it will be over if nothing happens; nil for one without an end.
  public var plannedEnd: WallInstant?
  /// Whether it is paused, so that its end moves.
  public var isPaused: Bool
  /// What people call this box; nil where they gave it no name.
  public var name: String?

  /// Makes a claim.
  public init(
    since: WallInstant, plannedEnd: WallInstant?, isPaused: Bool = false, name: String? = nil
  ) {
    self.name = name
    self.since = since
    self.plannedEnd = plannedEnd
    self.isPaused = isPaused
  }
}

/// Something that does not work, or works again.
public struct Fault: Equatable, Sendable {
  /// What a bell that nobody heard is called: it is told, and never works again.
  public static let missedBell = "missed bell"

  /// What it concerns: `sound`, `store` or `shared folder`.
  public var what: String
  /// The sentence for people.
  public var detail: String
  /// Whether it works again.
  public var isOver: Bool

  /// Makes a fault.
  public init(what: String, detail: String, isOver: Bool) {
    self.what = what
    self.detail = detail
    self.isOver = isOver
  }
}
