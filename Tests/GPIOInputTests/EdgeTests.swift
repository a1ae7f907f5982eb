import GPIOInput
import Testing

private let crown = "auto A=17 B=27 S=22"
private let chip = "chip gpiochip0 pinctrl-bcm2711 58\ngo\n"
private let taken = "taken ABS=high".spread

@Suite struct EdgeTests {
  @Test(arguments: Generation.allCases)
  func edges_ofTwoContacts_comeInTheOrderOfTheirStamps(_ generation: Generation) throws {
    let stand = try Stand(
      generation, chip + "edge 0 17 0\nedge 5000 27 0\nedge 10000 17 1\nedge 15000 27 1")
    try stand.run(
      crown, "read", "go", "read", "read", "readable",
      prints: [
        taken, "edge A low 0", "edge B low 5000", "edge A high 10000", "edge B high 15000",
        "no news", "nothing to read",
      ])
  }

  @Test(arguments: Generation.allCases)
  func e2_lastTwoEdgesQueuedTheOtherWayRound_comeInTheOrderOfTheirStamps(
    _ generation: Generation
  ) throws {
    let stand = try Stand(
      generation, chip + "edge 0 17 0\nedge 5000 27 0\nedge 10300 27 1\nedge 10000 17 1")
    try stand.run(
      crown, "read", "go", "read",
      prints: [
        taken, "edge A low 0", "edge B low 5000", "edge A high 10000", "edge B high 10300",
      ])
  }

  @Test(arguments: Generation.allCases)
  func e24_readerThatIsLate_getsEachEdgeWithItsOwnLevelAndStamp(_ generation: Generation) throws {
    // When A's first edge is read, B has long changed.
    let stand = try Stand(generation, chip + "edge 27000 27 0\nedge 0 17 0\nlevel 27 1")
    try stand.run(
      crown, "read", "go", "levels AB", "read",
      prints: [
        taken, "levels A=low B=high", "edge A low 0", "edge B low 27000",
      ])
  }

  @Test(arguments: Generation.allCases)
  func edge_olderThanOneHandedOut_getsItsStampAndIsAGap(_ generation: Generation) throws {
    let stand = try Stand(
      generation,
      chip + "edge 0 17 0\nedge 500000 17 1\ngo\nedge -400000 22 0\nedge 1000 17 0")
    let output = try stand.run(crown, "read", "go", "read", "go", "read")
    expect(Array(output.prefix(4)), [taken, "edge A low 0", "edge A high 500000", "edge S low 0"])
    // It has the stamp of A's last edge; the next is some time after it.
    #expect(output[4].hasPrefix("edge A low "))
    #expect(output[4] != "edge A low 401000")
    expect(Array(output[5...]), ["gap S"])
  }

  @Test(arguments: Generation.allCases)
  func edge_fromBeforeItsLineWasTaken_isNone(_ generation: Generation) throws {
    let stand = try Stand(generation, chip + "edge -60000000 22 0")
    try stand.run(
      crown, "read", "go", "read", "levels S",
      prints: [
        taken, "no news", "levels S=low",
      ])
  }

  @Test(arguments: Generation.allCases)
  func equalEdges_inARow_areHandedOutAsTheyCome(_ generation: Generation) throws {
    let stand = try Stand(generation, chip + "edge 0 17 0\nedge 10 17 0\nedge 5000 17 0")
    try stand.run(
      crown, "read", "go", "read",
      prints: [
        taken, "edge A low 0", "edge A low 10", "edge A low 5000",
      ])
  }

  @Test func queueOf16_thatWasFull_isAGapOfItsLineAndKeepsTheOldest() throws {
    for count in [15, 16, 40] {
      let gap: [String] = count < 16 ? [] : ["gap A"]
      let stand = try Stand(.first, chip + "burst 0 17 \(count)\nedge 9000 22 0")
      let output = try stand.run(crown, "read", "go", "read", "read")
      var expected: [String] = [taken]
      for number in 0..<min(count, 16) { expected.append(edge(number, at: number * 100)) }
      expected.append("edge S low 9000")
      expected += gap
      expected.append("no news")
      #expect(output == expected)
    }
  }

  @Test func queueOf256_thatRanOver_isAGapOfItsRequestAndKeepsTheNewest() throws {
    for count in [255, 256, 257, 300] {
      let gap: [String] = count <= 256 ? [] : ["gap AB"]
      let stand = try Stand(.second, chip + "burst 0 17 \(count)\nedge 90000 22 0")
      let output = try stand.run(crown, "read", "go", "read", "read")
      let first = max(0, count - 256)
      var expected: [String] = [taken]
      for number in first..<count { expected.append(edge(number, at: (number - first) * 100)) }
      expected.append("edge S low \(90_000 - first * 100)")
      expected += gap
      expected.append("no news")
      #expect(output == expected)
    }
  }

  private func edge(_ number: Int, at microseconds: Int) -> String {
    "edge A \(number % 2 == 0 ? "low" : "high") \(microseconds)"
  }

  @Test func countedEdges_ofWhichSomeAreMissing_areAGapOfTheirLine() throws {
    let stand = try Stand(
      .second,
      chip
        + "edge 0 22 0\nlose 22 3\nedge 5000 22 1\ngo\nedge 0 22 0\ngo\nlose 22 2\ngo\nedge 0 22 0")
    try stand.run(
      crown, "read", "go", "read", "go", "read", "go", "read", "go", "read",
      prints: [
        taken, "edge S low 0", "edge S high 5000", "gap S", "edge S low 0", "no news",
        "edge S low 0", "gap S",
      ])
  }

  @Test func countedEdges_missingOfTheOtherContact_areAGapOfBoth() throws {
    let stand = try Stand(.second, chip + "edge 0 17 0\nlose 27 2\nedge 5000 17 1")
    try stand.run(
      crown, "read", "go", "read",
      prints: [
        taken, "edge A low 0", "edge A high 5000", "gap AB",
      ])
  }

  @Test func countedEdge_missingOfTheOtherContact_isAGapOnceTheNextBatchIsWithoutIt() throws {
    let stand = try Stand(
      .second, chip + "edge 0 17 0\nlose 27 1\nedge 5000 17 1\ngo\nedge 0 17 0\ngo\nedge 0 17 1")
    try stand.run(
      crown, "read", "go", "read", "go", "read", "go", "read",
      prints: [
        taken, "edge A low 0", "edge A high 5000", "edge A low 0", "gap AB", "edge A high 0",
      ])
  }

  @Test func countedEdges_missingOneByOneOfTheOtherContact_areAGapOfBoth() throws {
    let stand = try Stand(
      .second, chip + "lose 27 1\nedge 0 17 0\nlose 27 1\nedge 5000 17 1")
    try stand.run(
      crown, "read", "go", "read",
      prints: [
        taken, "edge A low 0", "edge A high 5000", "gap AB",
      ])
  }

  @Test func countedEdge_thatComesWithTheNextBatch_isNoGap() throws {
    // Twice in a row, so that a number that came late does not count as missing afterwards.
    let first = "late 400 27 0\nedge 300 17 0\ngo\ngo\n"
    let second = "late 400 27 1\nedge 300 17 1\ngo\ngo\nedge 0 17 0"
    let stand = try Stand(.second, chip + first + second)
    try stand.run(
      crown, "read", "go", "read", "go", "read", "go", "read", "go", "read", "go", "read",
      prints: [
        taken, "edge A low 0", "edge B low 0", "edge A high 0", "edge B high 0", "edge A low 0",
      ])
  }

  @Test func countedEdges_queuedTheOtherWayRound_areNoGap() throws {
    let stand = try Stand(.second, chip + "edge 300 27 0\nedge 0 17 0\nedge 600 17 1")
    try stand.run(
      crown, "read", "go", "read",
      prints: [
        taken, "edge A low 0", "edge B low 300", "edge A high 600",
      ])
  }

  @Test(arguments: Generation.allCases)
  func line_thatIsMasked_raisesNoEdgesAndIsStillRead(_ generation: Generation) throws {
    let stand = try Stand(
      generation,
      chip + "edge 0 17 0\nedge 100 22 0\ngo\nedge 0 17 1\nedge 100 22 1\ngo\nedge 0 22 0")
    try stand.run(
      crown, "read", "mask S", "go", "read", "levels S", "mask -", "deadline", "read", "deadline",
      "go", "read", "mask -", "go", "read",
      prints: [
        taken, "edge A low 0", "levels S=low", "due", "gap S", "no deadline", "edge A high 0",
        "edge S high 100", "edge S low 0",
      ])
  }

  @Test(arguments: Generation.allCases)
  func contact_thatIsMasked_leavesTheOtherItsEdges(_ generation: Generation) throws {
    let stand = try Stand(
      generation, chip + "edge 0 17 0\nedge 100 27 0\ngo\nedge 0 17 1\nedge 100 27 1")
    try stand.run(
      crown, "read", "mask A", "go", "read", "levels AB", "mask -", "read", "go", "read",
      prints: [
        taken, "edge B low 0", "levels AB=low".spread, "gap A", "edge A high 0",
        "edge B high 100",
      ])
    // The first library changes nothing of a line that is taken.
    let call = generation == .first ? "request" : "change"
    expect(
      Array(stand.log("\(call) gpiochip0 17").suffix(1)), ["\(call) gpiochip0 17 \(asked)"])
  }

  @Test(arguments: Generation.allCases)
  func levels_ofLinesThatAreNotHad_areNotInTheReading(_ generation: Generation) throws {
    let stand = try Stand(
      generation, "chip gpiochip0 pinctrl-bcm2711 58\nlow 27\nbusy 22 lamp\n")
    try expect(
      stand.run(crown, "levels ABSU", "read", "levels ABSU", "levels B").filter {
        !$0.hasPrefix("fault")
      },
      [
        "levels ", "taken A=high B=low", "levels A=high B=low", "levels B=low",
      ])
  }
}
