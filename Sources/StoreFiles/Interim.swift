// Interim: what the folder writer will have.
import LinuxIO

struct InterimKind {
  var magic: UInt64
  var needsPolling: Bool {
    [0x6969, 0xFF53_4D42, 0xFE53_4D42, 0x517B, 0x6573_5546, 0x0102_1997].contains(magic)
  }
}

extension FileSystemStatus {
  var kind: InterimKind { InterimKind(magic: type) }
}

struct FolderEntry {
  let name: String
  let status: FileStatus
}

struct FolderListing {
  var entries: [FolderEntry] = []
  var isCut = false
  var unreadableNames = 0
}

enum Volatility { case kept, lost, unknown }

extension DurableFolder {
  func list(where isWanted: (String) -> Bool) throws(StoreFileFault) -> FolderListing {
    var listing = FolderListing()
    for name in try names().names where isWanted(name) {
      if let status = try status(of: name) {
        listing.entries.append(FolderEntry(name: name, status: status))
      }
    }
    return listing
  }
  func status(of name: String) throws(StoreFileFault) -> FileStatus? {
    try? Files.status("\(path)/\(name)")
  }
  func subfolder(_ name: String, creating: Bool = false) throws(StoreFileFault) -> DurableFolder? {
    if !creating, try status(of: name) == nil { return nil }
    return try DurableFolder("\(path)/\(name)", creating: creating)
  }
  func readBack(_ name: String, expecting bytes: [UInt8]) throws(StoreFileFault) {
    if try read(name, limit: 1 << 25) != bytes { throw .notAFile(path: name) }
  }
}

extension DurableFolder {
  func removeDurably(_ name: String) throws(StoreFileFault) { try remove(name) }
}
extension OwnedDescriptor { func volatility() -> Volatility { .kept } }
