import Controls
import Testing
import Ticks
import TimerMachine

/// Edges as a bad day brings them: bounce, taps, holds, turns, equal levels, on five lines.
private func randomEdges(_ random: inout SeededGenerator, count: Int) -> [Edge] {
  let lines: [Line] = [.a, .b, .a, .b, .s, .s, .s, .left, .play]
  let longestGaps: [UInt64] = [300, 4_000, 12_000, 40_000, 120_000, 400_000, 900_000]
  var now = Instant.zero
  return (0..<count).map { _ in
    let longest = longestGaps[Int(random.below(UInt64(longestGaps.count)))]
    now += .microseconds(Int64(random.below(longest)))
    let line = lines[Int(random.below(UInt64(lines.count)))]
    return Edge(line: line, level: random.below(2) == 0 ? .low : .high, at: now)
  }
}

/// The phase changes with the run of time alone here, every 700 ms: what a panel does is not the
/// controls' business, but the phase of each press is.
private func phase(_ number: Int) -> (phase: Phase, at: Instant) {
  let phases = Phase.allCases
  return (phases[number % phases.count], at(microseconds: Int64(number) * 700_000))
}

/// Reads at the given instants, each time all edges there are; the last instant ends the run.
private func inputs(_ edges: [Edge], readAt instants: [Instant]) -> [Input] {
  var bench = Bench(phase: .idle)
  var unread = edges[...]
  var phaseNumber = 1
  func enterPhases(upTo instant: Instant) {
    while phase(phaseNumber).at <= instant {
      bench.advance(phase(phaseNumber).at)
      bench.controls.enter(phase(phaseNumber).phase, at: phase(phaseNumber).at)
      phaseNumber += 1
    }
  }
  for instant in instants {
    let batch = unread.prefix { $0.at <= instant }
    unread = unread.dropFirst(batch.count)
    // A line cannot be looked at before the last of its edges is handed in.
    let last = Dictionary(batch.indices.map { (batch[$0].line, $0) }) { $1 }
    bench.unreadable = LineSet(last.keys.map { LineSet($0) })
    for (index, edge) in zip(batch.indices, batch) {
      enterPhases(upTo: edge.at)
      bench.take(edge) { if last[edge.line] == index { $0.remove(LineSet(edge.line)) } }
    }
    enterPhases(upTo: instant)
    bench.advance(instant)
  }
  #expect(unread.isEmpty && bench.controls.droppedCount == 0)
  return bench.inputs
}

@Test(arguments: 0..<60 as Range<UInt64>)
func batching_anyReadingThatIsNotLate_givesTheSameInputs(seed: UInt64) {
  var random = SeededGenerator(seed: seed)
  let edges = randomEdges(&random, count: 400)
  guard let end = edges.last.map({ $0.at + .seconds(2) }) else { return }
  let prompt = inputs(edges, readAt: edges.map(\.at) + [end])
  #expect(prompt.count > 100)
  for longestGap in [2_000, 30_000, 500_000, 5_000_000] as [UInt64] {
    var instants: [Instant] = []
    var now = Instant.zero
    while now < end {
      instants.append(now)
      now += .microseconds(Int64(random.below(longestGap)) + 1)
    }
    #expect(inputs(edges, readAt: instants + [end]) == prompt)
  }
}

/// Presses and releases by a plainer rule: a level counts if nothing follows it within the span.
private func settledChanges(_ edges: [Edge], line: Line) -> [Instant] {
  let own = edges.filter { $0.line == line }
  var changes: [Edge] = []
  for edge in own where edge.level != (changes.last?.level ?? .high) { changes.append(edge) }
  var settled: [Edge] = []
  for (index, edge) in changes.enumerated() {
    let isStable =
      index + 1 == changes.count || changes[index + 1].at - edge.at >= .milliseconds(10)
    if isStable && edge.level != (settled.last?.level ?? .high) { settled.append(edge) }
  }
  return settled.map(\.at)
}

/// How long a level must last that began at an instant: longer where the line has chattered for
/// longer than contacts bounce, each edge less than 25 ms after the one before.
private func steadySpan(_ edges: [Edge], line: Line, at: Instant) -> Span {
  var began = at
  for edge in edges.reversed() where edge.line == line && edge.at < at {
    guard began - edge.at < .milliseconds(25) else { break }
    began = edge.at
  }
  return at - began >= .milliseconds(50) ? .milliseconds(25) : .milliseconds(10)
}

@Test(arguments: 100..<140 as Range<UInt64>)
func gestures_randomEdges_keepTheLaws(seed: UInt64) {
  var random = SeededGenerator(seed: seed)
  let edges = randomEdges(&random, count: 400)
  let end = at(microseconds: 400_000_000)
  let found = inputs(edges, readAt: edges.map(\.at) + [end])
  #expect(zip(found, found.dropFirst()).allSatisfy { $0.decidedAt <= $1.decidedAt })
  for button in [Button.crown, .left, .play] {
    let own = found.filter { $0.button == button }
    let changes = own.filter { $0.kind == .press || $0.kind == .release }
    #expect(changes.map(\.at) == settledChanges(edges, line: button.line))
    #expect(
      changes.allSatisfy {
        $0.decidedAt == $0.at + steadySpan(edges, line: button.line, at: $0.at)
      })
    #expect(changes.enumerated().allSatisfy { $1.kind == ($0 % 2 == 0 ? .press : .release) })
    expectOneGesture(own)
  }
}

/// Each released press accounts for exactly one of: a click, half a double, a long press or
/// repeats, a turn.
private func expectOneGesture(_ inputs: [Input]) {
  var isHeld = false
  var spent = false
  var owed = 0
  for input in inputs {
    switch input.kind {
    case .press: (isHeld, spent) = (true, false)
    case .release:
      owed += spent ? 0 : 1
      isHeld = false
    case .click: owed -= 1
    case .double: owed -= 2
    case .long, .repeat:
      #expect(isHeld)
      spent = true
    case .detent(_, _, let whileHeld):
      #expect(whileHeld == isHeld)
      spent = spent || whileHeld
    }
    #expect((0...2).contains(owed))
  }
  #expect(owed == 0)
}

@Test func turning_mirrored_givesTheOppositeSteps() {
  for mode in DetentsPerCycle.allCases {
    var random = SeededGenerator(seed: 7)
    var bench = Bench(settings(mode))
    var mirrored = Bench(settings(mode))
    for edge in randomEdges(&random, count: 2_000) where edge.line == .a || edge.line == .b {
      bench.take(edge)
      let other: Line = edge.line == .a ? .b : .a
      mirrored.take(Edge(line: other, level: edge.level, at: edge.at))
    }
    let steps = bench.inputs.map { $0.kind }
    #expect(steps.count > 20)
    #expect(mirrored.inputs.map { opposite($0.kind) } == steps)
  }
}

private func opposite(_ kind: Input.Kind) -> Input.Kind {
  guard case .detent(let step, let isFast, let isHeld) = kind else { return kind }
  return .detent(step: -step, isFast: isFast, isHeld: isHeld)
}

@Test func lateEdge_afterTheLongPressItWouldHaveStopped_actsWhenRead() {
  var bench = Bench()
  bench.play("0:S0")
  bench.advance(at(microseconds: 600_000))
  bench.play("599999:S1")
  bench.advance(at(microseconds: 700_000))
  #expect(bench.notes == ["press@10000", "long@600000", "release@609999"])
}

@Test func lateEdges_ofAWholePress_areDecidedNoEarlierThanWhatWasDecided() {
  var bench = Bench()
  bench.play("0:S0")
  bench.advance(at(microseconds: 600_000))
  bench.play("100000:S1 250000:S0 350000:S1")
  bench.advance(at(microseconds: 700_000))
  #expect(
    bench.notes == [
      "press@10000", "long@600000", "release@600000", "press@600000", "release@600000",
      "click@600000",
    ])
  #expect(
    bench.inputs.map(\.at)
      == [0, 600_000, 100_000, 250_000, 350_000, 360_000].map { at(microseconds: $0) })
}

@Test func phase_edgeStampedBeforeItsStart_belongsToThePhaseBefore() {
  for (stamp, expected) in [(4_999, Phase.running), (5_000, .ended), (5_001, .ended)] {
    var bench = Bench(phase: .running)
    bench.controls.enter(.ended, at: at(microseconds: 5_000))
    bench.controls.enter(.ended, at: at(microseconds: 6_000))
    bench.play("\(stamp):P0")
    bench.advance(at(microseconds: 100_000))
    #expect(bench.inputs.map(\.phaseAtPress) == [expected])
  }
}

@Test func phase_ofADouble_isThatOfItsFirstPress() {
  var bench = Bench(phase: .running)
  bench.play("0:S0 100000:S1")
  bench.controls.enter(.overtime, at: at(microseconds: 150_000))
  bench.play("200000:S0 300000:S1")
  bench.advance(at(microseconds: 400_000))
  #expect(bench.inputs.map(\.phaseAtPress) == [.running, .running, .overtime, .overtime, .running])
  #expect(bench.notes.last == "double@310000")
}

@Test func queue_full_dropsTheNewestAndCountsThem() {
  var bench = Bench()
  bench.controls.handle(Edge(line: .left, level: .low, at: .zero))
  /// Answers looks, and fetches no input.
  func advance(_ microseconds: Int64) {
    while let next = bench.controls.nextDeadline, next <= at(microseconds: microseconds) {
      bench.controls.advance(to: next)
      guard bench.controls.nextLook() != nil else { continue }
      bench.controls.handle(LevelReading(lines: [], levels: .rest, at: next))
    }
  }
  // One press and 63 repeats fit: the last of them falls due after 600 + 62 × 150 ms.
  advance(9_900_000)
  #expect(bench.controls.droppedCount == 0)
  advance(10_049_999)
  #expect(bench.controls.droppedCount == 0)
  advance(10_050_000)
  #expect(bench.controls.droppedCount == 1)
  bench.unreadable = .all
  bench.drain(at: at(microseconds: 10_050_000))
  #expect(bench.notes.count == 64)
  #expect(bench.notes.last == "left.repeat@9900000")
  bench.play("10100000:L1")
  bench.advance(at(microseconds: 10_200_000))
  #expect(bench.notes.last == "left.release@10110000")
}
