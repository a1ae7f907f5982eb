import Settings
import Testing
import Ticks

private let segments = "expected a list of kinds and lengths such as walk 10m, sit 25m"
private let negative = "; a length is never negative"

// Each text stands under [programme x], so its first line is line 2.
private let unringable: [(text: String, message: String)] = [
  (
    "sit.length = 30m\ninterval.every = 40m",
    "t.conf:3:1: found \"interval.every = 40m\", expected at most 29m59s, since the sit lasts 30m"
  ),
  (
    "segments = walk 10m, sit 25m\ninterval.every = 36m",
    "t.conf:3:1: found \"interval.every = 36m\", expected at most 34m59s, since the sit lasts 35m"
  ),
  (
    "sit.length = 30m\ninterval.at = 5m, 31m",
    "t.conf:3:19: found \"31m\", expected at most 29m59s, since the sit lasts 30m"
  ),
  (
    "sit.length = 30m\ninterval.from-end = 31m",
    "t.conf:3:21: found \"31m\", expected at most 29m59s, since the sit lasts 30m"
  ),
  (
    "sit.length = 30m\ninterval.at = -5m",
    "t.conf:3:15: found \"-5m\", expected a length from 1s to 7d" + negative
  ),
  (
    "interval.from-end = 1m, -1m",
    "t.conf:2:25: found \"-1m\", expected a length from 1s to 7d" + negative
  ),
  (
    "interval.every = -5m",
    "t.conf:2:18: found \"-5m\", expected 0 or a length from 1s to 7d" + negative
  ),
  (
    "sit.length = -5m",
    "t.conf:2:14: found \"-5m\", expected a length from 1s to 7d, open, or until and a time such "
      + "as until 07:00" + negative
  ),
  (
    "sit.length = open\ninterval.fractions = 1/2",
    "t.conf:3:1: found \"interval.fractions = 1/2\", expected no fractions in an open sit, which "
      + "has no length to count by"
  ),
  (
    "sit.length = open\ninterval.from-end = 5m",
    "t.conf:3:1: found \"interval.from-end = 5m\", expected no from-end in an open sit, which has "
      + "no length to count by"
  ),
  (
    "sit.length = open\ninterval.random = 2",
    "t.conf:3:1: found \"interval.random = 2\", expected no random in an open sit, which has no "
      + "length to count by"
  ),
  (
    "sit.length = 10m\ninterval.random = 31",
    "t.conf:3:1: found \"interval.random = 31\", expected at most 30, one in 20s of the sit (10m)"
  ),
  (
    "sit.length = 30m\ninterval.random = 4 in 5m..6m",
    "t.conf:3:19: found \"4 in 5m..6m\", expected at most 3, one in 20s of the window (1m)"
  ),
  (
    "sit.length = 20m\ninterval.random = 3 in 5m..25m",
    "t.conf:3:1: found \"interval.random = 3 in 5m..25m\", expected a window up to 20m, since the "
      + "sit lasts 20m"
  ),
  (
    "sit.length = 20m\ninterval.random = 3 in 5m-15m",
    "t.conf:3:24: found \"5m-15m\", expected a whole number from 0 to 1000, or one and a window "
      + "such as 3 in 5m..25m"
  ),
  (
    "sit.length = 20m\ninterval.random = 3 between 5m..15m",
    "t.conf:3:19: found \"3 between 5m..15m\", expected a whole number from 0 to 1000, or one "
      + "and a window such as 3 in 5m..25m"
  ),
  (
    "sit.length = 20m\ninterval.random = 3 in 15m..5m",
    "t.conf:3:24: found \"15m..5m\", expected a whole number from 0 to 1000, or one and a window "
      + "such as 3 in 5m..25m"
  ),
  // What would come with another bell, or after the end.
  (
    "sit.length = 20m\ninterval.every = 20m",
    "t.conf:3:1: found \"interval.every = 20m\", expected at most 19m59s, since the sit lasts 20m"
  ),
  (
    "sit.length = 20m\ninterval.at = 5m, 20m",
    "t.conf:3:19: found \"20m\", expected at most 19m59s, since the sit lasts 20m"
  ),
  (
    "sit.length = 20m\ninterval.at = 19m59s1ms",
    "t.conf:3:15: found \"19m59s1ms\", expected at most 19m59s, since the sit lasts 20m"
  ),
  (
    "sit.length = 20m\ninterval.from-end = 20m",
    "t.conf:3:21: found \"20m\", expected at most 19m59s, since the sit lasts 20m"
  ),
  (
    "sit.length = 20m\ninterval.from-end = 0",
    "t.conf:3:21: found \"0\", expected a length from 1s to 7d"
  ),
  (
    "interval.fractions = 1/2, 0/1",
    "t.conf:2:27: found \"0/1\", expected a list of fractions between 0 and 1 such as 1/2, 3/4, "
      + "each denominator at most 100"
  ),
  (
    "interval.fractions = 1/1",
    "t.conf:2:22: found \"1/1\", expected a list of fractions between 0 and 1 such as 1/2, 3/4, "
      + "each denominator at most 100"
  ),
  (
    "sit.length = 30s\ninterval.fractions = 1/2, 1/100",
    "t.conf:3:27: found \"1/100\", expected a part at least a second from both ends, since the sit "
      + "lasts 30s"
  ),
  (
    "segments = walk 10m, sit 25m\ninterval.at = 1m, 10m",
    "t.conf:3:19: found \"10m\", expected another span, since a segment ends at 10m with a bell of "
      + "its own"
  ),
  (
    "segments = walk 10m, sit 10m\ninterval.every = 10m",
    "t.conf:3:1: found \"interval.every = 10m\", expected another span, since a segment ends at "
      + "10m with a bell of its own"
  ),
  (
    "segments = walk 10m, sit 10m\ninterval.fractions = 1/2",
    "t.conf:3:22: found \"1/2\", expected another part, since a segment ends at 10m with a bell of "
      + "its own"
  ),
  (
    "sit.length = open\ninterval.at = 3h",
    "t.conf:3:15: found \"3h\", expected at most 2h59m59s, since an open sit lasts at most 3h"
  ),
  (
    "sit.length = until 07:00\ninterval.at = 26h",
    "t.conf:3:15: found \"26h\", expected at most 1d59m59s, since a sit until a time lasts at most "
      + "1d1h"
  ),
  (
    "segments = walk 500ms, sit 25m",
    "t.conf:2:17: found \"500ms\", expected a length from 1s to 7d"
  ),
  (
    "segments = walk 4d, sit 3d1s",
    "t.conf:2:1: found \"segments = walk 4d, sit 3d1s\", expected a sit of at most 7d (this is "
      + "7d1s)"
  ),
  (
    "segments = sit 1d\nrounds = 8",
    "t.conf:3:1: found \"rounds = 8\", expected a sit of at most 7d (this is 8d)"
  ),
  (
    "segments = sit 1m, walk 1m\nrounds = 501",
    "t.conf:3:1: found \"rounds = 501\", expected at most 500: a sit has at most 1000 segments"
  ),
  ("rounds = 2", "t.conf:2:1: found \"rounds = 2\", expected segments to go through beside it"),
  (
    "segments = sit 25m\nsit.length = 30m",
    "t.conf:3:1: found \"sit.length = 30m\", expected no sit.length beside segments, which make "
      + "it up"
  ),
]

@Test(arguments: unringable)
func programme_thatCannotBeRung_isRefusedWithItsPlace(text: String, message: String) {
  #expect(messages("[programme x]\n" + text) == message)
}

private let misspelt: [(text: String, message: String)] = [
  ("segments = walk", "t.conf:2:12: found \"walk\", " + segments),
  ("segments = walk 10m sit 25m", "t.conf:2:12: found \"walk 10m sit 25m\", " + segments),
  ("segments = sit 25m, wa.lk 1m", "t.conf:2:21: found \"wa.lk 1m\", " + segments),
  (
    "segments = sit 25, walk 1m",
    "t.conf:2:16: found \"25\", expected a unit: d, h, m, s, ms or us"
  ),
  (
    "sit.length = opn",
    "t.conf:2:14: found \"opn\", expected a length from 1s to 7d, open, or until and a time such "
      + "as until 07:00; did you mean \"open\"?"
  ),
  (
    "sit.length = until 25:00",
    "t.conf:2:14: found \"until 25:00\", expected a length from 1s to 7d, open, or until and a "
      + "time such as until 07:00"
  ),
  (
    "interval.fractions = 1/2, 2/1",
    "t.conf:2:27: found \"2/1\", expected a list of fractions between 0 and 1 such as 1/2, 3/4, "
      + "each denominator at most 100"
  ),
  (
    "interval.fractions = 1/2, 2/4",
    "t.conf:2:27: found a second \"2/4\", expected it once"
  ),
  (
    "segments = sit 25m, walk 10m\nbell.wlk.begin.strikes = 2",
    "t.conf:3:1: found \"bell.wlk.begin.strikes = 2\", expected a bell of a segment: sit or walk; "
      + "did you mean \"walk\"?"
  ),
  (
    "bell.walk.begin.strikes = 2",
    "t.conf:2:1: found \"bell.walk.begin.strikes = 2\", expected segments beside a bell of theirs"
  ),
  (
    "segments = sit 25m, walk 10m\nbell.walk.begn.strikes = 2",
    "t.conf:3:1: found \"bell.walk.begn.strikes\", expected segments, rounds, sit.length, a key of "
      + "[sit], [interval] or [bell ROLE] with its section before it, or a key such as "
      + "bell.walk.begin.strikes; did you mean \"bell.walk.begin.strikes\"?"
  ),
  (
    "segments = sit 25m, walk 10m\nbell.walk.begin.strikes = 108",
    "t.conf:3:1: found \"bell.walk.begin.strikes = 108\", expected strikes that end within 10m at "
      + "bell.walk.begin.gap 6s"
  ),
  (
    "bell.end.pattern = roll\nbell.end.gap = 2s",
    "t.conf:3:1: found \"bell.end.gap = 2s\", expected no gap beside bell.end.pattern"
  ),
  (
    "sit.recover = wait",
    "t.conf:2:1: found \"sit.recover\", expected segments, rounds, sit.length, a key of [sit], "
      + "[interval] or [bell ROLE] with its section before it, or a key such as "
      + "bell.walk.begin.strikes"
  ),
]

@Test(arguments: misspelt)
func programme_misspelt_isRefusedWithTheNearest(text: String, message: String) {
  let found = messages("[programme x]\n" + text)
  // The nearest to a key that exists elsewhere is whatever it is.
  #expect(found == message || (message.hasSuffix("strikes") && found.hasPrefix(message)))
}

@Test func programme_atTheEndsOfItsRules_isTaken() {
  let taken = [
    "sit.length = 30m\ninterval.every = 29m59s\ninterval.at = 1s\ninterval.from-end = 1s",
    "sit.length = 30m\ninterval.at = 29m59s\ninterval.from-end = 29m59s",
    "sit.length = 10m\ninterval.random = 30", "sit.length = 10m\ninterval.random = 15 in 5m..10m",
    "sit.length = open\ninterval.random = 3 in 5m..25m",
    "segments = walk 10m, sit 10m\n"
      + "interval.at = 9m59s, 10m1s\ninterval.every = 5m", "segments = sit 7d",
    "segments = walk 1s, sit 1s",
    "segments = sit 1m\nrounds = 1000", "sit.length = until 00:00\ninterval.fractions = 1/100",
    "sit.length = open\ninterval.every = 5m\ninterval.at = 3m", "sit.minimum = 30m",
    "segments = sit 5m\nbell.sit.end.pattern = roll",
  ]
  for text in taken { #expect(messages("[programme x]\n" + text) == "", "\(text)") }
}

@Test(arguments: [
  (
    "[programme simple]\nsit.length = 5m",
    "t.conf:1:12: found \"simple\", expected another name; what simple is stands in [sit], "
      + "[interval] and [bell ROLE]"
  ),
  (
    "[programme 2 rounds]",
    "t.conf:1:12: found \"2 rounds\", expected a name of 1 to 63 characters other than open and "
      + "until, without a dot, whose first is no digit and no dash"
  ),
  (
    "[programme a.b]",
    "t.conf:1:12: found \"a.b\", expected a name of 1 to 63 characters other than open and "
      + "until, without a dot, whose first is no digit and no dash"
  ),
])
func programme_wronglyNamed_isRefused(text: String, message: String) {
  #expect(messages(text) == message)
}

@Test func programme_unknownSound_isRefusedWithTheNearest() throws {
  let configuration = try configuration("[programme x]\nbell.end.sound = keisuu\n")
  do {
    try configuration.check(sounds: ["keisu", "large-bowl"])
    Issue.record("an unknown sound was taken")
  } catch {
    #expect(
      error.text
        == "t.conf:2:18: found \"keisuu\", expected keisu, large-bowl or none; did you mean "
        + "\"keisu\"?"
    )
  }
  try configuration.check()
}

@Test func lengths_moreThanAJournalHolds_areRefused() {
  func text(_ count: Int) -> String {
    let lengths = (1...count).map { "\($0)s" }.joined(separator: ", ")
    var configuration = Configuration()
    do throws(SettingsProblems) {
      try configuration.read(Array("[interval]\nat = \(lengths)\n".utf8), file: "t.conf")
      return ""
    } catch {
      return error.text
    }
  }
  #expect(text(1_000) == "")
  #expect(text(1_001) == "t.conf:2:6: found \"1001 lengths\", expected at most 1000")
}
