import Appliance
import Bells
import Sessions
import Testing
import Ticks
import TimerMachine

@testable import Settings

private func programme(_ name: String, _ text: String) throws -> Programme {
  let list = try configuration(text).programmes()
  #expect(list.flaws == [])
  return try #require(list.programmes.first { $0.name == name })
}

private func sound(_ name: String) -> Int? { Sound.names.firstIndex(of: name) }

extension Programme {
  fileprivate func bell(_ role: BellRole) -> BellRecipe { bells[Int(role.rawValue)] }
}

@Test func programme_ofSegmentsAndRounds_isTheSumOfThem() throws {
  let evening = try programme(
    "evening",
    """
    [programme evening]
    segments = walk 10m, sit 25m
    rounds = 2
    sit.preparation = 0
    sit.overtime = yes
    interval.every = 5m
    interval.fractions = 1/3, 3/4
    interval.at = 1m, 90s
    interval.from-end = 1m
    interval.random = 3 in 5m..25m
    interval.count = 20
    """)
  let round = [
    Segment(kind: "walk", length: .minutes(10)), Segment(kind: "sit", length: .minutes(25)),
  ]
  #expect(evening.length == .fixed)
  #expect(evening.plan.segments == round + round)
  #expect(evening.plan.length == .minutes(70))
  #expect(evening.plan.preparation == .zero && evening.plan.overtime)
  var intervals = IntervalPlan(every: .minutes(5))
  intervals.fractions = [IntervalPlan.Fraction(1, 3), IntervalPlan.Fraction(3, 4)]
  intervals.at = [.minutes(1), .seconds(90)]
  intervals.fromEnd = [.minutes(1)]
  intervals.random = 3
  intervals.randomWindow = .minutes(5) ... .minutes(25)
  intervals.count = 20
  #expect(evening.plan.intervals == intervals)
}

@Test func programme_lengths_areReadInEachForm() throws {
  func length(_ text: String) throws -> (Programme.Length, Span?) {
    let one = try programme("one", "[sit]\nlength = 35m\n[programme one]\n\(text)\n")
    return (one.length, one.plan.length)
  }
  #expect(try length("sit.length = 1h") == (.fixed, .hours(1)))
  #expect(try length("") == (.fixed, .minutes(35)))
  #expect(try length("sit.length =") == (.fixed, .minutes(35)))
  #expect(try length("sit.length = open") == (.open, nil))
  #expect(try length("sit.length = until 07:05") == (.until(.minutes(425)), nil))
}

@Test func programme_saysNothing_takesBellsOfThePlainSectionsAndNoIntervals() throws {
  let text = """
    [sit]
    preparation = 30s
    [interval]
    every = 5m
    [bell start]
    sound = rin
    level = -6 dB
    [bell end]
    pattern = 0s 1.0, 8s 0.8
    [programme plain]
    [programme own]
    bell.end.strikes = 2
    bell.start.sound = inkin
    """
  let plain = try programme("plain", text)
  #expect(plain.plan.preparation == .seconds(30))
  #expect(plain.plan.intervals == IntervalPlan())
  #expect(plain.bell(.start).sound == sound("rin"))
  #expect(plain.bell(.end).beatCount == 2 && plain.bell(.end).pattern != nil)
  let own = try programme("own", text)
  #expect(own.bell(.start).sound == sound("inkin"))
  #expect(own.bell(.start).gain == plain.bell(.start).gain)
  // Strikes of its own leave no meaning to the pattern of the plain section.
  #expect(own.bell(.end).pattern == nil && own.bell(.end).strikes == 2)
  let simple = try programme("simple", text)
  #expect(simple.length == .set && simple.plan.length == nil)
  #expect(simple.plan.intervals.every == .minutes(5))
}

@Test func programme_bellsOfKinds_ringAtTheBordersOfThatKind() throws {
  let walking = try programme(
    "walking",
    """
    [bell segment]
    sound = inkin
    pattern = 0s 1.0, 1s 0.5, 2s 0.5
    [programme walking]
    segments = sit 25m, walk 10m, rest 5m
    bell.segment.gap = 3s
    bell.walk.begin.strikes = 2
    bell.walk.end.sound = none
    """)
  let begin = walking.border(from: "sit", to: "walk")
  #expect(begin.strikes == 2 && begin.pattern == nil && begin.gap == .seconds(3))
  #expect(begin.sound == sound("inkin"))
  let end = walking.border(from: "walk", to: "rest")
  #expect(end.sound == nil)
  let other = walking.border(from: "rest", to: "sit")
  #expect(other == walking.bell(.segment) && other.sound == sound("inkin"))
}

@Test func programmes_shipped_ringAsTheIssueSays() throws {
  let list = Configuration().programmes()
  #expect(list.flaws == [])
  #expect(list.programmes.map(\.name) == ["simple", "zazen", "seon", "metta", "wake"])
  let zazen = list.programmes[1]
  #expect(zazen.bell(.start).strikes == 3 && zazen.bell(.end).strikes == 1)
  #expect(zazen.border(from: "sit", to: "walk").strikes == 2)
  #expect(zazen.border(from: "walk", to: "sit").strikes == 1)
  #expect(zazen.plan.length == .minutes(90))
  let seon = list.programmes[2]
  #expect(seon.bell(.start).sound == sound("jukbi") && seon.bell(.start).strikes == 3)
  #expect(seon.bell(.end).sound == sound("jukbi") && seon.bell(.end).strikes == 3)
  #expect(list.programmes[3].plan.intervals.every == .minutes(5))
  #expect(list.programmes[4].bell(.start).pattern == StrikePattern.wake)
  #expect(list.programmes.filter { $0.length == .set }.map(\.name) == ["simple"])
  // They name sounds that there are.
  try Configuration().check(sounds: Sound.bellNames)
  for section in ShippedProgrammes.sections {
    for (key, setting) in section.settings where key.hasSuffix(".sound") {
      #expect(Sound.bellNames.contains(setting.text), "\(setting.text)")
    }
  }
}

@Test func programmes_ofAConfiguration_standBehindTheShippedOnesOrInTheirPlace() throws {
  let list = try configuration(
    "[programme b]\n[programme zazen]\nsit.length = 30m\n[programme a]\n"
  ).programmes()
  #expect(list.programmes.map(\.name) == ["simple", "zazen", "seon", "metta", "wake", "b", "a"])
  #expect(list.programmes[1].plan.length == .minutes(30))
  #expect(list.programmes[1].bell(.start).strikes == 1)
}

@Test func set_ofAProgramme_isTakenAsInAFile() throws {
  var set = Configuration()
  try set.set(key: "programme.evening.segments", value: "walk 10m, sit 25m")
  try set.set(key: "programme.evening.bell.end.strikes", value: "2")
  try set.set(key: "programme.evening.bell.walk.end.strikes", value: "4")
  try set.check()
  let written = try configuration(
    """
    [programme evening]
    segments = walk 10m, sit 25m
    bell.end.strikes = 2
    bell.walk.end.strikes = 4
    """)
  #expect(set.programmes() == written.programmes())
  #expect(
    set.effectiveNamed.map(\.name) == [
      "programme.evening.segments", "programme.evening.bell.end.strikes",
      "programme.evening.bell.walk.end.strikes",
    ])
  #expect(written.effectiveNamed.map(\.origin.text) == ["t.conf:2:1", "t.conf:3:1", "t.conf:4:1"])
}

// MARK: - The store

private func definition(_ id: String, _ json: String) throws -> Definition {
  Definition(key: "programme.\(id)", value: try JSONValue(parsing: Array(json.utf8)))
}

@Test func definitions_areReadByTheSameKeys() throws {
  let json = """
    {"name":"Evening","segments":"walk 10m, sit 25m","rounds":2,"sit.overtime":true,\
    "bell.end.strikes":"2","bell.walk.begin.strikes":3,"colour":"red","later":{"a":1}}
    """
  let list = Configuration().programmes(definitions: [try definition("x", json)])
  #expect(list.flaws == [])
  let evening = try #require(list.programmes.last)
  #expect(evening.name == "Evening" && evening.plan.length == .minutes(70))
  #expect(evening.plan.overtime && evening.bell(.end).strikes == 2)
  #expect(evening.border(from: "sit", to: "walk").strikes == 3)
  // Without a name the id is the name.
  let bare = Configuration().programmes(definitions: [try definition("dawn", "{}")])
  #expect(bare.programmes.last?.name == "dawn" && bare.programmes.last?.plan.length == .minutes(20))
}

@Test func definitions_ofOneName_giveWayToTheConfigurationAndReplaceTheShipped() throws {
  let zazen = try definition("z", "{\"name\":\"zazen\",\"sit.length\":\"45m\"}")
  let stored = Configuration().programmes(definitions: [zazen])
  #expect(stored.programmes.map(\.name) == ["simple", "zazen", "seon", "metta", "wake"])
  #expect(stored.programmes[1].plan.length == .minutes(45))
  let text = "[programme zazen]\nsit.length = 30m\n"
  let configured = try configuration(text).programmes(definitions: [zazen])
  #expect(configured.programmes[1].plan.length == .minutes(30))
  #expect(configured.programmes.count == 5)
  // One that cannot be rung leaves the shipped one where it is.
  let wrong = try definition("z", "{\"name\":\"zazen\",\"interval.every\":\"21m\"}")
  let left = Configuration().programmes(definitions: [wrong])
  #expect(left.programmes[1].plan.length == .minutes(90))
  #expect(
    left.flaws.map(\.text) == [
      "programme.z: found \"interval.every = 21m\", expected at most 19m59s, since the sit lasts "
        + "20m; the programme is left out"
    ])
}

@Test func programmes_ranked_standBehindTheOthersByRankThenName() throws {
  let definitions = [
    try definition("a", "{\"name\":\"b\",\"rank\":\"V\"}"),
    try definition("b", "{\"name\":\"a\",\"rank\":\"V\",\"sit.length\":\"1h\"}"),
    try definition("c", "{\"name\":\"late\"}"),
    try definition("d", "{\"name\":\"simple\",\"rank\":\"W\",\"sit.length\":\"1h\"}"),
    try definition("e", "{\"name\":\"zazen\",\"rank\":\"0V\"}"),
  ]
  let list = try configuration("[programme b]\nsit.length = 5m\n[programme c]\n")
    .programmes(definitions: definitions)
  let flaw =
    "programme.d: found \"simple\", expected another name; what simple is stands in [sit], "
    + "[interval] and [bell ROLE]; all but its rank is left out"
  #expect(list.flaws.map(\.text) == [flaw])
  #expect(
    list.programmes.map(\.name) == [
      "seon", "metta", "wake", "c", "late", "zazen", "a", "b", "simple",
    ])
  // A rank alone changes nothing of a shipped programme, and nothing can be changed of simple.
  #expect(list.programmes[5].plan.length == .minutes(90))
  #expect(list.programmes[8].length == .set)
}

private let wrongDefinitions: [(json: String, problem: String)] = [
  ("5", "programme.x: found \"5\", expected an object"),
  (
    "{\"name\":\"2 walks\"}",
    "programme.x: found \"2 walks\", expected a name of 1 to 63 characters other than open and "
      + "until, without a dot, whose first is no digit and no dash"
  ),
  (
    "{\"rounds\":\"many\"}",
    "programme.x: found \"rounds = many\", expected a whole number from 1 to 1000"
  ),
  (
    "{\"rounds\":[2]}",
    "programme.x: found \"rounds = [2]\", expected a whole number from 1 to 1000"
  ),
  (
    "{\"interval.at\":\"-5m\"}",
    "programme.x: found \"interval.at = -5m\", expected a length from 1s to 7d; a length is never "
      + "negative"
  ),
  (
    "{\"interval.at\":\"1m, 25m\"}",
    "programme.x: found \"interval.at = 25m\", expected at most 19m59s, since the sit lasts 20m"
  ),
  (
    "{\"interval.at\":\"1m, 60s\"}",
    "programme.x: found a second \"60s in interval.at\", expected it once"
  ),
]

@Test(arguments: wrongDefinitions)
func definition_thatCannotBeRung_isLeftOutAndToldByItsKey(json: String, problem: String) throws {
  let list = Configuration().programmes(
    definitions: [try definition("x", json), try definition("y", "{}")])
  #expect(list.flaws.map(\.text) == [problem + "; the programme is left out"])
  #expect(list.programmes.map(\.name) == ["simple", "zazen", "seon", "metta", "wake", "y"])
}

@Test func definitions_ofOneNameTwice_areTheFirstAlone() throws {
  let list = Configuration().programmes(
    definitions: [
      try definition("a", "{\"name\":\"same\"}"), try definition("b", "{\"name\":\"same\"}"),
    ])
  #expect(
    list.flaws.map(\.text) == [
      "programme.b: found \"same\", expected another name than that of programme.a; the programme "
        + "is left out"
    ]
  )
  #expect(list.programmes.filter { $0.name == "same" }.count == 1)
}
