import LinuxIO
import Zones

/// Files that verbs read, with errors as sentences.
enum Inputs {
  /// No configuration, board, scenario or zone file is larger.
  static let bytesMax = 4 << 20

  /// Reads a whole file that was named.
  static func file(_ path: String) throws(VerbError) -> [UInt8] {
    do throws(SystemError) {
      return try Files.readWhole(path, limit: bytesMax)
    } catch {
      throw VerbError(status: status(of: error), message: "\(path): \(error.errno.text)")
    }
  }

  /// Reads a whole file that some program has left, as a replica in a scenario: what is no ordinary
  /// file is refused, since a fifo would be waited for.
  static func ordinaryFile(_ path: String) throws(VerbError) -> [UInt8] {
    if let status = try? Files.statusFollowingLinks(path), status.kind != .file {
      throw VerbError(status: .badData, message: "\(path): found no ordinary file")
    }
    return try file(path)
  }

  /// The rules of a zone by its name, from the system's zone files. UTC needs none.
  static func zone(_ name: String) throws(VerbError) -> ZoneRules {
    if name == "UTC" { return .utc }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let isSafe = parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    guard isSafe else {
      throw VerbError(
        status: .badData, message: "found \"\(name)\", expected a zone such as Asia/Seoul")
    }
    let path = "/usr/share/zoneinfo/" + name
    do throws(SystemError) {
      let bytes = try Files.readWhole(path, limit: bytesMax)
      do throws(ZoneError) { return try ZoneRules(tzif: bytes) } catch {
        throw SystemError(call: "read", path: path, errno: .invalidArgument)
      }
    } catch {
      throw VerbError(
        status: .badData,
        message: "the zone \"\(name)\" cannot be read from \(path): \(error.errno.text)")
    }
  }

  static func status(of error: SystemError) -> ExitStatus {
    switch error.errno {
    case .permissionDenied, .notPermitted: .noPermission
    default: .inputOutput
    }
  }
}
