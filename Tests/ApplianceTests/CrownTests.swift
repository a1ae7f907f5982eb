import Controls
import CrownFront
import Testing
import Ticks
import TimerMachine

@testable import Appliance

/// PRODUCT's crown table, cell by cell: what is told (`dark` for a face that went dark), and the
/// strikes that answer. Where there is none the light answers, the start bell, or nothing happens.
private let crownTable: [(Phase, CrownGesture, [String], String)] = [
  (.idle, .turn, ["set 21m"], ""),
  (.idle, .pressAndTurn, ["volume 65"], "volume"),
  (.idle, .click, ["idle>preparing"], "yes"),
  (.idle, .double, [], "programme"),
  (.idle, .long, ["dark"], ""),
  (.preparing, .turn, ["volume 65"], "volume"),
  (.preparing, .pressAndTurn, ["volume 65"], "volume"),
  (.preparing, .click, ["preparing>running", "begun"], ""),
  (.preparing, .long, ["preparing>idle"], "yes"),
  (.running, .turn, ["volume 65"], ""),
  (.running, .pressAndTurn, ["volume 65"], ""),
  (.running, .click, ["running>paused"], "pause"),
  (.running, .double, ["dark"], ""),
  (.running, .long, ["running>ended", "closed"], "yes"),
  (.paused, .turn, [], ""),
  (.paused, .pressAndTurn, [], ""),
  (.paused, .click, ["paused>running"], "resume"),
  (.paused, .long, ["paused>ended", "closed"], "yes"),
  (.overtime, .turn, ["volume 65"], ""),
  (.overtime, .pressAndTurn, ["volume 65"], ""),
  (.overtime, .click, ["overtime>ended", "closed"], "yes"),
  (.overtime, .long, ["overtime>ended", "closed"], "yes"),
  (.ended, .turn, [], ""),
  (.ended, .pressAndTurn, [], ""),
  (.ended, .click, ["ended>idle"], "yes"),
  (.ended, .long, ["asked delete"], "ask ask"),
]

@Test(arguments: crownTable)
func crown_everyCell_doesWhatTheTableSays(
  phase: Phase, gesture: CrownGesture, effects: [String], answer: String
) {
  var bench = bench(for: phase)
  let instant = bench.reach(phase)
  #expect(bench.appliance.phase == phase)
  bench.make(gesture, at: instant + .milliseconds(10))
  bench.advance(to: instant + .milliseconds(1_500))
  let dark = bench.appliance.isBlackedOut ? ["dark"] : []
  #expect(bench.effects + dark == effects)
  #expect(bench.cueText == answer)
  #expect(bench.isEachCueWithinATwelfthOfASecond)
}

@Test func crownTable_ofTheseTests_hasEveryCellButUnboundDoubles() {
  for phase in Phase.allCases {
    for gesture in CrownGesture.allCases {
      let rows = crownTable.filter { $0.0 == phase && $0.1 == gesture }
      let isUnboundDouble = gesture == .double && CrownMapping()[phase, .double] == nil
      #expect(rows.count == (isUnboundDouble ? 0 : 1), "\(phase.name) \(gesture)")
    }
  }
}

@Test func click_inIdle_startsThreeHundredFiftyMillisecondsAfterItsRelease() {
  var bench = Bench()
  bench.press(.crown, at: at(3))
  bench.advance(to: at(ms: 3_450) - nanosecond)
  #expect(bench.appliance.phase == .idle)
  bench.advance(to: at(ms: 3_450))
  #expect(bench.appliance.phase == .preparing)
  #expect(bench.changes.last == Told(at: at(ms: 3_450), text: "idle>preparing"))
}

@Test func click_inPaused_resumesWithTheDebouncedRelease() {
  var bench = Bench()
  let instant = bench.reach(.paused)
  bench.press(.crown, at: instant + .seconds(1))
  bench.advance(to: instant + .milliseconds(1_110) - nanosecond)
  #expect(bench.appliance.phase == .paused)
  bench.advance(to: instant + .milliseconds(1_110))
  #expect(bench.appliance.phase == .running)
}

@Test func longPress_heldAcrossThePlannedEnd_belongsToThePhaseOfItsPress() {
  var bench = Bench()
  bench.start(.fixed(.minutes(20)), at: at(0))
  bench.edge(.s, .low, at: at(ms: 1_209_700))
  bench.advance(to: at(1_212))
  #expect(bench.effects.suffix(3) == ["running>ended", "closed", "refused stop: the sit is over"])
}

@Test func press_inAnyPhase_opensTheOutputBeforeAnythingElse() {
  for phase in Phase.allCases {
    var bench = bench(for: phase)
    let instant = bench.reach(phase)
    bench.edge(.s, .low, at: instant + .milliseconds(10))
    bench.advance(to: instant + .milliseconds(20))
    #expect(bench.works == ["input crown press", "warm up"])
  }
}

// MARK: - Lock

@Test(arguments: [
  (CrownGesture.turn, ["refused crown: the crown is locked"], "no no"),
  (.pressAndTurn, ["refused crown: the crown is locked"], "no no"),
  (.click, ["refused crown: the crown is locked"], "no no"),
  (.double, ["refused crown: the crown is locked"], "no no"),
  (.long, ["running>ended", "closed"], "yes"),
])
func lock_whileRunning_letsOnlyALongPressAct(
  gesture: CrownGesture, effects: [String], answer: String
) {
  var bench = Bench { $0.isCrownLocked = true }
  let instant = bench.reach(.running)
  bench.make(gesture, at: instant + .milliseconds(10))
  bench.advance(to: instant + .milliseconds(1_500))
  #expect(bench.effects == effects)
  #expect(bench.cueText == answer)
  #expect(!bench.appliance.isBlackedOut)
  #expect(bench.appliance.volume == 60)
}

@Test func lock_outsideARunningSit_holdsNothing() {
  for (phase, gesture, effects, answer) in crownTable where phase != .running {
    var bench = bench(for: phase)
    bench.appliance = Appliance(
      settings: {
        var settings = ApplianceSettings()
        settings.isCrownLocked = true
        settings.plan.overtime = phase == .overtime
        return settings
      }())
    let instant = bench.reach(phase)
    bench.make(gesture, at: instant + .milliseconds(10))
    bench.advance(to: instant + .milliseconds(1_500))
    let dark = bench.appliance.isBlackedOut ? ["dark"] : []
    #expect(bench.effects + dark == effects, "\(phase.name) \(gesture)")
    #expect(bench.cueText == answer, "\(phase.name) \(gesture)")
  }
}

@Test func lock_whileRunning_leavesTheRemoteAlone() {
  var bench = Bench { $0.isCrownLocked = true }
  let instant = bench.reach(.running)
  bench.press(.play, at: instant + .milliseconds(10))
  bench.advance(to: instant + .seconds(1))
  #expect(bench.effects == ["running>paused"])
}
