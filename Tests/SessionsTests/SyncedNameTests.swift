import Sessions
import Testing

@Test func syncedName_ofEachKind_isReadBackFromItsKey() {
  let names: [SyncedName] = [
    .programme("evening"), .bell("deep"), .journey("hundred days"), .dayStarts, .dayGrace,
  ]
  #expect(
    names.map(\.key)
      == ["programme.evening", "bell.deep", "journey.hundred days", "day.starts", "day.grace"])
  for name in names { #expect(SyncedName(name.key) == name) }
}

@Test(arguments: [
  "", "programme", "programme.", "bell.", "bells.deep", "day.", "day.starts.", "day", "volume",
  "volume.end", "sound.device", "store.folder", "crown.step", "sits.2026-11", "Programme.evening",
])
func syncedName_ofAnythingElse_isNone(key: String) {
  #expect(SyncedName(key) == nil)
}

@Test func syncedName_set_standsInTheStoreUnderItsKey() throws {
  var store = SessionStore(owner: owner, device: kitchen)
  try store.set(.dayStarts, to: .string("04:00"), at: now)
  #expect(store.value(forKey: "day.starts") == .string("04:00"))
  #expect(store.keys == ["day.starts"])
}

@Test func report25_newDeviceWithDefaultsOnly_changesNothingOfTheOthers() throws {
  var full = try store(sits: 3)
  try full.set(.dayStarts, to: .string("04:00"), at: now)
  try full.set(.programme("evening"), to: .object(of: []), at: now)
  // A clock far ahead does not help a default: it has no stamp at all.
  let fresh = SessionStore(owner: owner, device: study)
  #expect(fresh.usage.keys == 0 && fresh.usage.sits == 0)
  var joined = fresh
  joined.merge(full)
  var merged = full
  merged.merge(fresh)
  #expect(merged.encode() == full.encode())
  #expect(joined.value(forKey: "day.starts") == .string("04:00"))
  #expect(joined.keys == full.keys && joined.sessions == full.sessions)
}
