import Bells
import Testing

private let changes = "one of: back, busy, drift, gone, ok, refuse, stall, swallow"
private let states = "one of: closed, fallback, lost, open"
private let roles = "one of: cue, reminder, start, interval, segment, end"
private let cues =
  "one of: yes, no, pause, resume, detent, fifth-minute, programme, rating, ask, volume"

private let wrongSound: [(statement: String, message: String)] = [
  ("at 1s audio", "12: found the end of the line, expected \(changes)"),
  ("at 1s audio gon", "13: found \"gon\", expected \(changes); did you mean \"gone\"?"),
  ("at 1s audio gone now", "18: found \"now\", expected the end of the line"),
  ("at 1s audio stall", "18: found the end of the line, expected a length from 1ms to 1h"),
  ("at 1s audio stall 0", "19: found \"0\", expected a length from 1ms to 1h"),
  ("at 1s audio stall 3601s", "19: found \"3601s\", expected a length from 1ms to 1h"),
  ("at 1s audio swallow", "20: found the end of the line, expected a length from 1ms to 1h"),
  ("at 1s audio swallow 1.5s", "22: found \"1.5s\", expected a unit: d, h, m, s, ms or us"),
  (
    "at 1s audio drift",
    "18: found the end of the line, expected a drift from -10000ppm to 10000ppm"
  ),
  ("at 1s audio drift 300", "19: found \"300\", expected a drift from -10000ppm to 10000ppm"),
  (
    "at 1s audio drift 10001ppm",
    "19: found \"10001ppm\", expected a drift from -10000ppm to 10000ppm"
  ),
  (
    "at 1s audio drift -10001ppm",
    "19: found \"-10001ppm\", expected a drift from -10000ppm to 10000ppm"
  ),
  ("at 1s audio drift ppm", "19: found \"ppm\", expected a drift from -10000ppm to 10000ppm"),
  ("audio gone", "1: found \"audio\", expected \"at\" before it"),
  ("at 1s ring large-bowl twice", "23: found \"twice\", expected the end of the line"),
  ("at 1s set volume.end", "21: found the end of the line, expected a number from 0 to 100"),
  ("at 1s set volume.end 101", "22: found \"101\", expected a number from 0 to 100"),
  ("at 1s set volume.en 50", "18: found \"en\", expected \(roles); did you mean \"end\"?"),
  ("at 1s unset volume.bell", "20: found \"bell\", expected \(roles)"),
  ("at 1s unset volume.end 50", "24: found \"50\", expected the end of the line"),
  ("at 1s unset", "12: found the end of the line, expected a device-local choice such as volume"),
  ("expect cues", "12: found the end of the line, expected a cue such as 10m:pause"),
  ("expect cues 1s", "13: found \"1s\", expected a cue such as 10m:pause"),
  ("expect cues 1s:pauze", "16: found \"pauze\", expected \(cues); did you mean \"pause\"?"),
  ("expect missed", "14: found the end of the line, expected a number from 0 to 1000000"),
  ("expect openings no", "17: found \"no\", expected a number from 0 to 1000000"),
  ("expect output opn", "15: found \"opn\", expected \(states); did you mean \"open\"?"),
]

@Test(arguments: wrongSound)
func sound_thatIsWrong_isSaidWithItsPlace(statement: String, message: String) {
  #expect(Scenarios.message("end 1h\n\(statement)\n") == "t:2:\(message)")
}

@Test func ring_ofASoundThatIsNotThere_namesTheNearest() throws {
  let message = try #require(Scenarios.message("at 1s ring large-bow\nend 1m"))
  #expect(message.hasPrefix("t:1:12: found \"large-bow\", expected one of: "))
  #expect(message.hasSuffix("; did you mean \"large-bowl\"?"))
}

@Test(arguments: ["-10000ppm", "+300ppm", "300ppm", "0ppm", "10000ppm"])
func drift_atTheEndsOfItsRange_isTaken(drift: String) {
  #expect(Scenarios.message("at 1s audio drift \(drift)\nend 1m") == nil)
}

@Test func volume_unset_isTheStandardOneAgain() throws {
  let lines = [
    "at 1s set volume 20", "at 2s expect volume 20", "at 3s unset volume",
    "at 4s expect volume 60", "end 1m",
  ]
  #expect(try Scenarios.failures(lines.joined(separator: "\n")) == [])
  #expect(
    Scenarios.message("at 1s unset volume 60\nend 1m")
      == "t:1:20: found \"60\", expected the end of the line")
}

@Test func bellSound_thatIsNotThere_isSaidAtItsPlace() throws {
  let message = try #require(Scenarios.message("end 1m\nset bell.end.sound  large-bow\n"))
  #expect(message.hasPrefix("t:2:21: found \"large-bow\", expected "))
}
