import Sessions
import Testing
import Ticks

private let alphabet = Rank.alphabet.map { Character(Unicode.Scalar($0)) }

/// Whether a rank is one that this version would make.
private func isSound(_ rank: Rank) -> Bool {
  let text = rank.description
  return !text.isEmpty && !text.hasSuffix("0") && text.utf8.count <= Rank.lengthMax
    && text.utf8.allSatisfy(Rank.alphabet.contains)
}

private func randomRank(_ generator: inout SeededGenerator, lengthMax: UInt64) -> Rank {
  let length = generator.below(lengthMax) + 1
  var text = ""
  // Few digits in most places, or two random ranks would never share a beginning.
  let bound: UInt64 = generator.below(2) == 0 ? 3 : 62
  for _ in 1..<max(length, 1) + 1 {
    let index = generator.below(bound)
    text.append(alphabet[Int(generator.below(4) == 0 ? 61 - index : index)])
  }
  while text.last == "0" { text.removeLast() }
  return Rank(text.isEmpty ? "1" : text)
}

private func expectInside(_ rank: Rank?, _ lower: Rank?, _ upper: Rank?) throws {
  let rank = try #require(rank, "\(lower as Rank?) \(upper as Rank?)")
  let isInside = (lower.map { $0 < rank } ?? true) && (upper.map { rank < $0 } ?? true)
  if !isInside || !isSound(rank) {
    Issue.record("\(rank) between \(lower as Rank?) and \(upper as Rank?)")
  }
}

// MARK: - Between

@Test func between_knownNeighbours_isTheMiddleOrAStep() {
  let cases: [(String?, String?, String?)] = [
    (nil, nil, "V"), ("V", nil, "V1"), ("V1", nil, "V2"), ("Vz", nil, "W1"), ("zy", nil, "zz"),
    ("zz", nil, "zz01"), ("zzz", nil, "zzz1"), ("zzzz", nil, "zzzz01"), ("Vzz", nil, "W1"),
    (nil, "V", "Uz"), (nil, "V1", "Uz"), (nil, "02", "01"), (nil, "01", "00zz"),
    (nil, "001", "000z"), (nil, "0001", "0000zz"), ("1", "3", "2"), ("1", "2", "1V"),
    ("1", "11", "10V"), ("1z", "2", "1zV"), ("1", "2V", "1V"), ("V", "V001", "V000V"),
    ("V", "V", nil), ("W", "V", nil), ("V", "V0", nil), ("V", "V00", nil),
  ]
  for (lower, upper, expected) in cases {
    let rank = Rank.between(lower.map(Rank.init), upper.map(Rank.init))
    #expect(rank?.description == expected, "\(lower ?? "start") \(upper ?? "end")")
  }
}

@Test func between_randomPairs_isStrictlyBetweenAndSound() throws {
  var generator = SeededGenerator(seed: 46)
  for _ in 0..<30_000 {
    // Neighbours of different length, too.
    let pair = [
      randomRank(&generator, lengthMax: 4), randomRank(&generator, lengthMax: 40),
    ].sorted()
    try expectInside(Rank.between(nil, pair[0]), nil, pair[0])
    try expectInside(Rank.between(pair[1], nil), pair[1], nil)
    if pair[0] == pair[1] {
      #expect(Rank.between(pair[0], pair[1]) == nil)
    } else {
      try expectInside(Rank.between(pair[0], pair[1]), pair[0], pair[1])
    }
  }
}

@Test func between_everyPairOfShortRanks_isStrictlyBetween() throws {
  let ends = ["", "0", "1", "U", "V", "y", "z"]
  let ranks = ends.flatMap { first in ends.flatMap { second in ends.map { first + second + $0 } } }
  let sound = Set(ranks.map(Rank.init).filter(isSound)).sorted()
  #expect(sound.count > 200)
  for (index, lower) in sound.enumerated() {
    for upper in sound[(index + 1)...] {
      try expectInside(Rank.between(lower, upper), lower, upper)
    }
  }
}

/// Inserts a thousand times, each time where `choose` says, and gives the greatest length.
private func grow(_ count: Int = 1_000, choose: (Int, Int) -> Int) throws -> Int {
  var ranks = [Rank("V"), Rank("V1")]
  var longest = 0
  var last = 0
  for step in 0..<count {
    let gap = choose(step, last)
    let index = gap < 0 ? ranks.count : gap
    let lower = index == 0 ? nil : ranks[index - 1]
    let upper = index == ranks.count ? nil : ranks[index]
    let rank = try #require(Rank.between(lower, upper), "\(step)")
    try expectInside(rank, lower, upper)
    longest = max(longest, rank.description.utf8.count)
    ranks.insert(rank, at: index)
    last = index
  }
  return longest
}

@Test func between_aThousandAtEitherEnd_stayTwoDigitsLong() throws {
  #expect(try grow { _, _ in -1 } == 2)
  #expect(try grow { _, _ in 0 } == 2)
  #expect(try grow { step, _ in step % 2 == 0 ? 0 : -1 } == 2)
  #expect(try grow(1_861) { _, _ in -1 } == 2)
  #expect(try grow(10_000) { _, _ in -1 } == 8)
}

@Test func between_aThousandInOneGap_takesADigitForFiveInsertions() throws {
  let before = try grow { _, _ in 1 }
  let behind = try grow { _, last in last + 1 }
  let alternately = try grow { step, last in step % 2 == 0 ? last + 1 : last }
  for longest in [before, behind, alternately] { #expect((2...202).contains(longest)) }
  #expect(max(before, behind, alternately) > 100)
}

@Test func between_atRandomPlaces_staysShort() throws {
  var generator = SeededGenerator(seed: 7)
  let longest = try grow { step, _ in Int(generator.below(UInt64(step + 3))) }
  #expect(longest > 0 && longest <= 8)
}

// MARK: - Repair

private typealias Entry = (rank: Rank, id: String)

private func isSorted(_ list: [Entry]) -> Bool {
  zip(list, list.dropFirst()).allSatisfy { ($0.rank, $0.id) < ($1.rank, $1.id) }
}

/// Inserts, repairs applied, and checks what a repair promises.
private func insert(_ id: String, at gap: Int, in list: inout [Entry]) -> Int {
  let (rank, repairs) = Rank.repaired(list, insertingAt: gap)
  let ids = list.map(\.id)
  for repair in repairs {
    list[list.firstIndex { $0.id == repair.id } ?? -1].rank = repair.rank
    #expect(isSound(repair.rank))
  }
  list.insert((rank, id), at: gap)
  #expect(isSound(rank))
  #expect(list.map(\.id).filter { $0 != id } == ids)
  // By rank alone: the new one's place does not hang on its id.
  if gap > 0 { #expect(list[gap - 1].rank < rank) }
  if gap + 1 < list.count { #expect(rank < list[gap + 1].rank) }
  return repairs.count
}

private func entries(_ ranks: [String]) -> [Entry] {
  let letters = ranks.indices.map { ($0 < 10 ? "0" : "") + "\($0)" }
  return zip(ranks, letters).map { (Rank($0), $1) }
}

@Test func repair_whereThereIsRoom_changesNobody() {
  for gap in 0...3 {
    var list = entries(["1", "V", "z"])
    #expect(insert("new", at: gap, in: &list) == 0)
    #expect(isSorted(list))
  }
  #expect(Rank.repaired([Entry](), insertingAt: 0).rank == Rank("V"))
}

@Test func repair_oneOfTwoEquals_givesTheFewestNewRanks() {
  // Two boxes appended at once; somebody puts a third between them.
  var list = entries(["V", "V1", "V1", "V2"])
  #expect(insert("new", at: 2, in: &list) == 1)
  #expect(isSorted(list))
  // Of five equals those on the shorter side of the gap.
  let expected = [0, 1, 2, 2, 1, 0]
  for gap in 0...5 {
    var equals = entries(Array(repeating: "V", count: 5))
    #expect(insert("new", at: gap, in: &equals) == expected[gap])
    #expect(isSorted(equals.filter { $0.id != "new" }))
  }
}

@Test func repair_twoBoxesAtOnePlace_agreeOnRanksAndOnTheOrder() {
  let list = entries(["V", "V1"])
  let first = Rank.repaired(list, insertingAt: 1)
  let second = Rank.repaired(list, insertingAt: 1)
  #expect(first.rank == second.rank && first.repairs.isEmpty && second.repairs.isEmpty)
  var merged = list + [(second.rank, "b"), (first.rank, "a")]
  merged.sort { ($0.rank, $0.id) < ($1.rank, $1.id) }
  #expect(merged.map(\.id) == ["00", "a", "b", "01"])
  #expect(insert("c", at: 2, in: &merged) == 1)
  #expect(merged.map(\.id) == ["00", "a", "c", "b", "01"] && isSorted(merged))
}

@Test func repair_aProgrammeMovedForYears_keepsTheLimitAndRepairsSeldom() {
  var list = entries(["V", "V1", "V2", "V3", "V4"])
  var repairs = 0
  // The second and the third change places, again and again.
  for _ in 0..<5_000 {
    let moved = list.remove(at: 2)
    repairs += insert(moved.id, at: 1, in: &list)
  }
  #expect(list.allSatisfy { $0.rank.description.utf8.count <= Rank.lengthMax })
  #expect((1...10).contains(repairs), "\(repairs)")
  #expect(zip(list, list.dropFirst()).allSatisfy { $0.rank < $1.rank })
}

private let garbage = [
  "", "0", "00", "000000", "V0", "V00", "V000V0", " ", " V", "!", "V ", "V!", "/", ":", "@", "[",
  "`", "{", "z{", "zz{", "V{", "\u{0}", "V\u{0}", "\u{7F}", "\u{E9}", "e\u{301}", "V\u{E9}",
  "zzz\u{E9}", "\u{FFFF}", "\u{1F514}", "0|hzzzzz:", "0|i00007:", "a0", "Zz", "-1", "1.5", "\"\\",
  String(repeating: "z", count: 256), String(repeating: "V", count: 257),
  String(repeating: "0", count: 300) + "1", String(repeating: "z", count: 300),
  String(repeating: "\u{E9}", count: 100),
]

@Test func between_garbage_isStrictlyBetweenOrHasNoRoom() {
  let sound = ["01", "1", "U", "V", "V1", "Vz", "W", "zz"]
  let ranks = (garbage + sound).map(Rank.init).sorted()
  var made = 0
  for (index, lower) in ranks.enumerated() {
    for upper in [nil] + ranks[(index + 1)...].map(Optional.some) {
      for (low, high) in [(lower, upper), (nil, upper)] {
        guard let rank = Rank.between(low, high) else { continue }
        made += 1
        #expect(isSound(rank) && high.map { rank < $0 } ?? true)
        #expect(low.map { $0 < rank } ?? true)
      }
    }
  }
  // Most of it leaves room.
  #expect(made > 1_500, "\(made)")
}

@Test func order_isThatOfTheBytes() {
  // Composed and decomposed letters are equal to a String, and two ranks here.
  #expect(Rank("\u{E9}") != Rank("e\u{301}"))
  #expect(Rank("e\u{301}") < Rank("\u{E9}"))
  #expect(
    ["b", "B", "1", "a", "_", "", "10"].map(Rank.init).sorted().map(\.description)
      == ["", "1", "10", "B", "_", "a", "b"])
  #expect(Rank.alphabet == Rank.alphabet.sorted() && Set(Rank.alphabet).count == 62)
}

@Test func repair_garbageAnywhere_keepsTheOrderAndMakesRoom() {
  var generator = SeededGenerator(seed: 11)
  for _ in 0..<1_000 {
    let count = Int(generator.below(9))
    let picked = (0..<count).map { _ -> Rank in
      generator.below(3) == 0
        ? randomRank(&generator, lengthMax: 3)
        : Rank(garbage[Int(generator.below(UInt64(garbage.count)))])
    }
    var list = picked.sorted().enumerated().map { (rank: $1, id: "\($0)") }
    let gap = Int(generator.below(UInt64(count + 1)))
    #expect(insert("new", at: gap, in: &list) <= count)
    #expect(isSorted(list.filter { $0.id != "new" }))
  }
}
