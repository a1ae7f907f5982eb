import Sessions
import Testing

private let id = "00000000-0000-4003-8000-000000000004"

private let replicaNames: [String] = [
  "\(id).kv", "\(id).2.kv", "archive/\(id).2026.kv", "\(id)-KITCHEN.kv", "\(id) (1).kv",
  "\(id).kv~", "\(id).kv.bak", "backup of 2026.kv", ".kv",
]

private let conflictNames: [String] = [
  "\(id).sync-conflict-20260101-120000-ABCDEFG.kv",
  "archive/\(id).2026.sync-conflict-20260101-120000-ABCDEFG.kv",
  "two.dots.sync-conflict-20260101-120000-A2B3C4D.kv",
  ".sync-conflict-20260101-120000-ABCDEFG.kv", "x.sync-conflict-20260101-120000-ABCDEFG",
  "\(id).sync-conflict-20260101-120000-ABCDEFG.sync-conflict-20260102-120000-ABCDEFG.kv",
  "\(id) (kitchen's conflicted copy 2026-01-01).kv",
  "\(id) (conflicted copy 2026-01-01 120000).kv", "\(id).Conflict.kv", "\(id).kv.Conflict",
  "\(id).conflict1.kv", "\(id).kv.conflict12",
]

private let ignoredNames: [String] = [
  "", "notes.txt", ".stignore", ".stfolder", "._\(id).kv", ".nfs000000000001", "~$x.kv",
  ".syncthing.\(id).kv.tmp", "~syncthing~\(id).kv.tmp", ".syncthing.timerbox-\(id).kv.tmp",
  ".\(id).kv.A1b2C3", "\(id).kv.tmp", "\(id).kv.1",
  "x.sync-conflict-20260101-120000-ABCDEFG.txt", "x.sync-conflict-2026-120000-ABCDEFG",
  ".smbdelete1234.kv",
]

@Suite struct ForeignNameTests {
  @Test(arguments: replicaNames)
  func name_ofAReplicaOrOfACopyMadeOnPurpose_isReadAndLeft(_ path: String) {
    #expect(ForeignName(path: path) == .replica)
  }

  @Test(arguments: conflictNames)
  func name_ofAnEnginesConflict_isAConflict(_ path: String) {
    #expect(ForeignName(path: path) == .conflict)
  }

  @Test(arguments: ignoredNames)
  func name_ofAnythingElse_isIgnored(_ path: String) {
    #expect(ForeignName(path: path) == .ignored)
  }
}
