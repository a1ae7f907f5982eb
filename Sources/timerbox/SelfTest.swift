import ALSAOutput
import Bells
import Controls
import LinuxIO
import Settings
import TerminalFace
import Ticks

extension Verb {
  static let selfTest = Verb(
    "selftest", "[--board NAME|FILE|auto]", "hear a bell, see each detent and press as it comes",
    details: """
      Without --board it tries this machine's own board, else the simulated one, whose knob is the
      keyboard. It rings once, on the output that the service would take, and then shows what the
      hands do until q or a signal ends it. The service must not run at the same time: it has the
      lines.
      """
  ) { options throws(VerbError) in
    let board = try DevicesVerb.board(options) ?? .simulated
    let configuration = try Places.configuration(options, board: board)
    for warning in Places.warnings(of: board) { Output.complain("timerbox: \(warning)") }
    let settings = LocalSettings.look(state: Places.stateFolder(options)).file
    var test = try SelfTest(configuration, board, device: settings.soundDevice)
    try test.run()
    return .done
  }
}

/// The hands and the bell of a board without the box between them.
struct SelfTest: ~Copyable {
  private enum Token: Int { case keyboard, hands, audio }

  private var loop: EventLoop
  private var hands: Hands
  private let audio: AudioThread
  private var controls: Controls
  private var raw: RawTerminal?
  private var reader = KeyReader()
  private var knob = KeyboardKnob()
  private let isKnob: Bool
  private let began: Instant
  private var toldFaults: [HandFault] = []
  private var toldLoss: ALSAOutputError?
  private var now: Instant
  private var masked: LineSet = []
  /// Whether somebody wants the end, or nobody reads on.
  private var isOver = false

  private init(
    loop: consuming EventLoop, hands: consuming Hands, audio: AudioThread,
    _ configuration: Configuration, isKnob: Bool
  ) {
    self.loop = loop
    self.hands = hands
    self.audio = audio
    self.isKnob = isKnob
    controls = Controls(settings: configuration.appliance.controls, phase: .paused)
    began = Clock.bootTime()
    now = began
  }

  /// - Parameter device: the sound device that was chosen on this device, if one was.
  init(_ configuration: Configuration, _ board: Board, device: String?) throws(VerbError) {
    let loop = try ServiceParts.system { () throws(SystemError) in try EventLoop() }
    let hands = try Hands.open(board)
    let audio = try SoundParts(configuration, board, state: nil)
      .audio(device: device, volumes: configuration.appliance.volumes)
    let isKnob = board.wiring.chip == .simulated
    try ServiceParts.system { () throws(SystemError) in
      try hands.register(loop, token: Token.hands.rawValue)
      try loop.register(
        LentDescriptor(number: audio.reportDescriptor), token: Token.audio.rawValue)
      if LentDescriptor.standardInput.isTerminal {
        try loop.register(.standardInput, token: Token.keyboard.rawValue)
      }
    }
    self.init(
      loop: loop, hands: hands, audio: audio, configuration, isKnob: isKnob)
    Output.write("board \(board.name); q or ctrl-C ends\n")
  }

  /// Runs until a signal or the terminal ends it.
  mutating func run() throws(VerbError) {
    // It is given back as this ends, also by an error.
    raw = try? RawTerminal(.standardInput, leave: [])
    ring()
    var fault: VerbError?
    do throws(VerbError) { while try !turn() {} } catch { fault = error }
    audio.finish()
    audio.waitForClosing(until: Clock.bootTime() + .seconds(1))
    hands.lines.set(.amp, on: false)
    try? audio.stop(within: .seconds(1))
    raw = nil
    if let fault { throw fault }
  }

  /// One turn of the loop: what was read comes before what is due after it.
  /// - Returns: whether it was the last.
  private mutating func turn() throws(VerbError) -> Bool {
    takeHands()
    takeKnob()
    advance(to: Clock.bootTime())
    takeHands()
    if isOver { return true }
    for event in try wait() { isOver = take(event) || isOver }
    return isOver
  }

  private mutating func wait() throws(VerbError) -> [LoopEvent] {
    var next = controls.nextDeadline
    for case let due? in [hands.nextDeadline, knob.nextDeadline] { next = min(next ?? due, due) }
    do throws(SystemError) {
      try loop.setDeadline(next)
      return try loop.wait()
    } catch {
      throw VerbError(status: .inputOutput, message: error.description)
    }
  }

  /// - Returns: whether this was the end.
  private mutating func take(_ event: LoopEvent) -> Bool {
    switch event {
    case .signal(.terminate), .signal(.interrupt), .signal(.quit), .signal(.hangUp): return true
    case .signal, .deadline, .wallClockChanged: return false
    case .ready(let token, _, _, let hasHungUp):
      switch Token(rawValue: token) {
      case .hands: break  // taken at the beginning of each turn
      case .audio: takeAudio()
      case .keyboard: return !readKeys() || hasHungUp
      case nil: break
      }
      return false
    }
  }

  // MARK: Sound

  private mutating func ring() {
    let due = Clock.bootTime() + audio.traits.leadIn + .seconds(1)
    audio.send(plan: [Strike(number: 1, sound: 0, due: due, gain: 1)])
  }

  private mutating func takeAudio() {
    for report in audio.takeReports() {
      switch report {
      case .opened(let opening):
        // The amplifier sounds once silence runs.
        hands.lines.set(.amp, on: true)
        say("sound", "\(opening.format.rateHertz) Hz")
      case .strike(let strike): say("bell", strike.outcome == .missed ? "missed" : "rung")
      case .lost(let error, _):
        // A lost card is tried again by and by; it is told once.
        if error != toldLoss { say("sound", error.description) }
        toldLoss = error
        hands.lines.set(.amp, on: false)
      case .running: break
      case .closing, .closed: hands.lines.set(.amp, on: false)
      }
    }
    for warning in audio.takeWarnings() { say("sound", warning.description) }
  }

  // MARK: Hands

  private mutating func takeHands() {
    hands.collect(at: Clock.bootTime())
    while let news = hands.next() {
      let at = max(news.at ?? now, now)
      advance(to: at)
      switch news {
      case .edge(let edge): controls.handle(edge)
      case .turned(let detents, _): controls.turn(by: detents, at: at)
      case .missed(let lines):
        say("lines", "edges were lost: \(names(lines))")
        controls.missed(lines, at: at)
      case .lost(let lines):
        say("lines", "lost: \(names(lines))")
        controls.lose(lines, at: at)
      case .taken(let reading):
        say("lines", "read: \(names(reading.lines))")
        controls.take(reading)
      }
      show()
    }
    let faults = hands.faults
    for fault in faults where !toldFaults.contains(fault) { say("fault", fault.text) }
    toldFaults = faults
  }

  private mutating func takeKnob() {
    for edge in knob.advance(to: Clock.bootTime()) {
      advance(to: edge.at)
      controls.handle(Edge(edge))
      show()
    }
  }

  /// - Returns: false when the terminal has gone or its user wants to end.
  private mutating func readKeys() -> Bool {
    guard let read = try? LentDescriptor.standardInput.read(limit: 4_096) else { return true }
    if read.isEmpty { return false }
    let at = Clock.bootTime()
    for key in reader.read(read) {
      if key == .quit { return false }
      if isKnob { knob.handle(key, at: at) }
    }
    takeKnob()
    return true
  }

  private mutating func advance(to instant: Instant) {
    while let due = controls.nextDeadline, due <= instant {
      now = max(now, due)
      controls.advance(to: due)
      show()
    }
    now = max(now, instant)
  }

  /// Shows what was decided, and answers looks.
  private mutating func show() {
    while true {
      while let input = controls.nextInput() { say("\(input.button.name)", text(input)) }
      while let noise = controls.nextNoise() {
        say("lines", "\(noise.line.name) is \(noise.isNoisy ? "noisy and ignored" : "quiet")")
      }
      if controls.masked != masked {
        masked = controls.masked
        hands.lines.mask(masked)
      }
      guard let lines = controls.nextLook() else { return }
      controls.handle(hands.look(at: lines, now: now), at: now)
    }
  }

  private func text(_ input: Input) -> String {
    guard case .detent(let step, let isFast, let isHeld) = input.kind else {
      return "\(input.kind.name)"
    }
    return (step > 0 ? "+1" : "-1") + (isFast ? " fast" : "") + (isHeld ? " held" : "")
  }

  private func names(_ lines: LineSet) -> String {
    lines.lines.map { "\($0.name)" }.joined(separator: " ")
  }

  /// One line: when, in milliseconds since the start, what, and how.
  private mutating func say(_ what: String, _ how: String) {
    let milliseconds = (now - began).nanoseconds / 1_000_000
    let end = LentDescriptor.standardOutput.isTerminal ? "\r\n" : "\n"
    let line = "\("\(milliseconds)".padded(to: 8)) \(what.padded(to: 8)) \(how)\(end)"
    if !Output.write(Array(line.utf8)) { isOver = true }
  }
}
