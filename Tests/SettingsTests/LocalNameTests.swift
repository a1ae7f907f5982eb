import Settings
import Testing

private func isOwn(_ name: String) -> String {
  "\"\(name)\" is this device's own and is never shared: "
}

@Test func localName_ofAChoice_isRefusedWithTheCommandForIt() {
  for key in LocalChoice.all {
    let command = "timerbox set \(key.name) VALUE"
    #expect(LocalName.refusal(of: key.name) == isOwn(key.name) + command)
  }
  #expect(LocalName.refusal(of: "volume.gong") != nil)
  #expect(LocalName.refusal(of: "interval") == isOwn("interval") + "it is chosen at its remote")
}

@Test func localName_ofTheConfigurationOrTheBoard_isRefusedWithItsSection() {
  let names =
    ConfigurationKey.all.map(\.dottedName) + [
      "sound.anything", "store.folder", "board.name", "lines.A", "outputs.amp", "input.keypad.up",
      "crown.panel", "remote.panel", "reminder.morning.at",
    ]
  var refused = 0
  for name in names {
    let section = String(name.prefix { $0 != "." })
    if ["bell", "day"].contains(section) { continue }
    refused += 1
    // One name is a choice too.
    if name == "sound.device" { continue }
    let place = "it stands in its configuration or board file, under [\(section)]"
    #expect(LocalName.refusal(of: name) == isOwn(name) + place)
  }
  #expect(refused > 30)
}

@Test(arguments: [
  "programme.evening", "bell.end.sound", "bell.deep", "journey.hundred-days", "day.starts",
  "day.grace", "tea", "sound", "soundtrack.1", "volumes", "Volume", "", "my.volume", "store",
  "\u{1F514}",
])
func localName_ofAnythingElse_isFree(name: String) {
  #expect(LocalName.refusal(of: name) == nil)
}
