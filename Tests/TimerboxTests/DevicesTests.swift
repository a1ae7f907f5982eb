import ALSAOutput
import Glibc
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

@Test func soundCards_inTheList_areNamedByIdWithTheirHolder() throws {
  let surroundings = try Surroundings()
  let card = surroundings.path("asound/card7/pcm0p/sub0")
  var made = surroundings.folder
  for part in card.dropFirst(made.count + 1).split(separator: "/") {
    made += "/" + part
    mkdir(made, 0o755)
  }
  mkdir(surroundings.path("41"), 0o755)
  try surroundings.write("mpd\n", to: "41/comm")
  try surroundings.write("state: RUNNING\nowner_pid   : 41\n", to: "asound/card7/pcm0p/sub0/status")
  try surroundings.write(
    """
     7 [DAC            ]: RPi-simple - snd_rpi_hifiberry_dac
                          snd_rpi_hifiberry_dac
    """, to: "asound/cards")
  let entries = SoundCardEntry.all(SoundSystem(processes: surroundings.folder))
  #expect(
    entries.map(\.text)
      == ["  default:CARD=DAC \"snd_rpi_hifiberry_dac\", I2S, in use by mpd (process 41)\n"])
}
