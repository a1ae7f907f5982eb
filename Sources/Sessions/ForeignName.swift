/// What a file in a shared folder is by its name. Whose replica it is, its first line says; a name
/// only tells what is worth reading and what may be tidied away.
///
/// | shape                                        | made by                    | is       |
/// |----------------------------------------------|----------------------------|----------|
/// | `x.kv`                                       | a box                      | replica  |
/// | `x.sync-conflict-20260101-120000-ABCDEFG.kv` | Syncthing                  | conflict |
/// | `.sync-conflict-20260101-120000-ABCDEFG.kv`  | Syncthing, of a hidden one | conflict |
/// | `x.sync-conflict-20260101-120000-ABCDEFG`    | Syncthing, of one without extension | conflict |
/// | `x (kitchen's conflicted copy 2026-01-01).kv` | Dropbox                   | conflict |
/// | `x (conflicted copy 2026-01-01 120000).kv`   | Nextcloud, ownCloud        | conflict |
/// | `x.Conflict.kv`, `x.kv.Conflict`             | Resilio                    | conflict |
/// | `x.conflict1.kv`, `x.kv.conflict1`           | rclone                     | conflict |
/// | `x-KITCHEN.kv`, `x (1).kv`                   | OneDrive, Google Drive     | replica  |
/// | `x.kv~`, `x.kv.bak`, `x.kv.old`, `x.kv.orig` | rsync, editors: a backup   | replica  |
/// | `.x.kv.A1b2C3`                               | rsync, not finished        | ignored  |
/// | `.syncthing.x.kv.tmp`, `~syncthing~x.kv.tmp` | Syncthing, and timerbox    | ignored  |
/// | `.nfs0000…`, `._x.kv`, `.smbdelete…`, `~$x`  | NFS, macOS, Samba, Windows | ignored  |
///
/// OneDrive's and Google Drive's copies look like a name that a person gave, so they are read and
/// left.
public enum ForeignName: Sendable {
  /// A replica, or a copy that somebody may have made on purpose: read and left.
  case replica
  /// A copy that an engine put aside because two had changed: read, and of our own file removed
  /// once all that is in it is safe.
  case conflict
  /// Nothing that is read.
  case ignored

  /// What a path's last component says.
  public init(path: String) {
    let name = Array((path.split(separator: "/").last ?? "").utf8)
    if ForeignName.isScratch(name) {
      self = .ignored
    } else if ForeignName.isConflict(name) {
      self = .conflict
    } else {
      let endings = [Volume.suffix] + ForeignName.backupEndings.map { Volume.suffix + $0 }
      self = endings.contains { name.hasSuffix($0) } ? .replica : .ignored
    }
  }

  private static let backupEndings = ["~", ".bak", ".old", ".orig"]
  private static let scratchBeginnings = [
    ".syncthing.", "~syncthing~", ".nfs", "._", ".smbdelete", "~$",
  ]
  private static let conflictWords = [
    "conflicted copy", "(conflict on ", ".conflict.", "_conflict-",
  ]

  private static func isScratch(_ name: [UInt8]) -> Bool {
    if scratchBeginnings.contains(where: { name.starts(with: $0.utf8) }) { return true }
    // rsync's: hidden, six letters or digits behind the whole name.
    guard name.first == UInt8(ascii: "."), let dot = name.lastIndex(of: UInt8(ascii: ".")) else {
      return false
    }
    let tail = name[(dot + 1)...]
    return tail.count == 6 && tail.allSatisfy(isLetterOrDigit)
      && Array(name[..<dot]).hasSuffix(Volume.suffix)
  }

  private static func isConflict(_ name: [UInt8]) -> Bool {
    if let end = syncthingConflictEnd(in: name) {
      // What follows the mark is the extension; a name that has none was never ours, but its
      // first line will tell.
      let rest = Array(name[end...])
      return rest.isEmpty || rest.hasSuffix(Volume.suffix)
    }
    let folded = name.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 }
    if folded.hasSuffix(Volume.suffix) {
      return conflictWords.contains { folded.position(of: Array($0.utf8)) != nil }
        || isNumberedConflict(Array(folded.dropLast(Volume.suffix.utf8.count)))
    }
    guard let place = folded.position(of: Array(Volume.suffix.utf8)) else { return false }
    let behind = Array(folded[(place + Volume.suffix.utf8.count)...])
    return behind == Array(".conflict".utf8) || isNumberedConflict(behind)
  }

  private static func isNumberedConflict(_ name: [UInt8]) -> Bool {
    let digits = name.reversed().prefix { $0 >= 0x30 && $0 <= 0x39 }.count
    return digits > 0 && Array(name.dropLast(digits)).hasSuffix(".conflict")
  }

  /// Where Syncthing's mark ends: `.sync-conflict-`, 8 digits, 6 digits, 7 of base 32.
  private static func syncthingConflictEnd(in name: [UInt8]) -> Int? {
    let mark = Array(".sync-conflict-".utf8)
    guard let start = name.position(of: mark) else { return nil }
    var position = start + mark.count
    func take(_ count: Int, _ isWanted: (UInt8) -> Bool) -> Bool {
      guard position + count <= name.count,
        name[position..<position + count].allSatisfy(isWanted)
      else { return false }
      position += count
      return true
    }
    let isDigit = { (byte: UInt8) in byte >= 0x30 && byte <= 0x39 }
    let isDash = { (byte: UInt8) in byte == UInt8(ascii: "-") }
    let isBase32 = { (byte: UInt8) in
      byte >= 0x41 && byte <= 0x5A || byte >= 0x32 && byte <= 0x37
    }
    let isWhole =
      take(8, isDigit) && take(1, isDash) && take(6, isDigit) && take(1, isDash)
      && take(7, isBase32)
    return isWhole ? position : nil
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}

extension Array<UInt8> {
  fileprivate func hasSuffix(_ text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }

  fileprivate func position(of other: [UInt8]) -> Int? {
    guard count >= other.count else { return nil }
    return (0...(count - other.count)).first { self[$0..<$0 + other.count].elementsEqual(other) }
  }
}
