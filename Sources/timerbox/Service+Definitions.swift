import Box
import ControlSocket
import Sessions
import Settings
import Ticks

/// What the store defines, as the box was last told: programmes, journeys, what makes a day.
struct ServiceDefinitions {
  private let configuration: Configuration
  private(set) var definitions: [Definition] = []
  private var isTold = false

  init(_ configuration: Configuration) { self.configuration = configuration }

  var journeys: Journeys { Journeys(definitions) }

  /// Takes what the store defines now.
  /// - Returns: whether it is another, or the first.
  fileprivate mutating func take(_ definitions: [Definition]) -> Bool {
    guard definitions != self.definitions || !isTold else { return false }
    self.definitions = definitions
    isTold = true
    return true
  }

  fileprivate func programmes(_ sound: SoundParts) -> ProgrammeList {
    configuration.programmes(sounds: sound.sounds, definitions: definitions)
  }

  fileprivate func flaws(_ sound: SoundParts) -> [StoreFlaw] {
    configuration.flaws(in: definitions, sounds: sound.sounds)
  }

  /// Why a value cannot be put under a key; nil also where it is too long to be looked at here.
  func refusal(of text: String, under key: String, _ sound: SoundParts) -> String? {
    guard text.utf8.count <= ServiceDefinitions.readBytes,
      let value = try? JSONValue(parsing: Array(text.utf8))
    else { return nil }
    return configuration.refusal(
      of: value, under: key, beside: definitions, sounds: sound.sounds
    ).map { "\(key): \($0.fault)" }
  }

  /// What the loop reads at once: no programme by hand is longer.
  private static let readBytes = 1 << 16

  fileprivate func reminderProblems(_ list: ProgrammeList) -> [String] {
    configuration.reminderProblems(programmes: list.programmes.map(\.name))
  }
}

extension Service {
  /// The store defines this now: a sit that is on keeps its plan, the next one has the new one.
  mutating func take(_ definitions: [Definition], at now: Instant) {
    guard self.definitions.take(definitions) else { return }
    let list = self.definitions.programmes(sound)
    handle(.appliance(.programmes(list.programmes)), at: now)
    let (flaws, what) = (self.definitions.flaws(sound), "store definitions")
    handle(
      flaws.isEmpty ? .works(what: what) : .failed(what: what, detail: flaws.sentence), at: now)
    tellJourney(at: now)
    let problems = self.definitions.reminderProblems(list)
    if problems.isEmpty { return handle(.works(what: Service.reminderFault), at: now) }
    let detail = "\(problems.joined(separator: "; ")). It calls, and begins nothing."
    handle(.failed(what: Service.reminderFault, detail: detail), at: now)
  }

  private static let reminderFault = "reminders"

  /// Sits that begin from now on belong to the journey that goes on under the chosen name. The
  /// choice is a name, so that a journey that is begun anew on one box is that of the others too.
  mutating func tellJourney(at now: Instant) {
    let journey = settings.file.journey.flatMap { definitions.journeys.running($0) }
    handle(.journey(journey?.id), at: now)
  }

  /// Chooses a journey that goes on; nil for none.
  mutating func choose(journey name: String?, at now: Instant) -> ControlAnswer {
    if let name, definitions.journeys.running(name) == nil {
      return .refused(reason: JourneyWords.unknown(name, definitions.journeys))
    }
    keep("journey", name)
    tellJourney(at: now)
    return .ok
  }

  /// Keeps a choice that no part of the box knows; at once, since no hand turns it up and down.
  mutating func keep(_ key: String, _ value: String?) {
    settings.file.set(key, to: value)
    guard settings.writeFault == nil else { return }
    _ = storage.send(.choices(settings.file.bytes(version: Version.number)))
  }
}
