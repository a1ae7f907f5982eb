import Controls
import CrownFront
import RemoteFront
import Settings
import Testing
import TimerMachine

private func configured(_ lines: String) throws -> Configuration {
  Configuration(board: try board(boardHead + lines))
}

@Test func panels_thatNoBoardChanges_areTheStandard() throws {
  let settings = try configured("[crown panel]\n[remote panel]\n").appliance
  #expect(settings.crown == CrownMapping())
  #expect(settings.remote == RemoteMapping())
  #expect(Configuration(board: .simulated).appliance == Configuration().appliance)
}

@Test func panels_cellsOfTheBoard_areThoseOfTheAppliance() throws {
  let settings = try configured(
    """
    [crown panel]
    running.double = none
    idle.press-and-turn = silent-volume
    [remote panel]
    idle.play = start
    running.back-long = end
    """
  ).appliance
  var crown = CrownMapping()
  crown.set(.running, .double, to: nil)
  crown.set(.idle, .pressAndTurn, to: .silentVolume)
  #expect(settings.crown == crown)
  var remote = RemoteMapping()
  remote.set(.idle, .play, to: .start)
  remote.set(.running, .backLong, to: .end)
  #expect(settings.remote == remote)
}

@Test func panels_everyCellAndMeaning_isReadByItsName() throws {
  for phase in Phase.allCases {
    for gesture in CrownGesture.allCases {
      for meaning in CrownMeaning.allCases where meaning.fits(gesture, in: phase) {
        var mapping = CrownMapping()
        mapping.set(phase, gesture, to: meaning)
        guard mapping.flaw() == nil else { continue }
        let text = "[crown panel]\n\(phase.name).\(gesture.name) = \(meaning.name)"
        #expect(try configured(text).appliance.crown == mapping)
      }
    }
    for gesture in RemoteGesture.allCases {
      for meaning in RemoteMeaning.allCases where meaning.fits(gesture, in: phase) {
        var mapping = RemoteMapping()
        mapping.set(phase, gesture, to: meaning)
        guard mapping.flaw == nil else { continue }
        let text = "[remote panel]\n\(phase.name).\(gesture.name) = \(meaning.name)"
        #expect(try configured(text).appliance.remote == mapping)
      }
    }
  }
}

@Test func panels_remote_isThereWhereAKeyOfItIsWired() throws {
  for (lines, hasRemote) in [
    ("", false), ("[lines]\ncrown-a = 5\ncrown-b = 6\ncrown-switch = 7\n", false),
    ("[lines]\nplay = 5\n", true), ("[input a]\ndevice = cec\n", true),
    ("[input a]\ndevice = cec\nKEY_OK = select\n", true),
    // Without any key of its own a device has those of a remote.
    ("[input a]\ndevice = knob\nturn = REL_DIAL\n", true),
    ("[input a]\ndevice = knob\nturn = REL_DIAL\nKEY_ENTER = crown-switch\n", false),
  ] {
    #expect(try configured(lines).appliance.hasRemote == hasRemote, "\(lines)")
  }
  #expect(Configuration().appliance.hasRemote)
}

/// In a table of its own, with its type: Swift 6.0 cannot infer it inside the macro in good time.
private let wrongPanels: [(text: String, message: String)] = [
  (
    "[crown panel]\nrunning = none",
    "b.ini:5:1: found \"running\", expected PHASE.GESTURE, such as idle.turn"
  ),
  (
    "[remote panel]\nidle.play.long = none",
    "b.ini:5:1: found \"idle.play.long\", expected PHASE.GESTURE, such as idle.left-right"
  ),
  (
    "[crown panel]\nruning.double = none",
    "b.ini:5:1: found \"runing\", expected idle, preparing, running, paused, overtime or ended; "
      + "did you mean \"running\"?"
  ),
  (
    "[crown panel]\nrunning.duoble = none",
    "b.ini:5:9: found \"duoble\", expected turn, press-and-turn, click, double or long; did you "
      + "mean \"double\"?"
  ),
  (
    "[remote panel]\nidle.left = none",
    "b.ini:5:6: found \"left\", expected left-right, up-down, select, play, back, select-long, "
      + "play-long or back-long"
  ),
  (
    "[crown panel]\nidle.turn = pause",
    "b.ini:5:13: found \"pause\", expected length, volume, silent-volume or none"
  ),
  (
    "[crown panel]\npaused.double = blakout",
    "b.ini:5:17: found \"blakout\", expected blackout, discard, resume, end or none; did you mean "
      + "\"blackout\"?"
  ),
  (
    "[remote panel]\nidle.play =",
    "b.ini:5:12: found nothing, expected choose, start, start-last, blackout or none"
  ),
  (
    "[crown panel]\nidle.click = none",
    "b.ini:4:1: found \"[crown panel]\", expected a way to begin and to end a sit: nothing starts "
      + "a sit in idle"
  ),
  (
    "[remote panel]\novertime.select = none\novertime.play = none\novertime.back = none",
    "b.ini:4:1: found \"[remote panel]\", expected a way to begin and to end a sit: nothing ends a "
      + "sit in overtime"
  ),
  (
    "[remote pannel]\nidle.play = start",
    "b.ini:4:1: found [remote pannel], expected one of board, lines, outputs, input NAME, crown, "
      + "button, crown panel or remote panel; did you mean \"remote panel\"?"
  ),
]

@Test(arguments: wrongPanels)
func panels_wrongSection_isRefusedWithItsPlace(text: String, message: String) {
  #expect(boardMessages(after: text) == message)
}

@Test func panels_lockThatLeavesNoEnd_isRefusedWhereItIsSet() throws {
  var locked = try configured("[crown panel]\nrunning.long = blackout\n")
  let message =
    "t.conf:2:1: found \"crown.lock = yes\", expected a way to begin and to end a sit: nothing "
    + "ends a running sit"
  do {
    try locked.read(Array("[crown]\nlock = yes\n".utf8), file: "t.conf")
    Issue.record("the lock was taken")
  } catch {
    #expect(error.text == message)
  }
  var standard = try configured("")
  try standard.read(Array("[crown]\nlock = yes\n".utf8), file: "t.conf")
  #expect(standard.appliance.isCrownLocked)
}
