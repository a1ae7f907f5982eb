import Controls
import GPIOInput
import InputDevices
import LinuxIO
import Settings
import Ticks

/// A piece of news from the board's lines and input devices.
enum HandNews {
  case edge(Edge)
  case turned(Int, at: Instant)
  /// Edges of these lines may have been lost.
  case missed(LineSet)
  case lost(LineSet)
  case taken(LevelReading)

  /// When it happened; nil where it is so as of when it was read.
  var at: Instant? {
    switch self {
    case .edge(let edge): edge.at
    case .turned(_, let at): at
    case .missed, .lost, .taken: nil
    }
  }

  var line: Line? {
    if case .edge(let edge) = self { edge.line } else { nil }
  }
}

/// Something that is wrong with a line or a device.
struct HandFault: Equatable {
  /// What it is about.
  var what: String
  /// What is wrong and the cure, with no word yet of what goes on.
  var text: String
}

// Invariants:
// - News comes out in the order in which it is to be handed in: by its stamps over both sources, a
//   line's edges before the levels that it was taken with.
// - A reading never speaks of a line that has edges still to be handed in.
// - What is wrong with a line or a device is a fault; nothing here throws after the start.

/// Everything that a hand moves on this board: lines of its chip, and Linux input devices.
struct Hands: ~Copyable {
  /// The chip's lines, and the outputs beside them.
  var lines: GPIOInput
  private var devices: InputDevices
  private var waiting: [HandNews] = []
  private var lineFaults: [HandFault] = []

  init(lines: consuming GPIOInput, devices: consuming InputDevices) {
    self.lines = lines
    self.devices = devices
  }

  static func open(_ board: Board) throws(VerbError) -> Hands {
    let lines = try ServiceParts.system { () throws(SystemError) in try GPIOInput(board.wiring) }
    do throws(InputDeviceError) {
      return Hands(lines: lines, devices: try InputDevices.open(board.inputDevices))
    } catch {
      throw VerbError(status: .configuration, message: error.description)
    }
  }

  /// Registers both sources with a loop.
  func register(_ loop: borrowing EventLoop, token: Int) throws(SystemError) {
    try loop.register(lines.lent, token: token)
    try loop.register(devices.descriptor, token: token)
  }

  /// When `collect(at:)` must be called at the latest.
  var nextDeadline: Instant? { lines.nextDeadline }

  /// What is wrong now, one a subject.
  var faults: [HandFault] {
    let all = lineFaults + devices.faults.map { HandFault(what: $0.subject, text: $0.description) }
    return all.reduce(into: []) { faults, fault in
      // Two devices may have one name.
      if let index = faults.firstIndex(where: { $0.what == fault.what }) {
        faults[index].text += "; \(fault.text)"
      } else {
        faults.append(fault)
      }
    }
  }

  /// Reads what there is, and puts it in order behind what waits.
  mutating func collect(at now: Instant) {
    let news = lines.read(at: now)
    let others = devices.read(at: now)
    if let faults = news.faults {
      lineFaults = faults.map { HandFault(what: $0.subject, text: $0.description) }
    }
    var edges = news.edges.map { HandNews.edge($0) }
    for other in others { take(other, into: &edges) }
    // Both lists are in order; a stable sort keeps edges of one instant as they came.
    let sorted = edges.enumerated().sorted { left, right in
      let (a, b) = (left.element.at ?? now, right.element.at ?? now)
      return a == b ? left.offset < right.offset : a < b
    }
    waiting += sorted.map(\.element)
    if !news.gap.isEmpty { waiting.append(.missed(news.gap)) }
    if !news.lost.isEmpty { waiting.append(.lost(news.lost)) }
    if let taken = news.taken { waiting.append(.taken(taken)) }
  }

  /// The oldest news that was not handed in yet.
  mutating func next() -> HandNews? { waiting.isEmpty ? nil : waiting.removeFirst() }

  /// Looks at lines: the levels as they are now, but of no line whose edges are still to come.
  mutating func look(at asked: LineSet, now: Instant) -> LevelReading {
    let open = asked.subtracting(waitingLines)
    guard !open.isEmpty else { return LevelReading(lines: [], levels: .rest, at: now) }
    // The kernel stamps an edge before it tells of it. A level that is read to be the same twice,
    // with nothing told between, is most likely behind no edge that is on its way.
    let first = lines.levels(of: open)
    collect(at: Clock.bootTime())
    var reading = lines.levels(of: open)
    for line in reading.lines.lines where first.levels[line] != reading.levels[line] {
      reading.lines.remove(LineSet(line))
    }
    collect(at: Clock.bootTime())
    add(devices.levels(of: open), to: &reading)
    reading.lines.subtract(waitingLines)
    return reading
  }

  /// A line is low while any source holds it low.
  private func add(_ other: LevelReading, to reading: inout LevelReading) {
    for line in other.lines.lines {
      if reading.lines.contains(line) && other.levels[line] == .high { continue }
      reading.levels[line] = other.levels[line]
      reading.lines.insert(LineSet(line))
    }
  }

  private var waitingLines: LineSet {
    waiting.reduce(into: LineSet()) { set, news in
      if let line = news.line { set.insert(LineSet(line)) }
    }
  }

  private mutating func take(_ news: InputDeviceNews, into edges: inout [HandNews]) {
    switch news {
    case .edge(let edge): edges.append(.edge(edge))
    case .turned(let detents, let at): edges.append(.turned(detents, at: at))
    case .found(_, let lines):
      // A key that is down already is no press until it was let go.
      var held = devices.levels(of: lines)
      for line in held.lines.lines where held.levels[line] == .high {
        held.lines.remove(LineSet(line))
      }
      if !held.lines.isEmpty { edges.append(.taken(held)) }
    case .lost(_, let released):
      // No hand let these go: what they held is dropped, and makes no click.
      if !released.isEmpty { edges.append(.lost(released)) }
    }
  }
}
