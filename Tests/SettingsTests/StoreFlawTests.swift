// What the store may hold under names of the program's own, and what is told of the rest.
import Bells
import Sessions
import Testing

@testable import Settings

private func definition(_ key: String, _ json: String) throws -> Definition {
  Definition(key: key, value: try JSONValue(parsing: Array(json.utf8)))
}

private func refusal(
  _ key: String, _ json: String, beside definitions: [Definition] = []
) throws -> String? {
  try Configuration().refusal(
    of: definition(key, json).value, under: key, beside: definitions, sounds: Sound.catalogue
  )?.fault
}

private let grace = "expected a whole number from 0 to 7"
private let starts = "expected a time from 00:00 to 06:00 as a text such as \"04:00\""
private let journey =
  "expected an object with a name of 1 to 63 characters other than none, and begun, a date such as "
  + "2026-11-30"

private let refused: [(key: String, json: String, fault: String)] = [
  ("day.grace", "\"x\"", "found \"\"x\"\", " + grace), ("day.grace", "8", "found \"8\", " + grace),
  ("day.grace", "-1", "found \"-1\", " + grace), ("day.grace", "{}", "found \"{}\", " + grace),
  ("day.starts", "4", "found \"4\", " + starts),
  ("day.starts", "\"06:01\"", "found \"\"06:01\"\", " + starts),
  ("day.starts", "\"4:00\"", "found \"\"4:00\"\", " + starts),
  ("journey.x", "5", "found \"5\", " + journey),
  ("journey.x", "{\"name\":\"a\"}", "found \"{\"name\":\"a\"}\", " + journey),
  (
    "journey.x", "{\"begun\":\"2026-01-01\",\"name\":\"none\"}",
    "found \"{\"begun\":\"2026-01-01\",\"name\":\"none\"}\", " + journey
  ),
  (
    "journey.x", "{\"name\":\"a\",\"begun\":\"2026-01-01\",\"goalDays\":0}",
    "found \"goalDays = 0\", expected a whole number from 1 to 36500"
  ),
  (
    "journey.x", "{\"name\":\"a\",\"begun\":\"2026-01-01\",\"ended\":\"soon\"}",
    "found \"ended = \"soon\"\", expected a date such as 2026-11-30"
  ),
  ("programme.x", "[]", "found \"[]\", expected an object"),
  ("programme.x", "{\"rank\":5}", "found \"rank = 5\", expected a text"),
  ("programme.x", "{\"rank\":\"\"}", "found \"rank = \"\"\", expected a text"),
  ("programme.x", "{\"name\":7}", "found \"name = 7\", expected a text"),
  (
    "programme.x", "{\"name\":\"open\"}",
    "found \"open\", expected a name of 1 to 63 characters other than open and until, without a dot, "
      + "whose first is no digit and no dash"
  ),
  (
    "programme.x", "{\"sit.length\":\"20m\",\"interval.every\":\"20m\"}",
    "found \"interval.every = 20m\", expected at most 19m59s, since the sit lasts 20m"
  ),
  (
    "programme.x", "{\"interval.random\":\"2 in 1m..30m\"}",
    "found \"interval.random = 2 in 1m..30m\", expected a window up to 20m, since the sit lasts 20m"
  ),
]

@Test(arguments: refused)
func value_thatCannotBeUsed_isRefused(key: String, json: String, fault: String) throws {
  #expect(try refusal(key, json) == fault)
}

@Test func value_thatCanBeUsedOrIsNobodysBusiness_isTaken() throws {
  let taken = [
    ("day.grace", "7"), ("day.grace", "\"0\""), ("day.starts", "\"00:00\""),
    ("day.starts", "\"06:00\""), ("day.start", "5"), ("journey", "5"), ("bell.x", "5"),
    ("journey.x", "{\"name\":\"a\",\"begun\":\"2026-01-01\",\"goalDays\":36500,\"ended\":null}"),
    ("programme.x", "{}"), ("programme.x", "{\"rank\":\"V\",\"of a later version\":[1]}"),
    ("programme.x", "{\"bell.end.sound\":\"own/gong\",\"bell.start.sound\":\"none\"}"),
  ]
  for (key, json) in taken { #expect(try refusal(key, json) == nil, "\(key) \(json)") }
}

@Test func members_ofALaterVersionOrASlip_areNamedWithTheNearest() throws {
  let value = try definition("programme.x", "{\"sit.lenght\":\"5m\",\"rank\":\"V\",\"rounds\":1}")
    .value
  #expect(
    Configuration.unknownMembers(of: value, under: "programme.x") == [
      "programme.x: \"sit.lenght\" is not known to this version and ignored; did you mean "
        + "\"sit.length\"?"
    ])
  #expect(Configuration.unknownMembers(of: value, under: "tea") == [])
}

@Test func programme_ofAMisspeltSound_isRefusedByHandAndRingsAnotherWhereItComes() throws {
  let json = "{\"name\":\"dusk\",\"bell.end.sound\":\"keisuu\"}"
  let fault = try #require(try refusal("programme.x", json))
  #expect(fault.hasPrefix("found \"bell.end.sound = keisuu\", expected "))
  #expect(fault.hasSuffix("; did you mean \"keisu\"?"))
  let there = [try definition("programme.x", json)]
  #expect(Configuration().programmes(definitions: there).programmes.last?.name == "dusk")
  let flaws = Configuration().flaws(in: there, sounds: Sound.catalogue)
  #expect(flaws.map(\.text) == ["programme.x: \(fault); another sound rings in its place"])
}

/// The one whose key comes later gives way, and that may be the one that is there.
@Test(arguments: ["programme.a", "programme.c"])
func programme_ofANameThatIsTaken_isRefused(key: String) throws {
  let there = [try definition("programme.b", "{\"name\":\"dusk\"}")]
  let fault = try refusal(key, "{\"name\":\"dusk\"}", beside: there)
  let first = min(key, "programme.b")
  #expect(fault == "found \"dusk\", expected another name than that of \(first)")
  #expect(try refusal("programme.b", "{\"name\":\"dusk\",\"rank\":\"V\"}", beside: there) == nil)
}

@Test func flaws_ofAStore_areToldWithWhatIsDone() throws {
  let definitions = [
    try definition("day.grace", "\"x\""),
    try definition("journey.a", "5"),
    try definition("journey.b", "{\"name\":\"b\",\"begun\":\"2026-01-01\",\"goalDays\":\"ten\"}"),
    try definition("programme.a", "{\"rank\":5}"), try definition("programme.b", "{\"rounds\":0}"),
  ]
  let flaws = Configuration().flaws(in: definitions, sounds: Sound.catalogue)
  let endings = [
    "programme.a: found \"rank = 5\", expected a text; it has no place of its own",
    "programme.b: found \"rounds = 0\", expected a whole number from 1 to 1000; the programme is left "
      + "out",
    "day.grace: found \"\"x\"\", \(grace); what is configured holds",
    "journey.a: found \"5\", \(journey); the journey is left out",
    "journey.b: found \"goalDays = \"ten\"\", expected a whole number from 1 to 36500; the journey has "
      + "no goal",
  ]
  #expect(flaws.map(\.text) == endings)
  #expect(flaws.sentence.hasPrefix("The store has what cannot be used: programme.a: "))
}
