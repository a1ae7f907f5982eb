import Controls
import FoundationEssentials
import Glibc
import LinuxIO
import Ticks

/// What was made of the edges, and in what time.
private struct Decoded {
  var seconds: [Double] = []
  var detents = (clockwise: 0, back: 0)
  var presses = 0
  var releases = 0

  private var median: Double { seconds.sorted()[seconds.count / 2] }
  var edgesPerSecond: Double { Double(EdgeList.count) / median }

  var text: String {
    "\(fixed(median, 2)) s, \(fixed(edgesPerSecond, 0)) /s (+\(detents.clockwise) "
      + "-\(detents.back), \(presses))"
  }
}

/// A hand that turns two detents, each either way, and then presses, again and again, without
/// bounce: gpiozero's button takes each bounce for a press.
private struct EdgeList {
  static let count = 100_000
  static let presses = 10_000
  var edges: [Edge] = []
  var detents = (clockwise: 0, back: 0)
  private var now = Instant.zero

  init() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<EdgeList.presses {
      for _ in 0..<2 { turn(isClockwise: generator.below(2) == 1) }
      append(.s, .low, after: 200)
      append(.s, .high, after: 100)
      // What comes next is neither a jog of the release nor a double click.
      now += .milliseconds(400)
    }
    precondition(edges.count == EdgeList.count)
  }

  private mutating func turn(isClockwise: Bool) {
    if isClockwise { detents.clockwise += 1 } else { detents.back += 1 }
    let (first, second): (Line, Line) = isClockwise ? (.a, .b) : (.b, .a)
    append(first, .low, after: 50)
    append(second, .low, after: 5)
    append(first, .high, after: 5)
    append(second, .high, after: 5)
  }

  private mutating func append(_ line: Line, _ level: Level, after milliseconds: Int64) {
    now += .milliseconds(milliseconds)
    edges.append(Edge(line: line, level: level, at: now))
  }

  /// What was aimed at, and whether it was reached.
  func aim(_ decoded: Decoded) -> (text: String, isReached: Bool) {
    let isReached =
      decoded.detents == detents && decoded.presses == EdgeList.presses
      && decoded.releases == EdgeList.presses
    return ("+\(detents.clockwise) -\(detents.back), \(EdgeList.presses)", isReached)
  }
}

private let runs = 5

/// Edges through Controls next to the same edges through gpiozero's own classes, each in a process
/// that does nothing else, and no kernel and no library of lines in either.
func measureDecoding() throws {
  let list = EdgeList()
  var ours = Decoded()
  var looks = 0
  for _ in 0..<runs { looks = decode(list.edges, into: &ours) }
  let name = "Controls, \(EdgeList.count) edges of turns and presses"
  Row(name: name, value: ours.text, aim: list.aim(ours)).write()
  Row(name: "  readings of levels meanwhile", value: "\(looks)", aim: nil).write()
  do throws(Failure) {
    let (version, theirs) = try decodeWithPeer(list.edges)
    Row(name: version + ", the same", value: theirs.text, aim: list.aim(theirs)).write()
    let ratio = ours.edgesPerSecond / theirs.edgesPerSecond
    Row(name: "  ratio", value: "\(fixed(ratio, 1)) times as many", aim: nil).write()
  } catch {
    Row(name: "gpiozero, the same", value: "not measured: \(error)", aim: nil).write()
  }
}

/// The steps of the service: what is due before an edge, each look answered with the true levels,
/// the edge, and every input taken.
/// - Returns: how many looks there were.
private func decode(_ edges: [Edge], into decoded: inout Decoded) -> Int {
  var controls = Controls()
  var levels = LineLevels.rest
  var looks = 0
  decoded = Decoded(seconds: decoded.seconds)
  func take(at instant: Instant) {
    while true {
      while let input = controls.nextInput() { decoded.count(input) }
      guard let lines = controls.nextLook() else { return }
      looks += 1
      controls.handle(LevelReading(lines: lines, levels: levels, at: instant))
    }
  }
  let begin = Clock.monotonic()
  for edge in edges {
    while let due = controls.nextDeadline, due <= edge.at {
      controls.advance(to: due)
      take(at: due)
    }
    levels[edge.line] = edge.level
    controls.handle(edge)
    take(at: edge.at)
  }
  while let due = controls.nextDeadline {
    controls.advance(to: due)
    take(at: due)
  }
  decoded.seconds.append(Double(Clock.monotonic() - begin) / 1e9)
  return looks
}

extension Decoded {
  fileprivate mutating func count(_ input: Input) {
    switch input.kind {
    case .detent(let step, _, _):
      if step > 0 { detents.clockwise += 1 } else { detents.back += 1 }
    case .press: presses += 1
    case .release: releases += 1
    default: break
    }
  }
}

/// gpiozero's own encoder and button on its own mock pins, which call what a real pin calls. The
/// list is read before the time begins; it prints the times, the counts and the versions.
private let peerProgram = """
  import platform, sys, time
  from importlib.metadata import version
  from gpiozero import Button, Device, RotaryEncoder
  from gpiozero.pins.mock import MockFactory
  Device.pin_factory = MockFactory()
  knob, button = RotaryEncoder(17, 27, max_steps=0), Button(22)
  counts = [0, 0, 0, 0]
  def counter(index):
      def count():
          counts[index] += 1
      return count
  knob.when_rotated_clockwise, knob.when_rotated_counter_clockwise = counter(0), counter(1)
  button.when_pressed, button.when_released = counter(2), counter(3)
  pins = {"A": 17, "B": 27, "S": 22}
  drives = []
  for line in open(sys.argv[1]):
      pin = Device.pin_factory.pin(pins[line[0]])
      drives.append(pin.drive_high if line[1] == "1" else pin.drive_low)
  times = []
  for run in range(int(sys.argv[2])):
      counts[:] = [0, 0, 0, 0]
      begin = time.perf_counter()
      for drive in drives:
          drive()
      times.append(time.perf_counter() - begin)
  print("gpiozero", version("gpiozero"), "on Python", platform.python_version())
  print(*counts)
  print(*times)
  """

private func decodeWithPeer(_ edges: [Edge]) throws(Failure) -> (String, Decoded) {
  let folder = try temporaryFolder()
  defer { try? FileManager.default.removeItem(atPath: folder) }
  // Where packages come from can be set by the environment.
  let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
  func run(_ program: String, _ words: [String], orElse reason: String) throws(Failure) {
    let process = try spawn(program, words, environment: environment)
    guard exitStatus(of: process) == 0 else { throw Failure(reason) }
  }
  try run("python3", ["-m", "venv", folder + "/venv"], orElse: "python3 makes no environment")
  let install = ["install", "--quiet", "--timeout", "15", "--retries", "1", "gpiozero==2.0.1"]
  try run(folder + "/venv/bin/pip", install, orElse: "pip cannot get gpiozero 2.0.1 from PyPI")
  let text = edges.reduce(into: "") { text, edge in
    text.unicodeScalars.append(UnicodeScalar(edge.line.letter))
    text += "\(edge.level.rawValue)\n"
  }
  guard FileManager.default.createFile(atPath: folder + "/edges", contents: Data(text.utf8)) else {
    throw Failure("\(folder)/edges cannot be written")
  }
  let words = ["-c", peerProgram, folder + "/edges", "\(runs)"]
  let lines = try Child(folder + "/venv/bin/python", words).output().split(separator: "\n")
  let counts = lines.dropFirst().first?.split(separator: " ").compactMap { Int($0) } ?? []
  let seconds = lines.last?.split(separator: " ").compactMap { Double($0) } ?? []
  guard lines.count == 3, counts.count == 4, seconds.count == runs else {
    throw Failure("gpiozero printed \(lines)")
  }
  let decoded = Decoded(
    seconds: seconds, detents: (counts[0], counts[1]), presses: counts[2], releases: counts[3])
  return (String(lines[0]), decoded)
}
