import Controls
import Testing
import Ticks
import TimerMachine

@testable import Appliance

private let noFocus = "refused remote: the remote has no focus row yet"

/// PRODUCT's remote table: one row a phase; the cells of left, up, down, select, play, back.
private let remoteTable: [(Phase, [[String]])] = [
  (.idle, [[noFocus], [noFocus], [noFocus], [noFocus], ["idle>preparing"], ["dark"]]),
  (
    .preparing,
    [
      [], ["volume 65"], ["volume 55"], ["preparing>running", "begun"],
      ["preparing>running", "begun"], ["preparing>idle"],
    ]
  ),
  (.running, [[], ["volume 65"], ["volume 55"], [noFocus], ["running>paused"], [noFocus]]),
  (
    .paused,
    [[], ["volume 65"], ["volume 55"], ["paused>running"], ["paused>running"], [noFocus]]
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

@Test(arguments: remoteTable)
func remote_everyCell_doesWhatTheTableSays(phase: Phase, cells: [[String]]) {
  let buttons: [Button] = [.left, .up, .down, .select, .play, .back]
  for (button, effects) in zip(buttons, cells) {
    var bench = bench(for: phase)
    let instant = bench.reach(phase)
    bench.press(button, at: instant + .milliseconds(10))
    bench.advance(to: instant + .seconds(1))
    let dark = bench.appliance.isBlackedOut ? ["dark"] : []
    #expect(bench.effects + dark == effects, "\(phase.name) \(button.name)")
  }
}

@Test func remote_rightKey_doesAsTheLeftOne() {
  for phase in Phase.allCases {
    var bench = bench(for: phase)
    let instant = bench.reach(phase)
    bench.press(.right, at: instant + .milliseconds(10))
    bench.advance(to: instant + .seconds(1))
    #expect(bench.effects == (phase == .idle ? [noFocus] : []))
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
