import Box
import Sessions

// Courses of practice, as `timerbox journey` and the service have them.
extension SimulatedBox {
  private var journeys: Journeys { Journeys(storage.keeper.store.definitions) }

  mutating func perform(_ change: JourneyChange) {
    let today = SimulatedDays(self, configuration).today
    switch change {
    case .begin(let name, let goalDays):
      let id = Identity(randomHigh: seeds.next(), low: seeds.next()).description
      let journey = Journey(id: id, name: name, goalDays: goalDays, begun: today)
      for journey in journeys.beginning(journey) { write(journey) }
    case .end(let name):
      guard var journey = journeys.running(name) else {
        return refuse("journey", "no journey \(name) goes on")
      }
      journey.ended = today
      write(journey)
    case .choose(let name):
      if let name, journeys.running(name) == nil {
        return refuse("journey", "no journey \(name) goes on")
      }
      chosenJourney = name
      tellJourney()
    }
  }

  private mutating func write(_ journey: Journey) {
    let value = journey.value(over: storage.keeper.store.value(forKey: journey.synced.key))
    storage.send(.set(journey.synced.key, value, time), at: now)
  }

  /// Sits that begin from now on belong to what goes on under the chosen name.
  mutating func tellJourney() {
    tell(.journey(chosenJourney.flatMap { journeys.running($0) }?.id))
  }

  /// How far the journeys of a name are, in the order in which they began.
  func words(ofJourney name: String, rule: DayRule) -> String {
    let rows = journeys.all.filter { $0.name == name }.map { journey in
      "day \(journey.daysSat(sessions, rule: rule))"
        + (journey.goalDays.map { " of \($0)" } ?? "") + (journey.ended == nil ? "" : ", ended")
    }
    return rows.isEmpty ? "none" : rows.joined(separator: "; ")
  }
}
