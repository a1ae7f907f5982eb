import LinuxIO

/// What the verbs print. A reader that has gone away is no reason to fail; a disk
/// that is full is one.
enum Output {
  /// Writes text to standard output as it is.
  static func write(_ text: String) {
    write(Array(text.utf8))
  }

  /// Writes bytes to standard output.
  /// - Returns: false if nobody reads it any more.
  @discardableResult
  static func write(_ bytes: [UInt8]) -> Bool {
    do throws(SystemError) { try LentDescriptor.standardOutput.writeAll(bytes) } catch {
      if error.errno == .brokenPipe { return false }
      complain("timerbox: standard output: \(error.errno.text)")
      Machine.exit(ExitStatus.inputOutput.rawValue)
    }
    return true
  }

  /// Writes a line to standard error, and waits until it is taken.
  static func complain(_ line: String) {
    try? LentDescriptor.standardError.writeAll(Array((line + "\n").utf8))
  }
}

/// A standard output that is never waited for: it takes what goes in at once.
///
/// It is opened anew, so that not waiting is not forced on whoever shares it. A file takes all and
/// keeps its place for all who write to it; a socket cannot be opened anew. Both are written to as
/// they are.
final class CalmOutput {
  /// What is written to; good as long as this lives.
  let target: LentDescriptor
  private let own: OwnedDescriptor?

  init(_ output: LentDescriptor) {
    let paths = ["/proc/self/fd/\(output.number)"] + (output.isTerminal ? ["/dev/tty"] : [])
    for path in paths {
      guard let opened = try? Files.open(path, [.writeOnly, .nonBlocking]),
        let status = try? opened.status(), status.kind == .other
      else { continue }
      target = opened.lent
      own = consume opened
      return
    }
    target = output
    own = nil
  }

  /// Writes what goes in at once.
  /// - Returns: how many bytes are done with. An output that has gone is done with all.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Int {
    var done = 0
    do throws(SystemError) {
      while done < bytes.count {
        guard let count = try target.writeOnce(Array(bytes[done...])) else { return done }
        done += count
      }
    } catch { return bytes.count }
    return done
  }
}
