/// A JSON value in a file of its own, as one line in the framing of a replica (`ReplicaLine`): cut
/// off anywhere, or with any byte flipped, it is seen to be damaged.
public enum CheckedLine {
  /// The line, its line feed included.
  /// - Parameter kind: what the file is: one ASCII letter.
  public static func bytes(kind: Character, _ value: JSONValue) -> [UInt8] {
    ReplicaLine(kind: kind, value).bytes + [UInt8(ascii: "\n")]
  }

  /// The value of a file; nil when it is damaged, or is of another kind.
  public static func value(kind: Character, _ bytes: [UInt8]) -> JSONValue? {
    guard bytes.last == UInt8(ascii: "\n"),
      let line = try? ReplicaLine(parsing: bytes.dropLast()), line.kind == kind.asciiValue
    else { return nil }
    return try? JSONValue(parsing: line.payload)
  }
}
