import Box
import Controls
import LinuxIO
import TerminalFace
import Ticks

// Invariants:
// - The terminal is as it was on every way out: `RawTerminal` sees to it, also in a crash.
// - A terminal that takes nothing (stopped, or gone) holds nobody up: what it does not take at once
//   waits here, and no further face is drawn until it is gone.

/// The terminal as the box's front: its keyboard is the knob, and the face is drawn in it.
struct TerminalFront: ~Copyable {
  private let style: FaceStyle
  private let screen: CalmOutput
  /// What is written to; good as long as `screen` lives.
  let target: LentDescriptor
  private var raw: RawTerminal?
  private var reader = KeyReader()
  private var knob = KeyboardKnob()
  private var drawn: [String]?
  private var lastPlainLine = ""
  private var waiting: [UInt8] = []

  /// Whether the terminal was given back, for as long as the shell has it.
  private(set) var isAway = true

  /// Whether there is a keyboard to read from standard input.
  let hasKeyboard: Bool

  /// Whether the keyboard is the knob; otherwise it can only end the box.
  private let isKnob: Bool

  init(isKnob: Bool) {
    self.isKnob = isKnob
    let screen = CalmOutput(.standardOutput)
    self.screen = screen
    target = screen.target
    hasKeyboard = LentDescriptor.standardInput.isTerminal
    let isTerminal = LentDescriptor.standardOutput.isTerminal
    style = FaceStyle.chosen(isTerminal: isTerminal, environment: Machine.environment)
  }

  /// Whether the face is drawn in place, so that it wants every second.
  var isDrawn: Bool { style != .plain }

  /// Whether something waits for room on the screen.
  var isBehind: Bool { !waiting.isEmpty }

  /// When a key's edge is due.
  var nextDeadline: Instant? { knob.nextDeadline }

  /// Takes the terminal, once at the start and after each `leave`: keys arrive at once and unseen,
  /// and the face gets a screen of its own.
  mutating func enter() {
    if hasKeyboard {
      raw = try? RawTerminal(.standardInput, leave: isDrawn ? Face.leave : [])
    }
    isAway = false
    drawn = nil
    if isDrawn { put(Face.enter) }
  }

  /// Gives the terminal back.
  mutating func leave() {
    if isAway { return }
    isAway = true
    if raw == nil && isDrawn { put(Face.leave) }
    raw = nil
  }

  /// The window has another size.
  mutating func resize() {
    drawn = nil
  }

  /// What became of the terminal as it was read.
  enum Reading {
    case goesOn
    /// Its user wants to end the box.
    case left
    /// It has hung up.
    case gone
  }

  /// Reads what was typed.
  mutating func read(at now: Instant) -> Reading {
    do throws(SystemError) {
      guard let bytes = try LentDescriptor.standardInput.read(limit: 4_096) else { return .goesOn }
      if bytes.isEmpty { return .gone }
      for key in reader.read(bytes) {
        if key == .quit { return .left }
        if isKnob { knob.handle(key, at: now) }
      }
      return .goesOn
    } catch {
      return .gone
    }
  }

  /// The edges that the keyboard's knob has made by now, in order.
  mutating func edges(to now: Instant) -> [Edge] {
    knob.advance(to: now).map { Edge($0) }
  }

  /// Shows a state; nothing is written that has not changed.
  mutating func show(_ state: StateLine) {
    flush()
    guard waiting.isEmpty, !(isAway && isDrawn) else { return }
    guard case .drawn(let palette) = style else {
      let line = Face.plainLine(state)
      if line != lastPlainLine { put(Array((line + "\n").utf8)) }
      lastPlainLine = line
      return
    }
    let size = LentDescriptor.standardOutput.terminalSize()
    let lines = Face.lines(
      state, columns: size?.columns ?? 80, rows: size?.rows ?? 24, palette: palette)
    let frame = Face.frame(lines, after: drawn, palette: palette)
    drawn = lines
    put(frame)
  }

  private mutating func put(_ bytes: [UInt8]) {
    waiting += bytes
    flush()
  }

  private mutating func flush() {
    if !waiting.isEmpty { waiting.removeFirst(screen.write(waiting)) }
  }
}

extension Edge {
  /// The edge that the keyboard's knob has made.
  init(_ edge: KnobEdge) {
    let line: Line =
      switch edge.line {
      case .a: .a
      case .b: .b
      case .s: .s
      }
    self.init(line: line, level: edge.level == 0 ? .low : .high, at: edge.at)
  }
}
