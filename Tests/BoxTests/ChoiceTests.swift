import Box
import Controls
import Sessions
import Testing
import Ticks

/// A detent of a clean knob, of which each cycle lasts 25 ms.
private func turn(_ bench: inout BoxBench, _ step: Int, from start: Int64) {
  let first: Line = step > 0 ? .a : .b
  let second: Line = step > 0 ? .b : .a
  let quarters: [(Line, Level)] = [(first, .low), (second, .low), (first, .high), (second, .high)]
  for (index, quarter) in quarters.enumerated() {
    let instant = at(ms: start + Int64(index) * 6)
    let edge = Edge(line: quarter.0, level: quarter.1, at: instant)
    bench.handle(.appliance(.edge(edge)), at: instant)
  }
}

@Test func volume_fortyDetentsASecondForTenSeconds_isWrittenOnce() {
  var bench = BoxBench()
  bench.handle(.appliance(.command(.start(.open))), at: at(1))
  bench.advance(to: at(20))
  for index in 0..<400 as Range<Int64> {
    turn(&bench, index / 10 % 2 == 0 ? -1 : 1, from: 20_000 + index * 25)
  }
  bench.advance(to: at(ms: 29_993 + 4_999))
  #expect(bench.choices == [])
  bench.advance(to: at(60))
  #expect(bench.choices == [DeviceChoices(volume: bench.box.appliance.volume)])
}

@Test func choice_thatIsNotWritten_isSaidAndTriedAgain() {
  var bench = BoxBench()
  bench.handle(.appliance(.command(.setVolume(30))), at: at(1))
  bench.advance(to: at(6))
  #expect(bench.choices == [DeviceChoices(volume: 30)])
  bench.handle(.store([.choicesFailed(reason: "the disk is full")]), at: at(7))
  #expect(
    bench.box.degraded == ["Choices are not saved: the disk is full. They are kept in memory."])
  bench.advance(to: at(66))
  #expect(bench.choices.count == 1)
  bench.advance(to: at(67))
  #expect(bench.choices.count == 2)
  bench.handle(.store([.choicesWritten]), at: at(68))
  #expect(bench.box.degraded == [])
  bench.advance(to: at(1_000))
  #expect(bench.choices.count == 2)
}

@Test func choices_ofRolesAndOfTheDevice_areKeptOnceTheyStand() {
  var bench = BoxBench()
  bench.handle(.appliance(.command(.setRoleVolume(.end, 30))), at: at(1))
  bench.handle(.soundDevice("hw:CARD=DAC"), at: at(2))
  bench.advance(to: at(7) - nanosecond)
  #expect(bench.choices == [])
  bench.advance(to: at(7))
  let kept = DeviceChoices(
    volume: 60, roleVolumes: [nil, nil, nil, nil, nil, 30], soundDevice: "hw:CARD=DAC")
  #expect(bench.choices == [kept])
  #expect(bench.box.state(at: at(8)).roleVolumes == ["end": 30])
  bench.handle(.appliance(.command(.setRoleVolume(.end, nil))), at: at(9))
  bench.handle(.soundDevice(nil), at: at(9))
  bench.advance(to: at(20))
  #expect(bench.choices.last == DeviceChoices(volume: 60))
}

@Test func choice_atTheEndOfTheBox_isKeptAtOnce() {
  var bench = BoxBench()
  bench.handle(.appliance(.command(.setVolume(30))), at: at(1))
  bench.box.keepChoices()
  bench.advance(to: at(1))
  #expect(bench.choices == [DeviceChoices(volume: 30)])
}

@Test func choices_ofTheRemote_areWrittenOnceTheyStand() {
  var bench = BoxBench()
  let keys: [Line] = [.down, .select, .right, .select]
  for (index, key) in keys.enumerated() {
    let instant = at(Int64(index) + 1)
    for (level, after) in [(Level.low, Span.zero), (.high, .milliseconds(100))] {
      bench.handle(
        .appliance(.edge(Edge(line: key, level: level, at: instant + after))), at: instant + after)
    }
  }
  // The last one is decided 110 ms after its press.
  bench.advance(to: at(ms: 9_110) - nanosecond)
  #expect(bench.choices == [])
  bench.advance(to: at(60))
  #expect(
    bench.choices == [DeviceChoices(volume: 60, choices: bench.box.appliance.choices)])
  #expect(bench.box.appliance.choices.chosen == [.bell, .interval])
  let panel = bench.box.state(at: at(60)).panel
  #expect(panel.bell == "small-bowl" && panel.interval == "1m")
}
