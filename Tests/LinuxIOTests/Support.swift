import Glibc
import Testing

@testable import LinuxIO

/// Runs a body with a new folder under /tmp, and removes it with the plain files in it.
func withTemporaryFolder(_ body: (String) throws -> Void) throws {
  let name = try Machine.random(count: 8).map { String($0, radix: 16) }.joined()
  let path = "/tmp/linuxio-\(name)"
  try Files.makeFolder(path, permissions: 0o700)
  defer { removeTree(path) }
  try body(path)
}

private func removeTree(_ path: String) {
  guard let folder = try? Files.open(path, [.folder]), let names = try? Files.names(in: folder)
  else { return }
  for name in names {
    let inner = "\(path)/\(name)"
    if (try? Files.status(inner).kind) == .folder {
      removeTree(inner)
    } else {
      try? Files.unlink(inner)
    }
  }
  try? Files.removeFolder(path)
}

/// A pair of connected descriptors, by a listener in a folder.
func withConnection(
  _ body: (borrowing OwnedDescriptor, borrowing OwnedDescriptor) throws -> Void
) throws {
  try withTemporaryFolder { folder in
    let listener = try LocalSocket.listen("\(folder)/s")
    let client = try LocalSocket.connect("\(folder)/s")
    guard let served = try LocalSocket.accept(listener) else {
      Issue.record("the listener has no client")
      return
    }
    try body(client, served)
  }
}

/// Sends a signal to the calling thread alone.
func raiseHere(_ signal: Signal) {
  raise(signal.number)
}

/// A datagram socket at a path, as a service manager has it.
func datagramListener(_ path: String) throws -> OwnedDescriptor {
  let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
  try #require(number >= 0)
  let owner = OwnedDescriptor(owning: number)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let size = MemoryLayout<sockaddr_un>.size
  let bound = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
    // Safety: the path is cut to the room behind the two bytes of the family; the rest is zero.
    for (index, byte) in path.utf8.prefix(size - 3).enumerated() { bytes[2 + index] = byte }
    return bytes.withMemoryRebound(to: sockaddr.self) { list in
      list.baseAddress.map { bind(number, $0, socklen_t(size)) } ?? -1
    }
  }
  try #require(bound == 0)
  return owner
}

/// `#expect` of a value that came from an owner: the macro copies what stands in its brackets, and
/// an owner cannot be copied.
func check(_ condition: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(condition, sourceLocation: sourceLocation)
}

/// `#expect(found == expected)`, for the same reason.
func check<Value: Equatable>(
  _ found: Value, is expected: Value, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(found == expected, sourceLocation: sourceLocation)
}
