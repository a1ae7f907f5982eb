import Appliance
import Bells
import Box
import Controls
import Glibc
import Sessions
import Ticks
import TimerMachine
import Zones

/// A box in virtual time that keeps what it asks for.
struct BoxBench {
  var box: Box
  var saved: [MeditationSession] = []
  var choices: [DeviceChoices] = []
  var called: [CalledDays] = []
  var changes: [(change: SessionChange, id: Identity, at: Instant)] = []
  var faults: [Fault] = []
  /// The strikes that were ordered last. Nothing rings them.
  var plan: [PlannedStrike] = []
  /// Those with a sit that is on.
  var journals: [(journal: SitJournal, isDurable: Bool)] = []
  /// What the journal's file holds; nil for none.
  var file: Journal?
  var erasures = 0
  var claims: [SitClaim?] = []
  var edits: [(id: Identity, edit: SitEdit)] = []
  var deletions: [Identity] = []
  var inhibits: [Bool] = []
  var calls: [String] = []
  var refusals: [String] = []
  /// All work but the appliance's, in order, in one word each.
  var work: [String] = []
  /// The instants at which a save was to be tried again.
  var retries: [Instant] = []
  var now = Instant.zero

  /// - Parameters:
  ///   - start: seconds since 1970 that the wall clock shows as the box begins to run.
  ///   - began: the instant of that.
  init(
    start: Int64 = 1_767_247_200, isKnown: Bool = true, zone: ZoneRules = .utc, seed: UInt64 = 7,
    began: Instant = .zero, boot: UInt64 = 1,
    _ set: (inout ApplianceSettings) -> Void = { _ in },
    box change: (inout BoxSettings) -> Void = { _ in }
  ) {
    var appliance = ApplianceSettings()
    set(&appliance)
    var settings = BoxSettings(appliance: appliance, seed: seed)
    settings.boot = Identity(randomHigh: boot, low: boot)
    change(&settings)
    box = Box(
      settings: settings, zone: zone,
      wall: WallReading(at: began, unixNanoseconds: start * 1_000_000_000, isKnown: isKnown))
    now = began
    drain()
  }

  mutating func advance(to instant: Instant) {
    while let due = box.nextDeadline, due <= instant {
      now = max(now, due)
      while box.advance(to: now) { drain() }
    }
    now = max(now, instant)
    while box.advance(to: now) { drain() }
    drain()
  }

  mutating func handle(_ event: BoxEvent, at instant: Instant) {
    advance(to: instant)
    box.handle(event, at: instant)
    drain()
    advance(to: instant)
  }

  mutating func start(_ length: SitLength = .set, at instant: Instant) {
    handle(.appliance(.command(.start(length))), at: instant)
  }

  mutating func command(_ event: TimerEvent, at instant: Instant) {
    handle(.appliance(.command(.timer(event))), at: instant)
  }

  /// The output tells what became of a strike.
  mutating func report(
    _ strike: PlannedStrike, _ outcome: StrikeReport.Outcome, at instant: Instant
  ) {
    let report = StrikeReport(number: strike.strike.number, started: instant, outcome: outcome)
    handle(.appliance(.strike(report)), at: instant)
  }

  /// Sets the wall clock: seconds since 1970 that it shows at an instant.
  mutating func wall(_ seconds: Int64, isKnown: Bool = true, at instant: Instant) {
    let reading = WallReading(
      at: instant, unixNanoseconds: seconds * 1_000_000_000, isKnown: isKnown)
    handle(.wall(reading), at: instant)
  }

  /// The store says that it has a sit on the disk.
  mutating func keep(_ id: Identity, at instant: Instant) {
    handle(.store([.written(bytes: 1, sits: 1), .kept(id)]), at: instant)
  }

  private mutating func drain() {
    while let action = box.nextAction() {
      if let word = action.word { work.append(word) }
      switch action {
      case .appliance(.readLevels):
        let nothing = LevelReading(lines: [], levels: .rest, at: box.now)
        box.handle(.appliance(.levels(nothing)), at: box.now)
      case .appliance(.plan(let strikes)): plan = strikes
      case .appliance(.notice(.reminder(let name?), _)): calls.append(name)
      case .appliance(.notice(.refused(_, let reason), _)): refusals.append(reason)
      case .appliance: break
      case .session(let change, let id, let instant): changes.append((change, id, instant))
      case .save(let session): saved.append(session)
      case .retrySave: retries.append(now)
      case .saveChoices(let chosen): choices.append(chosen)
      case .called(let days): called.append(days)
      case .fault(let fault, _): faults.append(fault)
      case .journal(let journal, let isDurable):
        file = journal
        if let running = journal.running { journals.append((running, isDurable)) }
      case .eraseJournal:
        file = nil
        erasures += 1
      case .claim(let claim, _): claims.append(claim)
      case .edit(let id, let edit, _): edits.append((id, edit))
      case .delete(let id, _): deletions.append(id)
      case .inhibitSleep(let isInhibited): inhibits.append(isInhibited)
      }
    }
  }
}

extension BoxAction {
  /// What it is, in a word; nil for what is no step of a sit's end.
  var word: String? {
    switch self {
    case .appliance(.plan(let strikes)): strikes.isEmpty ? "cancel" : nil
    case .appliance(.sitting(let isSitting)): isSitting ? nil : "quiet"
    case .journal: "journal"
    case .eraseJournal: "erase"
    case .claim(nil, _): "withdraw"
    case .claim: "claim"
    case .save: "save"
    case .edit: "edit"
    case .delete: "delete"
    default: nil
    }
  }
}

func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }
func at(ms milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }
let nanosecond = Span(nanoseconds: 1)

struct MissingZoneFile: Error { let name: String }

/// A zone of this machine. A machine without tzdata fails the test.
func zone(_ name: String) throws -> ZoneRules {
  guard let file = fopen("/usr/share/zoneinfo/" + name, "rb") else {
    throw MissingZoneFile(name: name)
  }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 65_536)
  let count = fread(&bytes, 1, bytes.count, file)
  return try ZoneRules(tzif: Array(bytes[..<count]))
}
