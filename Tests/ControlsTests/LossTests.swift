import Controls
import Testing
import Ticks
import TimerMachine

/// A hand's turn as contacts make it: each of the four changes bounces up to five times within
/// 1.5 ms, and the next comes `quarter` microseconds later.
private func bouncingTurn(
  _ step: Int, from start: Int64, quarter: Int64, _ random: inout SeededGenerator
) -> [Edge] {
  edges(turn(step, from: start, quarter: quarter)).flatMap { edge -> [Edge] in
    var at = edge.at
    let other: Level = edge.level == .low ? .high : .low
    return (0..<random.below(6)).reduce(into: [edge]) { burst, _ in
      for level in [other, edge.level] {
        at += .microseconds(Int64(random.below(150)) + 1)
        burst.append(Edge(line: edge.line, level: level, at: at))
      }
    }
  }
}

private func steps(_ inputs: [Input]) -> [Int] {
  inputs.compactMap { if case .detent(let step, _, _) = $0.kind { step } else { nil } }
}

private let losses: [(detents: Int, percent: UInt64, seed: UInt64)] = [
  (2_000, 0, 1), (2_000, 2, 2), (2_000, 10, 3), (500, 2, 4), (500, 10, 5), (500, 10, 6),
]

@Test(arguments: losses)
func e16_bouncingContactsAndLostEdges_countEveryDetentOnce(
  detents: Int, percent: UInt64, seed: UInt64
) {
  // RPi-Jukebox-RFID #1095, ESPRotary #46.
  var random = SeededGenerator(seed: seed)
  var bench = Bench()
  for index in 0..<detents {
    let start = Int64(index) * 25_000
    for edge in bouncingTurn(1, from: start, quarter: 5_000, &random) {
      bench.take(edge, isLost: random.below(100) < percent)
    }
  }
  bench.advance(at(microseconds: Int64(detents) * 25_000 + 100_000))
  #expect(steps(bench.inputs) == Array(repeating: 1, count: detents))
}

@Test(arguments: DetentsPerCycle.allCases, [10, 11, 12] as [UInt64])
func loss_ofOneEdgeInTenEachWay_neverGivesAWrongStep(mode: DetentsPerCycle, seed: UInt64) {
  var random = SeededGenerator(seed: seed)
  var bench = Bench(settings(mode))
  var expected: [Int] = []
  for index in 0..<150 as Range<Int64> {
    let step = random.below(2) == 0 ? 1 : -1
    expected += Array(repeating: step, count: mode.rawValue)
    for edge in bouncingTurn(step, from: index * 25_000, quarter: 5_000, &random) {
      bench.take(edge, isLost: random.below(10) == 0)
    }
  }
  bench.advance(at(microseconds: 5_000_000))
  #expect(steps(bench.inputs) == expected)
}

@Test func loss_whileNothingCanBeRead_neverGivesAStepOfTheWrongSign() {
  var random = SeededGenerator(seed: 21)
  var bench = Bench()
  bench.unreadable = .all
  for index in 0..<1_000 as Range<Int64> {
    for edge in bouncingTurn(1, from: index * 25_000, quarter: 5_000, &random) {
      bench.take(edge, isLost: random.below(50) == 0)
    }
  }
  let found = steps(bench.inputs)
  #expect(!found.contains(-1))
  #expect(found.count > 900)
}

// MARK: - Laws

/// A walk of the contacts from rest to rest, one change at a time, each after the bounce of the one
/// before.
private func walk(_ random: inout SeededGenerator, count: Int) -> [Edge] {
  var a = Level.high
  var b = Level.high
  var found: [Edge] = []
  var now: Int64 = 0
  func flipped(_ level: Level) -> Level { level == .low ? .high : .low }
  while found.count < count || a == .low || b == .low {
    now += Int64(random.below(9_000)) + 3_001
    // Towards rest once it is long enough.
    let isA = found.count < count ? random.below(2) == 0 : a == .low
    if isA { a = flipped(a) } else { b = flipped(b) }
    found.append(
      Edge(line: isA ? .a : .b, level: isA ? a : b, at: at(microseconds: now)))
  }
  return found
}

private func steps(of edges: [Edge], _ mode: DetentsPerCycle) -> [Int] {
  var bench = Bench(settings(mode))
  for edge in edges { bench.take(edge) }
  return steps(bench.inputs)
}

@Test(arguments: DetentsPerCycle.allCases, 30..<34 as Range<UInt64>)
func laws_ofRandomWalks_hold(mode: DetentsPerCycle, seed: UInt64) {
  var random = SeededGenerator(seed: seed)
  let path = walk(&random, count: 120)
  let found = steps(of: path, mode)
  #expect(found.count <= path.count * mode.rawValue / 4)

  let shifted = path.map { Edge(line: $0.line, level: $0.level, at: $0.at + .seconds(86_400)) }
  #expect(steps(of: shifted, mode) == found)

  // Reversed in time: each change is undone, the last one first.
  let end = path.last?.at ?? .zero
  let reversed = path.reversed().map { edge in
    Edge(line: edge.line, level: edge.level == .low ? .high : .low, at: .zero + (end - edge.at))
  }
  #expect(steps(of: reversed, mode) == found.reversed().map { -$0 })

  let back = reversed.map { Edge(line: $0.line, level: $0.level, at: $0.at + (end - .zero)) }
  #expect(steps(of: path + back, mode).reduce(0, +) == 0)

  // Bounce of the contact that moved last changes nothing.
  let bounced = path.flatMap { edge in
    let extra = Int(random.below(3)) * 2
    return (0...extra).map { index in
      let other: Level = edge.level == .low ? .high : .low
      return Edge(line: edge.line, level: index % 2 == 0 ? edge.level : other, at: edge.at)
    }
  }
  #expect(steps(of: bounced, mode) == found)
}

@Test(arguments: DetentsPerCycle.allCases, 50..<60 as Range<UInt64>)
func law_afterLossesAndALook_theNextDetentCountsOnce(mode: DetentsPerCycle, seed: UInt64) {
  var random = SeededGenerator(seed: seed)
  var bench = Bench(settings(mode))
  for edge in walk(&random, count: 40) { bench.take(edge, isLost: random.below(2) == 0) }
  let quiet = (bench.inputs.last?.at ?? .zero) + .seconds(2)
  bench.advance(quiet)
  bench.controls.handle(LevelReading(lines: .all, levels: bench.truth, at: quiet))
  let before = steps(bench.inputs).count
  for edge in edges(turn(1, from: quiet.nanoseconds / 1_000 + 1)) { bench.take(edge) }
  #expect(steps(bench.inputs).dropFirst(before) == Array(repeating: 1, count: mode.rawValue)[...])
}
