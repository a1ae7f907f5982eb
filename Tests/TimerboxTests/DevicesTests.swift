import Settings
import Testing

@testable import timerbox

@Test func devices_ofABoardWithAKeyThatIsUnknownHere_endWithStatus78() {
  let wiring = InputDeviceWiring(name: "Remote", keys: ["KEY_TOMORROW": .up], axis: nil)
  do throws(VerbError) {
    _ = try DevicesVerb.inputDevices([wiring])
    Issue.record("no error")
  } catch {
    #expect(error.status == .configuration)
    #expect(
      error.message
        == "input device \"Remote\": found \"KEY_TOMORROW\", expected a key of the kernel such as "
        + "KEY_UP")
  }
}
