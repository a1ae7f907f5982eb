/// What is wrong with the bytes of a time-zone file. Offsets are in bytes from the file's start.
public enum ZoneError: Error, Equatable, Sendable {
  /// Neither header nor, in a later version, the second one begins with `TZif`.
  case notTZif(offset: Int)
  /// The version byte is none that RFC 9636 knows or leaves open.
  case version(found: UInt8, offset: Int)
  /// The file ends before what its header announces.
  case truncated(offset: Int)
  /// A count in a header contradicts another, or is zero where one is the least.
  case count(found: UInt32, offset: Int)
  /// The zone counts leap seconds (a `right/…` zone); Unix seconds do not.
  case leapSeconds(offset: Int)
  /// Instants of change do not rise.
  case unordered(offset: Int)
  /// An index or a flag points outside its table.
  case index(found: UInt8, offset: Int)
  /// Local time is 25 hours or more behind UTC, or 26 or more ahead.
  case offsetFromUTC(found: Int32, offset: Int)
  /// The rule at the file's end is malformed at this byte.
  case rule(offset: Int)
}
