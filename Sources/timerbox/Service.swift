import ALSAOutput
import Appliance
import Bells
import Box
import ControlSocket
import Controls
import LinuxIO
import Sessions
import Settings
import StoreFiles
import Ticks
import Zones

/// The folders a service works in.
struct ServiceFolders {
  /// The device's own.
  var state: String
  /// The one it shares with other boxes.
  var store: String
}

// Invariants:
// - The control thread never waits for a disk, a sound card, a client or a terminal.
// - Time is handed to the box in order: deadlines first, then what was read, each edge at its
//   stamp.
// - A sleep of the machine is told before anything that fell due in it.
// - What the storage thread has no room for waits in `unsent` and is sent again, in its order.

/// The running box: one control thread with one loop, wired to the audio and the storage thread.
struct Service: ~Copyable {
  enum Token: Int {
    case keyboard, screen, audio, storage, journal, hands, cards, surroundings, inhibitor, control
  }

  var box: Box
  var loop: EventLoop
  var front: TerminalFront
  var server: ControlServer?
  var hands: Hands
  var outputs: Outputs
  var audio: AudioThread
  private var soundCards: SoundCardWatch
  /// The thread of an output that was left for another; it ends by itself.
  var retiredAudio: AudioThread?
  /// Until when at most the new output waits for the one that was left.
  var handOverEnd: Instant?
  let storage: StorageThread
  let journal: JournalThread
  var inhibitor = SleepInhibitor(token: Token.inhibitor.rawValue)
  private var surroundings: SurroundingsWatch
  private var sleeps = SleepWatch(Service.sleepOffset)
  /// What was found of a sit that was on when this box ended the last time.
  private let found: FoundJournal
  let sound: SoundParts
  /// What is chosen on this device, in the form of its file.
  var settings: LocalSettings
  var definitions: ServiceDefinitions
  /// What the output can do about a strike that it was not told ahead.
  var readiness = ReadinessWatch()
  /// The names of the outputs, the wanted one first, and why the wanted one is not there.
  var outputNames: [String]
  var lossReason: String?
  /// What the output was ordered last, for another one that takes its place.
  var ordered: (plan: [Strike], ambient: AmbientSound?) = ([], nil)
  let complaints = CalmOutput(.standardError)
  var unsent: [StorageRequest] = []
  /// When the claim was withdrawn that is to be written with the sit that comes next.
  var withdrawnAt: WriteTime?
  /// Sits that no report has said to be on the disk yet.
  var unwritten: [MeditationSession] = []
  /// Who waits for an answer of the storage thread.
  var storeCallers: [Int: ControlCall.Caller] = [:]
  var nextStoreToken = 0
  var refusal: String?
  /// Whether the last command ended a sit that is not kept.
  var isSitDropped = false
  var isEnding = false
  /// Whether this turn has made the box do anything but look at levels.
  var isChanged = true
  /// Whether a sit that is on is left to the next start, and not ended: no hand has ended it.
  var leavesSit = false
  /// Who has changed a sit, and is answered once that is on the disk, or at a time at the latest.
  var sitCallers: [(caller: ControlCall.Caller, answer: ControlAnswer, until: Instant)] = []
  var loopFault: SystemError?
  private var isScreenWatched = false
  /// The reading of the wall clock that the box goes by.
  private var toldWall: WallReading
  /// What was last said of the board's lines and devices.
  private var toldHandFaults: [HandFault] = []
  private var toldFaceSeen: Bool?

  init(
    _ configuration: Configuration, _ board: Board, _ folders: ServiceFolders
  ) throws(VerbError) {
    // Nothing is kept before the last call that can fail: Swift 6.0 cannot unmake half an owner.
    self.init(configuration, board, try ServiceParts(configuration, board, folders))
  }

  private init(
    _ configuration: Configuration, _ board: Board, _ parts: consuming ServiceParts
  ) {
    let now = Clock.bootTime()
    var settings = BoxSettings(appliance: parts.appliance, seed: parts.seed)
    settings.lineNames = board.lineNames
    settings.soundDevice = parts.settings.file.soundDevice
    settings.called = parts.called
    configuration.apply(to: &settings)
    settings.boot = parts.boot
    toldWall = Service.readWall(at: now)
    box = Box(settings: settings, zone: parts.zone, wall: toldWall)
    audio = parts.audio
    storage = parts.storage
    journal = parts.journal
    found = parts.found
    surroundings = parts.surroundings
    sound = parts.sound
    self.settings = parts.settings
    definitions = ServiceDefinitions(configuration)
    soundCards = parts.soundCards
    outputNames = parts.sound.outputs(device: parts.settings.file.soundDevice).map(\.name)
    loop = parts.loop
    server = parts.server
    hands = parts.hands
    outputs = Outputs(board.wiring, at: now)
    front = TerminalFront(isKnob: board.wiring.chip == .simulated)
  }

  /// Runs until a signal or the terminal ends it.
  /// - Returns: what went wrong in the end, as sentences; nothing when every sit is on the disk.
  mutating func run() -> [String] {
    // A deadline is met as it stands, not rounded up by the 50 us that the kernel else allows.
    try? Machine.setFinestTimerSlack()
    front.enter()
    tellClosed(at: box.now)
    for fault in sound.faults {
      handle(.failed(what: fault.what, detail: fault.detail), at: box.now)
    }
    // Before anything that a hand does: it may be meant for the sit that goes on.
    takeUp(found)
    hands.collect(at: Clock.bootTime())
    handIn()
    LocalSocket.notify("READY=1")
    show(at: box.now)
    while !isEnding { turn() }
    return end()
  }

  /// Waits for what comes next.
  private mutating func wait() -> [LoopEvent] {
    // All that is to sound is published by now.
    inhibitor.settle(loop)
    wantTicks()
    do throws(SystemError) {
      try watchScreen()
      try loop.setDeadline(nextDeadline)
      return try loop.wait()
    } catch {
      loopFault = error
      leaveSit()
      return []
    }
  }

  /// One turn of the loop: wait, take time and news in order, do the work, show the state.
  private mutating func turn() {
    let events = wait()
    if isEnding { return }
    let now = Clock.bootTime()
    if let sleep = sleeps.sleep(before: now, Service.sleepOffset) {
      handle(.slept(to: sleep.to), at: max(sleep.from, box.now))
    }
    takeEdges(to: now)
    // What the hands did comes before what a program asks: their edges are older.
    // Before a deadline that they might change they are looked for even if nothing told of them.
    let isDue = [hands.nextDeadline, box.nextDeadline].contains { $0.map { $0 <= now } == true }
    if isDue || events.contains(where: \.isOfHands) { hands.collect(at: now) }
    handIn()
    for event in events { take(event, at: now) }
    if isSoundDue(at: now) { takeAudioReports(at: now) }
    takeEdges(to: now)
    advance(to: now)
    // A look before a deadline may have found edges that came meanwhile.
    handIn()
    answerSitCallers(at: now)
    // Whether the time is known can change without a step of the clock; a look costs nothing here.
    let wasDegraded = box.degraded
    tellWall(at: now)
    // While the knob moves, most turns only look at its levels, and nothing is to be shown.
    let isNews = events.contains { !$0.isOfHands && $0 != .deadline }
    if isNews || isChanged || box.degraded != wasDegraded { show(at: now) }
    drive(at: now)
    isChanged = false
  }

  /// What the keyboard's knob has moved by now, each edge at its own instant: what was due before
  /// the news, and then what the news has moved.
  private mutating func takeEdges(to now: Instant) {
    for edge in front.edges(to: now) { handle(.appliance(.edge(edge)), at: edge.at) }
  }

  /// What the board's lines and devices have to tell, each piece at its own instant.
  private mutating func handIn() {
    while let news = hands.next() {
      // What was read late acts when it is read, and the machine's time never goes back.
      let at = max(news.at ?? box.now, box.now)
      switch news {
      case .edge(let edge):
        // What is due after a late edge waits for the edges behind it, which might change it.
        advance(to: edge.at)
        box.handle(.appliance(.edge(edge)), at: at)
        work()
      case .turned(let detents, _): turn(detents, at: at)
      case .missed(let lines): handle(.appliance(.edgesMissed(lines)), at: at)
      case .lost(let lines): handle(.appliance(.linesLost(lines)), at: at)
      case .taken(let reading): handle(.appliance(.linesTaken(reading)), at: at)
      }
    }
    tellHandFaults(at: box.now)
  }

  /// A device may tell many detents at once; the appliance takes a hand's worth at a time.
  private mutating func turn(_ detents: Int, at instant: Instant) {
    var left = detents
    while left != 0 {
      let part = min(max(left, -Appliance.detentsMax), Appliance.detentsMax)
      handle(.appliance(.turned(part)), at: instant)
      left -= part
    }
  }

  private mutating func tellHandFaults(at now: Instant) {
    let faults = hands.faults
    for told in toldHandFaults where !faults.contains(where: { $0.what == told.what }) {
      handle(.works(what: told.what), at: now)
    }
    for fault in faults where !toldHandFaults.contains(fault) {
      handle(.failed(what: fault.what, detail: "\(fault.text). The timer goes on."), at: now)
    }
    toldHandFaults = faults
  }

  /// A screen that has not taken all of the last face says when it has room for the rest.
  private mutating func watchScreen() throws(SystemError) {
    guard front.isBehind != isScreenWatched else { return }
    if front.isBehind {
      try loop.register(front.target, token: Token.screen.rawValue, for: .writing)
    } else {
      try loop.forget(front.target)
    }
    isScreenWatched = front.isBehind
  }

  private var nextDeadline: Instant? {
    var next = box.nextDeadline
    let others: [Instant?] = [
      front.nextDeadline, hands.nextDeadline, outputs.nextDeadline, audio.nextDeadline,
      retiredAudio?.nextDeadline, handOverEnd, surroundings.nextDeadline,
      sitCallers.first?.until,
    ]
    for case let due? in others { next = min(next ?? due, due) }
    return next
  }

  private mutating func take(_ event: LoopEvent, at now: Instant) {
    switch event {
    case .deadline: break
    case .wallClockChanged:
      surroundings.clockWasSet(at: now)
      tellWall(at: now)
    case .signal(let signal): take(signal)
    case .ready(let token, _, _, let hasHungUp):
      switch Token(rawValue: min(token, Token.control.rawValue)) {
      case .keyboard: take(front.read(at: now), hasHungUp: hasHungUp)
      case .screen: break  // the rest of the face is written when the turn shows the state
      case .audio: takeAudioReports(at: now)
      case .storage: takeStorageAnswers(at: now)
      case .journal: takeJournalReport(at: now)
      case .inhibitor: inhibitor.takeEnd(loop)
      case .surroundings:
        // Whether the time is known now is looked at in each turn.
        if let zone = surroundings.newZone(loop) { handle(.zone(zone), at: now) }
      case .hands: break  // collected before
      case .cards: if soundCards.haveChanged(loop) { retryOutputs() }
      case .control, nil: takeCalls(event, at: now)
      }
    }
  }

  private mutating func take(_ signal: Signal) {
    switch signal {
    // A stop of the service is not the sitter's: an upgrade starts it again, and the sit goes on.
    case .terminate: leaveSit()
    case .interrupt, .quit: isEnding = true
    // The hang-up of a terminal ends what was started in it; without one nobody hung up.
    case .hangUp: if front.hasKeyboard { leaveSit() }
    case .windowSize: front.resize()
    case .stop:
      if front.hasKeyboard && !front.isAway { try? loop.forget(.standardInput) }
      front.leave()
      Machine.stopHere()
      comeBack()
    case .continued: comeBack()
    }
  }

  /// After a stop the terminal is taken again once the shell gives it back. In the background the
  /// box goes on without it.
  private mutating func comeBack() {
    guard front.isAway else { return front.resize() }
    guard !front.hasKeyboard || LentDescriptor.standardInput.isForeground else { return }
    if front.hasKeyboard {
      try? loop.register(.standardInput, token: Token.keyboard.rawValue)
    }
    front.enter()
  }

  // MARK: - Time and news, in order

  /// Hands a piece of news to the box, after all that was due before it.
  mutating func handle(_ event: BoxEvent, at instant: Instant) {
    advance(to: instant)
    box.handle(event, at: instant)
    work()
  }

  mutating func advance(to instant: Instant) {
    while box.advance(to: instant) { work() }
    work()
  }

  /// Somebody who looks wants every second; without a looker nothing wakes the box between bells.
  private mutating func wantTicks() {
    let isWatched = front.isDrawn || server?.isWatched == true
    if isWatched != toldFaceSeen {
      toldFaceSeen = isWatched
      box.handle(.appliance(.faceSeen(isWatched)), at: box.now)
      work()
    }
    guard isWatched != box.appliance.timer.ticksWanted else { return }
    box.handle(.appliance(.ticksWanted(isWatched)), at: box.now)
    work()
  }

  private mutating func show(at now: Instant) {
    let state = box.state(at: now)
    server?.announce(state, loop: loop)
    front.show(state)
  }

  private mutating func drive(at now: Instant) {
    guard outputs.isWired else { return }
    let appliance = box.appliance
    let states = outputs.states(
      at: now, isDark: appliance.isBlackedOut, isCalled: appliance.reminder != nil)
    for (role, isOn) in states {
      hands.lines.set(role, on: isOn)
    }
  }

  /// Tells the wall clock where it is another than was told. One that is slewed, by 0.5 ms a second
  /// at most, is told every two minutes, and so its dates are right to a twentieth of a second.
  private mutating func tellWall(at now: Instant) {
    let reading = Service.readWall(at: now)
    let expected = toldWall.unixNanoseconds + (now - toldWall.at).nanoseconds
    surroundings.looked(at: now, isKnown: reading.isKnown)
    let isSame = abs(reading.unixNanoseconds - expected) < Service.wallDriftNanoseconds
    if isSame && reading.isKnown == toldWall.isKnown { return }
    toldWall = reading
    handle(.wall(reading), at: now)
  }

  private static let wallDriftNanoseconds: Int64 = 50_000_000

  private static func sleepOffset() -> Span { Clock.bootTime(ofMonotonic: 0) - .zero }

  static func readWall(at now: Instant) -> WallReading {
    WallReading(at: now, unixNanoseconds: Clock.wall(), isKnown: Clock.wallIsKnown())
  }
}

extension LoopEvent {
  /// Whether the board's lines or devices have something to tell.
  fileprivate var isOfHands: Bool {
    if case .ready(Service.Token.hands.rawValue, _, _, _) = self { return true }
    return false
  }
}
