import Controls
import Testing
import Ticks

/// The place in the cycle of each pair of levels, clockwise from rest, written out by hand.
private let cycle: [(a: Level, b: Level)] = [
  (.high, .high), (.low, .high), (.low, .low), (.high, .low),
]

private func decoder(_ mode: DetentsPerCycle, at place: Int = 0) -> QuadratureDecoder {
  QuadratureDecoder(
    detentsPerCycle: mode, isReversed: false, a: cycle[place].a, b: cycle[place].b)
}

/// The steps of a walk through the places of the cycle.
private func steps(_ mode: DetentsPerCycle, _ places: [Int]) -> [Int] {
  var knob = decoder(mode, at: places[0])
  return places.dropFirst().map { knob.move(a: cycle[$0].a, b: cycle[$0].b) }
}

/// Steps in each of the 16 transitions, from (row) to (column), the knob having rested at `from`.
private let transitions: [(mode: DetentsPerCycle, steps: [[Int]])] = [
  (.one, [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]),
  (.two, [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]),
  (.four, [[0, 1, 0, -1], [-1, 0, 1, 0], [0, -1, 0, 1], [1, 0, -1, 0]]),
]

/// Where a half-cycle step is given by the second of two transitions: `middle` came from `from`.
private let halfSteps: [(from: Int, middle: Int, steps: [Int])] = [
  (0, 1, [0, 0, 1, 0]), (0, 3, [0, 0, -1, 0]), (2, 3, [1, 0, 0, 0]), (2, 1, [-1, 0, 0, 0]),
]

@Test func quadrature_eachTransitionFromStart_givesItsStep() {
  for (mode, rows) in transitions {
    for from in 0..<4 {
      for to in 0..<4 {
        #expect(steps(mode, [from, to]) == [rows[from][to]], "\(mode) \(from) \(to)")
      }
    }
  }
}

@Test func quadrature_eachTransitionAfterAQuarterInHalfMode_givesItsStep() {
  for (from, middle, row) in halfSteps {
    for to in 0..<4 {
      #expect(steps(.two, [from, middle, to]).last == row[to], "\(from) \(middle) \(to)")
    }
  }
}

@Test func quadrature_eachTransitionAfterThreeQuarters_givesItsStepAtRestOnly() {
  #expect((0..<4).map { steps(.one, [0, 1, 2, 3, $0]).last } == [1, 0, 0, 0])
  #expect((0..<4).map { steps(.one, [0, 3, 2, 1, $0]).last } == [-1, 0, 0, 0])
}

@Test func quadrature_oneCycle_givesAsManyStepsAsDetents() {
  #expect(steps(.one, [0, 1, 2, 3, 0]) == [0, 0, 0, 1])
  #expect(steps(.two, [0, 1, 2, 3, 0]) == [0, 1, 0, 1])
  #expect(steps(.four, [0, 1, 2, 3, 0]) == [1, 1, 1, 1])
  #expect(steps(.one, [0, 3, 2, 1, 0]) == [0, 0, 0, -1])
  #expect(steps(.two, [0, 3, 2, 1, 0]) == [0, -1, 0, -1])
  #expect(steps(.four, [0, 3, 2, 1, 0]) == [-1, -1, -1, -1])
}

@Test func quadrature_reversalInsideADetent_givesNothing() {
  #expect(steps(.one, [0, 1, 0]) == [0, 0])
  #expect(steps(.one, [0, 1, 2, 1, 0]) == [0, 0, 0, 0])
  #expect(steps(.one, [0, 1, 2, 3, 2, 1, 0]) == [0, 0, 0, 0, 0, 0])
  #expect(steps(.two, [0, 1, 0]) == [0, 0])
  #expect(steps(.two, [2, 3, 2]) == [0, 0])
}

@Test func quadrature_bothContactsAtOnce_givesNothingThatIsNotCertain() {
  // Forward or back by half a cycle: the full way, or none of it.
  #expect(steps(.one, [0, 1, 3, 0]) == [0, 0, 0])
  #expect(steps(.two, [0, 1, 3, 0]) == [0, 0, 0])
  #expect(steps(.two, [0, 2]) == [0])
  // Six quarters with a jump in them are one cycle or two: one is certain.
  #expect(steps(.one, [0, 1, 2, 3, 1, 2, 3, 0]).last == 1)
  // At the next rest the doubt is gone.
  #expect(steps(.one, [0, 2, 3, 0, 1, 2, 3, 0]) == [0, 0, 0, 0, 0, 0, 1])
}

@Test func detents_detentsPerCycle_comeAtTheRests() {
  let wave = "0:A0 5000:B0 10000:A1 15000:B1"
  #expect(notes(of: wave, settings(.one)) == ["+1@15000"])
  #expect(notes(of: wave, settings(.two)) == ["+1@5000", "+1 fast@15000"])
  #expect(
    notes(of: wave, settings(.four)) == ["+1@0", "+1 fast@5000", "+1 fast@10000", "+1 fast@15000"])
}

@Test func detents_reverse_changesTheSign() {
  #expect(notes(of: turn(1, from: 0), settings(.one, isReversed: true)) == ["-1@15000"])
  #expect(notes(of: turn(-1, from: 0)) == ["-1@15000"])
}

@Test func detents_forwardBackForward_losesNoneAtTheReversal() {
  let wave = [turn(1, from: 0), turn(-1, from: 500_000), turn(1, from: 1_000_000)]
    .joined(separator: " ")
  #expect(notes(of: wave) == ["+1@15000", "-1@515000", "+1@1015000"])
  #expect(
    notes(of: "0:A0 5000:B0 10000:A1 15000:B1 30000:B0", settings(.four)).last == "-1@30000")
}

@Test(arguments: [
  ("bounceOnTheFirstContact", "0:A0 40:A1 90:A0 130:A1 300:A0 5000:B0 10000:A1 15000:B1", 1),
  ("equalEdges", "0:A0 10:A0 5000:B0 5010:B0 10000:A1 15000:B1 15010:B1", 1),
  ("halfWayAndBack", "0:A0 5000:B0 10000:B1 15000:A1", 0),
  ("threeQuartersAndBack", "0:A0 5000:B0 10000:A1 15000:A0 20000:B1 25000:A1", 0),
  ("jiggle", "0:A0 1:A1 2:A0 3:B0 4:B1 5:B0 6:A1 7:A0 8:A1 9:B1", 1),
  ("slowHand", "0:A0 2000000:B0 4000000:A1 6000000:B1", 1),
  ("restHalfWay", "0:A0 5000:B0 5010000:A1 5015000:B1", 1),
  ("halfWayAndBackThenFull", "0:A0 5:B0 10:B1 15:A1 60:A0 65:B0 70:A1 75:B1", 1),
])
func detents_fieldReport_giveNetSteps(name: String, wave: String, expected: Int) {
  let found = notes(of: wave)
  #expect(found.count == expected, "\(name): \(found)")
  #expect(found.allSatisfy { $0.hasPrefix("+1") }, "\(name): \(found)")
}

@Test func detents_bouncingContacts_countEachOnce() {
  var random = SeededGenerator(seed: 16)
  var bench = Bench()
  var expected: [Int] = []
  for detent in 0..<500 {
    let step = random.below(4) == 0 ? -1 : 1
    expected.append(step)
    for edge in edges(turn(step, from: Int64(detent) * 50_000)) {
      var edge = edge
      bench.take(edge)
      let settled = edge.level
      for _ in 0..<random.below(6) {
        edge.at += .microseconds(Int64(random.below(150)))
        edge.level = settled == .low ? .high : .low
        bench.take(edge)
        edge.at += .microseconds(Int64(random.below(150)))
        edge.level = settled
        bench.take(edge)
      }
    }
  }
  let found = bench.inputs.map { input -> Int in
    if case .detent(let step, _, _) = input.kind { return step }
    return 0
  }
  #expect(found == expected)
}
