import Bells
import Controls
import Testing
import Ticks
import TimerMachine

@testable import Appliance

extension Bench {
  fileprivate var cueDues: [String] {
    cues.map { "\($0.strike.cue.map { "\($0)" } ?? "")@\($0.strike.strike.due.milliseconds)" }
  }
}

// MARK: - Ticks of the length

@Test func detent_onADarkFace_ticksLowerAtEachFifthMinute() {
  var bench = Bench { $0.length = .minutes(18) }
  bench.handle(.faceSeen(false), at: at(0))
  bench.turn(3, at: at(1), every: .milliseconds(100))
  #expect(bench.cueDues == ["detent@1000", "fifthMinute@1100", "detent@1200"])
  bench.handle(.faceSeen(true), at: at(2))
  bench.turn(1, at: at(3))
  #expect(bench.cues.count == 3)
}

@Test(arguments: [
  (DetentCue.dark, true, 0), (.dark, false, 1), (.always, true, 1), (.always, false, 1),
  (.never, true, 0), (.never, false, 0),
])
func detent_bySetting_ticksOrNot(setting: DetentCue, isSeen: Bool, count: Int) {
  var bench = Bench {
    $0.cues.detent = setting
    $0.cues.hasTaps = false
  }
  bench.handle(.faceSeen(isSeen), at: at(0))
  bench.turn(1, at: at(1))
  #expect(bench.cues.count == count)
}

@Test func detents_fortyASecond_tickEveryFortyMillisecondsAndTheLastAlways() {
  var bench = Bench { $0.cues.detent = .always }
  bench.turn(40, at: at(1), every: .milliseconds(25))
  bench.advance(to: at(3))
  let dues = bench.cues.map(\.strike.strike.due.milliseconds)
  #expect(zip(dues, dues.dropFirst()).allSatisfy { $1 - $0 >= 40 })
  #expect(dues.count >= 24 && dues.count <= 26)
  // The last detent falls at 1,975 ms.
  #expect((1_975...2_015).contains(dues.last ?? 0))
}

@Test func detent_atTheEndOfTheRange_isSilent() {
  var bench = Bench {
    $0.length = .minutes(2)
    $0.cues.detent = .always
  }
  bench.turn(-3, at: at(1), every: .milliseconds(100))
  #expect(bench.cueDues == ["detent@1000"])
}

@Test func detent_thatWakesADarkFace_isSilent() {
  var bench = Bench()
  bench.make(.long, at: at(1))
  bench.turn(2, at: at(3))
  bench.advance(to: at(4))
  #expect(bench.cueText == "")
}

// MARK: - The volume

@Test func volume_whilePreparing_isHeardAtMostEveryQuarterSecondAndTheLastAlways() {
  var bench = Bench { $0.plan.preparation = .minutes(1) }
  let instant = bench.reach(.preparing)
  bench.turn(4, at: instant + .milliseconds(100), every: .milliseconds(50))
  bench.advance(to: instant + .seconds(2))
  #expect(bench.cueDues == ["volume@2100", "volume@2350"])
  #expect(bench.appliance.volume == 80)
  let strike = bench.cues[1].strike.strike
  #expect(strike.sound == 0 && strike.channel == 0 && strike.strength < 1)
}

@Test func volume_whileASitRuns_isSilent() {
  var bench = Bench()
  let instant = bench.reach(.running)
  bench.turn(4, at: instant + .milliseconds(100))
  bench.advance(to: instant + .seconds(2))
  #expect(bench.cueText == "")
}

@Test func volume_nearTheStartBell_isSilent() {
  var bench = Bench()
  bench.start(at: at(1))
  bench.turn(1, at: at(ms: 10_800))
  bench.advance(to: at(12))
  #expect(bench.cueText == "")
  #expect(bench.rungText == ["start1@11000"])
}

// MARK: - Taps

@Test func refusal_byHandOrByAProgram_isTwoLowTaps() {
  var bench = Bench { $0.isCrownLocked = true }
  let instant = bench.reach(.running)
  bench.command(.skip, at: instant)
  bench.advance(to: instant + .milliseconds(500))
  #expect(bench.effects.count == 1)
  bench.press(.crown, at: instant + .seconds(1))
  bench.advance(to: instant + .seconds(3))
  let due = (instant + .seconds(1)).milliseconds
  #expect(bench.cueText == "no no no no")
  let dues = bench.cues.map(\.strike.strike.due.milliseconds)
  #expect(dues[0] == instant.milliseconds && dues[1] - dues[0] == 150)
  #expect(dues[3] - dues[2] == 150 && dues[2] <= due + 600)
}

@Test func command_thatIsCarriedOut_hasNoTaps() {
  var bench = Bench()
  let instant = bench.reach(.running)
  bench.command(.skip, at: instant)
  bench.cues = []
  bench.command(.pause, at: instant + .seconds(1))
  bench.command(.resume, at: instant + .seconds(2))
  bench.advance(to: instant + .seconds(5))
  #expect(bench.cueText == "no")
}

@Test func refusals_thatComeFast_areOneAnswer() {
  var bench = Bench { $0.isCrownLocked = true }
  let instant = bench.reach(.running)
  bench.turn(10, at: instant + .milliseconds(100), every: .milliseconds(25))
  bench.advance(to: instant + .seconds(3))
  #expect(bench.effects.count == 10)
  #expect(bench.cueText == "no no")
}

@Test func taps_switchedOff_leaveTicksAndTheVolume() {
  var bench = Bench {
    $0.cues.hasTaps = false
    $0.cues.detent = .always
  }
  bench.turn(1, at: at(1))
  bench.make(.pressAndTurn, at: at(2))
  bench.make(.click, at: at(4))
  bench.advance(to: at(6))
  #expect(bench.cueText == "detent volume")
}

@Test func pauseAndResume_soundDifferent() {
  var bench = Bench()
  let instant = bench.reach(.running)
  bench.press(.play, at: instant + .seconds(1))
  bench.press(.play, at: instant + .seconds(3))
  bench.advance(to: instant + .seconds(5))
  #expect(bench.cueText == "pause resume")
}

@Test func cue_whoseOutputIsNotReadyWithinASecond_isDropped() {
  for (leadIn, count) in [
    (Span.milliseconds(999), 1), (.milliseconds(1_000), 1), (.milliseconds(1_001), 0),
  ] {
    var bench = Bench()
    let instant = bench.reach(.running)
    bench.handle(.output(.closed(leadIn: leadIn)), at: instant)
    bench.press(.play, at: instant + .seconds(1))
    bench.advance(to: instant + .seconds(5))
    #expect(bench.cues.count == count)
  }
}

@Test func cue_thatNoOutputTakes_isDroppedAfterASecond() {
  var bench = Bench()
  let instant = bench.reach(.running)
  bench.rings = false
  bench.press(.play, at: instant + .milliseconds(100))
  // The press is decided 110 ms after it.
  bench.advance(to: instant + .milliseconds(1_210) - nanosecond)
  bench.rings = true
  bench.advance(to: bench.now)
  #expect(bench.cueText == "pause")
  bench.rings = false
  bench.press(.play, at: instant + .seconds(3))
  bench.advance(to: instant + .milliseconds(4_110))
  bench.rings = true
  bench.advance(to: instant + .seconds(5))
  #expect(bench.cueText == "pause")
  #expect(bench.appliance.nextDeadline.map { $0 > bench.now } == true)
}

/// The two taps of a refusal, the first so long after a bell; those within 250 ms of it are none.
@Test(arguments: [
  (Int64(-401), 2), (-400, 2), (-399, 1), (-250, 1), (-249, 0), (0, 0), (60, 0), (99, 0),
  (100, 1), (249, 1), (250, 2),
])
func cue_besideABell_keepsOffItAndLeavesItAsItIs(offset: Int64, count: Int) {
  var bench = Bench { $0.plan.intervals.every = .seconds(30) }
  bench.start(at: at(0))
  bench.command(.skip, at: at(40) + .milliseconds(offset))
  bench.advance(to: at(50))
  #expect(bench.rungText.prefix(2) == ["start1@10000", "interval1@40000"])
  #expect(bench.cues.count == count)
}

@Test func cue_besideABellThatRingsLate_keepsOffWhereItSounds() {
  var bench = Bench { $0.plan.intervals.every = .seconds(30) }
  bench.start(at: at(0))
  bench.advance(to: at(39))
  bench.rings = false
  bench.advance(to: at(42))
  bench.rings = true
  bench.command(.skip, at: at(ms: 42_060))
  bench.advance(to: at(50))
  #expect(bench.rungText.prefix(2) == ["start1@10000", "interval1@42000"])
  #expect(bench.cueText == "")
}

@Test func cue_ofThePlannedBell_isStillThere() {
  var bench = Bench()
  let instant = bench.reach(.running)
  bench.command(.pause, at: instant)
  bench.advance(to: instant + .minutes(10))
  #expect(bench.rungText.last?.hasPrefix("cue1@") == true)
  #expect(bench.cues.isEmpty)
}

// MARK: - A bell by command

@Test func ring_inAnyPhase_soundsOnceAsLoudAsTheEndBell() {
  for phase in Phase.allCases {
    var bench = Bench { settings in
      settings.plan.overtime = phase == .overtime
      settings.bells[Int(BellRole.end.rawValue)] = BellRecipe(sound: 0, strikes: 3, gain: 0.5)
      settings.roleVolumes[Int(BellRole.end.rawValue)] = 90
    }
    let instant = bench.reach(phase)
    bench.rung = []
    bench.handle(.command(.ring(sound: nil)), at: instant)
    bench.advance(to: instant + .seconds(1))
    let rung = bench.rung.filter { $0.strike.role == .cue }
    #expect(rung.count == 1 && bench.appliance.phase == phase)
    let strike = rung.first?.strike.strike
    #expect(strike?.gain == 0.5 && strike?.strength == 1)
    #expect(strike?.channel == 1 + BellRole.end.rawValue)
    #expect(bench.cues.isEmpty)
  }
}

@Test func ring_whileABellStrikes_cancelsNothing() {
  var bench = Bench { $0.plan.preparation = .zero }
  bench.start(.fixed(.minutes(1)), at: at(0))
  bench.handle(.command(.ring(sound: 0)), at: at(63))
  bench.advance(to: at(100))
  #expect(
    bench.rungText == ["start1@0", "end1@60000", "cue1@63000", "end2@66000", "end3@72000"])
}

@Test func ring_whileOneStillWaits_takesItsPlaceAndCostsTheEndBellNothing() {
  var bench = Bench { $0.plan.preparation = .zero }
  bench.start(.fixed(.minutes(1)), at: at(0))
  bench.advance(to: at(59))
  bench.rings = false
  for index in 0..<30 {
    bench.handle(.command(.ring(sound: index % 2)), at: at(ms: 60_000 + 10 * Int64(index)))
  }
  bench.rings = true
  bench.advance(to: at(100))
  #expect(
    bench.rungText == ["start1@0", "end1@60290", "cue1@60290", "end2@66000", "end3@72000"])
  #expect(bench.rung.first { $0.strike.role == .cue }?.strike.strike.sound == 1)
}

@Test func ring_againAndAgain_isHeardAtTheInstantOfTheFirst() {
  var bench = Bench()
  bench.handle(.output(.open(from: at(0), latency: .milliseconds(60))), at: at(0))
  for index in 0..<9 {
    bench.handle(.command(.ring(sound: nil)), at: at(ms: 1_000 + 10 * Int64(index)))
  }
  bench.advance(to: at(2))
  #expect(bench.rungText == ["cue1@1060", "cue1@1120"])
}

// MARK: - Volumes

@Test func volumes_ofARole_standAloneUntilItFollowsAgain() {
  var bench = Bench()
  bench.handle(.command(.setRoleVolume(.end, 30)), at: at(1))
  bench.handle(.command(.setVolume(80)), at: at(2))
  let end = Int(BellRole.end.rawValue) + 1
  #expect(bench.appliance.volumes[end] == 30)
  #expect(bench.appliance.volumes[0] == 80 && bench.appliance.volumes[1] == 80)
  bench.start(.fixed(.minutes(1)), at: at(3))
  // Each role has its own channel, so that what rings follows as well as what is to come.
  let channels = [UInt8(BellRole.start.rawValue) + 1] + [UInt8](repeating: UInt8(end), count: 3)
  #expect(bench.plan.map(\.strike.channel) == channels)
  bench.handle(.command(.setRoleVolume(.end, nil)), at: at(5))
  #expect(bench.plan.map(\.strike.channel) == channels)
  #expect(bench.appliance.volumes[Int(channels[0])] == 80)
  #expect(bench.appliance.volumes[end] == 80)
}

// MARK: - Under a sit

@Test func ambient_soundsFromTheFirstPreparationAndRestsInAPause() {
  var bench = Bench { $0.ambient = .rain }
  bench.start(.fixed(.minutes(1)), at: at(0))
  bench.command(.pause, at: at(20))
  bench.command(.resume, at: at(30))
  bench.advance(to: at(200))
  let works = bench.works.filter { $0.hasPrefix("ambient") || $0.hasPrefix("sitting") }
  #expect(
    works == [
      "sitting true", "ambient rain", "ambient none", "ambient rain", "sitting false",
      "ambient none",
    ])
}
