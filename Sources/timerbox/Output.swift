import LinuxIO

/// What the verbs print. A reader that has gone away is no reason to fail.
enum Output {
  /// Writes text to standard output as it is.
  static func write(_ text: String) {
    write(Array(text.utf8))
  }

  /// Writes bytes to standard output.
  static func write(_ bytes: [UInt8]) {
    try? LentDescriptor.standardOutput.writeAll(bytes)
  }

  /// Writes a line to standard error.
  static func complain(_ line: String) {
    try? LentDescriptor.standardError.writeAll(Array((line + "\n").utf8))
  }
}
