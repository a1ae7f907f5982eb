import Bells
import Controls
import RemoteFront
import Ticks
import TimerMachine

// What a sit is to be: the programmes, which of them is chosen, and what a start begins.
extension Appliance {
  /// How long after a start that was refused, since a sit runs elsewhere, the next one overrides.
  public static let overrideSpan = Span.seconds(10)

  /// The programme that is chosen on this device.
  public var chosen: Programme { programmes[chosenPlace] }

  /// The programme of the sit that is on or over; in idle the chosen one.
  public var programme: Programme { phase == .idle ? chosen : sitting ?? chosen }

  /// The plan of the sit that is on or over; in idle that of the chosen programme, and nil where a
  /// start of it would be refused.
  public var plan: SitPlan? {
    guard phase == .idle else { return timer.plan }
    if case .sit(_, let plan) = order(for: chosen) { return plan }
    return nil
  }

  var chosenPlace: Int { programmes.place(of: choices.programme) ?? 0 }

  private var simple: Programme { programmes[programmes.simplePlace] }

  mutating func take(_ list: [Programme]) {
    programmes = list
    choices.follow(simple)
    remote?.take(programmes: list.map { $0.name })
  }

  mutating func choose(named name: String) {
    guard let place = programmes.place(of: name) else {
      return refuse("programme", "there is no programme \(name)")
    }
    choose(place)
  }

  mutating func choose(_ place: Int) {
    let name = programmes[place].name
    guard name != choices.programme else { return }
    choices.programme = name
    tell(.programme(name))
  }

  // MARK: - Starts

  /// What a start leads to.
  private enum Order {
    case sit(Programme, SitPlan)
    case refused(String)
  }

  /// Begins a sit, or refuses: whatever is refused, nothing has changed.
  /// - Parameter isUnattended: whether no hand asks for it.
  mutating func start(_ length: SitLength, anyway: Bool = false, isUnattended: Bool = false) {
    switch order(for: length) {
    case .refused(let reason): refuse("start", reason)
    case .sit(let programme, var plan):
      let isFree = phase == .idle || phase == .ended
      if isFree && isHeldOff(anyway: anyway) { return }
      plan.seed = seeds.next()
      timer.start(
        plan, at: now, earliestStrike: readiness.earliestStrike(at: now),
        isUnattended: isUnattended)
      guard isFree && phase == .preparing else { return }
      heldOffAt = nil
      sitting = programme
      planner.begin(
        recipes: recipes(of: programme), borders: programme.borders(of: plan.segments))
      remember(length)
    }
  }

  /// Takes up a sit that was on before an outage. The bells to come are planned, and those of the
  /// past do not ring.
  /// - Parameters:
  ///   - snapshot: the sit as it stands at the instant.
  ///   - name: the name of its programme. One that there is no more sounds as `simple` does.
  ///   - instant: now.
  /// - Precondition: no sit is on, and this one is not over (`TimerSnapshot.isOver(at:)`).
  public mutating func restore(
    _ snapshot: TimerSnapshot, programme name: String, at instant: Instant
  ) {
    now = max(now, instant)
    endCall()
    var programme = simple
    if let place = programmes.place(of: name) { programme = programmes[place] }
    programme.name = name
    sitting = programme
    over = Aftermath()
    let plan = snapshot.plan
    planner.begin(recipes: recipes(of: programme), borders: programme.borders(of: plan.segments))
    timer.restore(snapshot, at: now)
    settleTimer()
    publish()
  }

  /// Rings one soft cue: the sit that was taken up asks after its sitter.
  public mutating func giveCue(at instant: Instant) {
    now = max(now, instant)
    let due = readiness.earliestStrike(at: now)
    planner.becomeDue(Bell(role: .cue, ordinal: 0, due: due))
    publish()
  }

  /// The recipes of a sit of a programme: the bell that is chosen on this device is that of
  /// `simple`, and every other programme brings its own.
  func recipes(of programme: Programme) -> [BellRecipe] {
    var recipes = programme.bells
    guard programme.isSimple && choices.chosen.contains(.bell) else { return recipes }
    for role in BellRole.ofSit { recipes[Int(role.rawValue)].sound = choices.bell }
    return recipes
  }

  private func order(for length: SitLength) -> Order {
    switch length {
    case .set: return order(for: chosen)
    case .fixed(let span): return .sit(simple, simplePlan(length: span))
    case .open: return .sit(simple, simplePlan(length: nil))
    case .until(let end):
      var plan = simplePlan(length: nil)
      plan.end = end
      return .sit(simple, plan)
    case .programme(let name):
      guard let place = programmes.place(of: name) else {
        return .refused("there is no programme \(name)")
      }
      return order(for: programmes[place])
    }
  }

  private func order(for programme: Programme) -> Order {
    switch programme.length {
    case .set: return .sit(programme, simplePlan(length: setSpan))
    case .fixed, .open: return .sit(programme, programme.plan)
    case .until:
      var plan = programme.plan
      for known in untilEnds where known.programme == programme.name { plan.end = known.end }
      return plan.end == nil ? .refused("the time of day is not known") : .sit(programme, plan)
    }
  }

  private func simplePlan(length: Span?) -> SitPlan {
    var plan = simple.plan
    plan.length = length
    plan.preparation = choices.preparation
    plan.intervals.every = choices.interval
    return plan
  }

  /// Whether a sit that runs elsewhere holds this start off: the next one within `overrideSpan`
  /// goes ahead.
  private mutating func isHeldOff(anyway: Bool) -> Bool {
    guard let elsewhere, !anyway else { return false }
    if let heldOffAt, now < heldOffAt + Appliance.overrideSpan { return false }
    heldOffAt = now
    refuse("start", elsewhere)
    return true
  }

  /// Keeps what was started, for who wants the same again. A time of day is another one tomorrow,
  /// and is not kept.
  private mutating func remember(_ length: SitLength) {
    switch length {
    case .until: break
    case .set where chosen.isSimple: lastLength = .fixed(setSpan)
    case .set: lastLength = .programme(chosen.name)
    case .fixed, .open, .programme: lastLength = length
    }
  }
}

extension Programme {
  /// The recipe of each bell between two segments, in their order.
  func borders(of segments: [Segment]) -> [BellRecipe] {
    var borders: [BellRecipe] = []
    for place in segments.indices.dropFirst() {
      borders.append(border(from: segments[place - 1].kind, to: segments[place].kind))
    }
    return borders
  }
}
