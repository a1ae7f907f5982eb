import Bells
import Controls
import Testing
import Ticks
import TimerMachine

@testable import Appliance

/// PRODUCT's remote table: one row a phase; the cells of left, up, down, select, play, back. What
/// the picture shows stands beside what is told: `dark`, `asks`, `time hidden`, or a focus that
/// moved.
private let remoteTable: [(Phase, [[String]])] = [
  (
    .idle, [["15m"], [], ["bell"], ["idle>preparing"], ["idle>preparing"], ["dark"]]
  ),
  (
    .preparing,
    [
      [], ["volume 65"], ["volume 55"], ["preparing>running", "begun"],
      ["preparing>running", "begun"], ["preparing>idle"],
    ]
  ),
  (
    .running,
    [[], ["volume 65"], ["volume 55"], ["time hidden"], ["running>paused"], ["asks"]]
  ),
  (
    .paused,
    [[], ["volume 65"], ["volume 55"], ["paused>running"], ["paused>running"], ["asks"]]
  ),
  (
    .overtime,
    [
      [], ["volume 65"], ["volume 55"], ["overtime>ended", "closed"],
      ["overtime>ended", "closed"], ["overtime>ended", "closed"],
    ]
  ),
  (.ended, [[], [], [], ["ended>idle"], ["ended>idle"], ["ended>idle"]]),
]

/// What is heard of the same cells. The picture shows the rest.
private let remoteAnswers: [(Phase, [String])] = [
  (.idle, ["", "", "", "yes", "yes", ""]),
  // The start bell answers a skip.
  (.preparing, ["", "", "", "", "", "yes"]),
  (.running, ["", "", "", "", "pause", ""]),
  (.paused, ["", "", "", "resume", "resume", ""]),
  (.overtime, ["", "", "", "yes", "yes", "yes"]),
  (.ended, ["", "", "", "yes", "yes", "yes"]),
]

@Test(arguments: remoteAnswers)
func remote_everyCell_isAnsweredAsTheTableSays(phase: Phase, answers: [String]) {
  let buttons: [Button] = [.left, .up, .down, .select, .play, .back]
  for (button, answer) in zip(buttons, answers) {
    var bench = bench(for: phase)
    let instant = bench.reach(phase)
    bench.press(button, at: instant + .milliseconds(10))
    bench.advance(to: instant + .seconds(1))
    #expect(bench.cueText == answer, "\(phase.name) \(button.name)")
    #expect(bench.isEachCueWithinATwelfthOfASecond)
  }
}

extension Bench {
  /// What the picture shows beside the timer, where it is not as at the start.
  fileprivate var shown: [String] {
    let focus = appliance.focus.map { $0 == "20m" ? [] : [$0] } ?? []
    let signs = [
      (appliance.isBlackedOut, "dark"), (appliance.isAskingEnd, "asks"),
      (appliance.isTimeHidden, "time hidden"), (appliance.isDimmed, "dimmed"),
    ]
    return focus + signs.filter(\.0).map(\.1)
  }
}

@Test(arguments: remoteTable)
func remote_everyCell_doesWhatTheTableSays(phase: Phase, cells: [[String]]) {
  let buttons: [Button] = [.left, .up, .down, .select, .play, .back]
  for (button, effects) in zip(buttons, cells) {
    var bench = bench(for: phase)
    let instant = bench.reach(phase)
    bench.press(button, at: instant + .milliseconds(10))
    bench.advance(to: instant + .seconds(1))
    #expect(bench.effects + bench.shown == effects, "\(phase.name) \(button.name)")
  }
}

@Test func remote_rightKey_movesTheFocusInIdleAlone() {
  for phase in Phase.allCases {
    var bench = bench(for: phase)
    let instant = bench.reach(phase)
    bench.press(.right, at: instant + .milliseconds(10))
    bench.advance(to: instant + .seconds(1))
    #expect(bench.effects + bench.shown == (phase == .idle ? ["30m"] : []))
  }
}

@Test func remote_heldUpKey_stepsOnceForEachRepeatAndNotForItsRelease() {
  var bench = Bench()
  let instant = bench.reach(.running)
  bench.press(.up, at: instant, for: .milliseconds(600))
  #expect(bench.effects == ["volume 65"])
  bench.advance(to: instant + .seconds(2))
  #expect(bench.effects == ["volume 65"])
  bench.press(.down, at: instant + .seconds(3), for: .milliseconds(901))
  bench.advance(to: instant + .seconds(5))
  #expect(bench.effects == ["volume 65", "volume 60", "volume 55", "volume 50"])
}

@Test func remote_longPressOfAKeyThatDoesNotRepeat_hasNoMeaning() {
  for button in [Button.select, .back, .play] {
    var bench = Bench()
    let instant = bench.reach(.running)
    bench.press(button, at: instant, for: .seconds(1))
    bench.advance(to: instant + .seconds(2))
    #expect(bench.effects == [])
  }
}

@Test func play_inIdle_startsTheLengthThatWasSatLast() {
  var bench = Bench()
  bench.start(.fixed(.minutes(7)), at: at(1))
  bench.command(.discard, at: at(20))
  bench.turn(5, at: at(21))
  bench.press(.play, at: at(30))
  bench.advance(to: at(31))
  #expect(bench.appliance.timer.plan?.length == .minutes(7))
  #expect(bench.appliance.setSpan == .minutes(25))
}

@Test func play_afterATurn_startsWhatTheKnobHadSetThen() {
  var bench = Bench()
  bench.start(at: at(1))
  bench.command(.stop, at: at(2))
  bench.turn(5, at: at(21))
  bench.press(.play, at: at(30))
  bench.advance(to: at(31))
  #expect(bench.appliance.timer.plan?.length == .minutes(20))
}

@Test func play_beforeAnySit_startsTheLengthThatIsSet() {
  var bench = Bench()
  bench.turn(5, at: at(1))
  bench.press(.play, at: at(30))
  bench.advance(to: at(31))
  #expect(bench.appliance.timer.plan?.length == .minutes(25))
}

@Test func play_afterAnOpenSit_startsAnOpenSit() {
  var bench = Bench()
  bench.start(.open, at: at(1))
  bench.command(.discard, at: at(20))
  bench.press(.play, at: at(30))
  bench.advance(to: at(31))
  #expect(bench.appliance.phase == .preparing)
  #expect(bench.appliance.timer.plan?.length == nil)
}

// MARK: - The focus row

extension Bench {
  /// Presses keys half a second apart, and waits until the last is decided.
  fileprivate mutating func press(_ buttons: [Button], from instant: Instant) {
    for (index, button) in buttons.enumerated() {
      press(button, at: instant + .milliseconds(500 * Int64(index)))
    }
    advance(to: now + .milliseconds(20))
  }
}

@Test func select_onALength_startsItAndPlayStartsItAgain() {
  var bench = Bench()
  bench.press([.right, .select], from: at(1))
  #expect(bench.appliance.timer.plan?.length == .minutes(30))
  #expect(bench.appliance.setSpan == .minutes(20))
  bench.command(.discard, at: at(5))
  #expect(bench.appliance.focus == "30m")
  bench.press([.left, .play], from: at(6))
  #expect(bench.appliance.timer.plan?.length == .minutes(30))
}

@Test func select_onTheProgramme_startsTheSitThatIsSet() {
  var bench = Bench { $0.length = .minutes(50) }
  #expect(bench.appliance.focus == "45m")
  bench.press([.right, .right, .right], from: at(1))
  #expect(bench.appliance.focus == "simple")
  bench.press([.select], from: at(5))
  #expect(bench.appliance.timer.plan?.length == .minutes(50))
}

@Test func select_onAChoice_changesTheNextSit() {
  var bench = Bench { $0.plan.preparation = .seconds(10) }
  bench.press([.down, .right, .select, .right, .select], from: at(1))
  #expect(bench.appliance.choices.interval == .minutes(1))
  #expect(bench.appliance.choices.preparation == .seconds(30))
  #expect(bench.appliance.phase == .idle)
  bench.start(.fixed(.minutes(3)), at: at(10))
  bench.advance(to: at(400))
  #expect(
    bench.rungText == [
      "start1@40000", "interval1@100000", "interval1@160000", "end1@220000", "end2@226000",
      "end3@232000",
    ])
}

@Test func select_onTheBellOfOneSound_silencesTheSitAndBringsItBack() {
  var bench = Bench { $0.sounds = [Sound.catalogue[0]] }
  bench.press([.down, .select], from: at(1))
  #expect(bench.appliance.choices.bell == nil)
  bench.start(.fixed(.minutes(2)), at: at(5))
  bench.advance(to: at(500))
  #expect(bench.rungText == [])
  #expect(bench.closed.count == 1)
  bench.press([.select], from: at(510))
  #expect(bench.appliance.choices.bell == 0)
  bench.start(.fixed(.minutes(2)), at: at(600))
  bench.advance(to: at(1_000))
  #expect(bench.rungText.count == 4)
}

@Test func time_hidden_isShownAgainBySelectAndByTheEndOfTheSit() {
  var bench = Bench()
  let instant = bench.reach(.running)
  bench.press([.select], from: instant)
  #expect(bench.appliance.isTimeHidden)
  bench.press([.select], from: instant + .seconds(1))
  #expect(!bench.appliance.isTimeHidden)
  bench.press([.select, .play], from: instant + .seconds(2))
  #expect(bench.appliance.phase == .paused && bench.appliance.isTimeHidden)
  bench.command(.stop, at: instant + .seconds(10))
  #expect(!bench.appliance.isTimeHidden)
}

// MARK: - The question

@Test func dialog_selectEndsAndBackGoesOnWhileTheSitRuns() {
  var bench = Bench()
  let instant = bench.reach(.running)
  bench.press([.back, .back], from: instant)
  #expect(bench.effects == [] && !bench.appliance.isAskingEnd)
  bench.press([.back, .play, .select], from: instant + .seconds(5))
  #expect(bench.effects == ["running>ended", "closed"])
  #expect(!bench.appliance.isAskingEnd)
  #expect(bench.appliance.isTimeHidden == false)
}

@Test func dialog_leftOpen_closesAtThePlannedEnd() {
  var bench = Bench()
  bench.start(.fixed(.minutes(2)), at: at(0))
  bench.press([.back], from: at(100))
  bench.advance(to: at(130) - nanosecond)
  #expect(bench.appliance.isAskingEnd)
  bench.advance(to: at(130))
  #expect(!bench.appliance.isAskingEnd)
  #expect(bench.appliance.phase == .ended)
}

// MARK: - Dimming

@Test func dimming_ofAPause_isADeadlineOfItsOwn() {
  var bench = Bench()
  let instant = bench.reach(.paused)
  #expect(bench.appliance.nextDeadline == instant + .minutes(5))
  bench.advance(to: instant + .minutes(5) - nanosecond)
  #expect(!bench.appliance.isDimmed)
  bench.advance(to: instant + .minutes(5))
  #expect(bench.appliance.isDimmed)
  bench.press([.play], from: instant + .minutes(6))
  #expect(bench.effects == [] && !bench.appliance.isDimmed)
  bench.press([.play], from: instant + .minutes(6) + .seconds(5))
  #expect(bench.effects == ["paused>running"])
}

@Test func dimming_withoutARemote_wakesNobody() {
  var bench = Bench { $0.hasRemote = false }
  let instant = bench.reach(.paused)
  #expect(bench.appliance.nextDeadline == instant + .minutes(10))
  bench.advance(to: instant + .minutes(9))
  #expect(!bench.appliance.isDimmed)
  #expect(bench.appliance.focus == nil)
  bench.press([.play], from: instant + .minutes(9))
  #expect(bench.effects == [])
}

@Test func dimmed_crown_actsAtOnce() {
  var bench = Bench()
  let instant = bench.reach(.paused)
  bench.advance(to: instant + .minutes(6))
  bench.make(.long, at: instant + .minutes(6) + .seconds(1))
  #expect(bench.effects == ["paused>ended", "closed"])
}

// MARK: - Other mappings

@Test func mapping_ofTheBoard_isWhatThePanelsDo() {
  var bench = Bench {
    $0.crown.set(.idle, .double, to: nil)
    $0.crown.set(.running, .double, to: .end)
    $0.remote.set(.running, .back, to: .discard)
  }
  // No double is bound in idle, so the click starts with its release.
  bench.press(.crown, at: at(1))
  bench.advance(to: at(ms: 1_110))
  #expect(bench.appliance.phase == .preparing)
  bench.command(.skip, at: at(2))
  bench.make(.double, at: at(3))
  #expect(bench.effects.suffix(2) == ["running>ended", "discarded"])
  bench.start(at: at(10))
  bench.command(.skip, at: at(11))
  bench.press([.back], from: at(100))
  #expect(bench.effects.suffix(2) == ["running>idle", "discarded"])
}
