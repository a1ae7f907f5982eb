import CLinux

/// A descriptor's number, lent: good only while its owner lives.
public struct LentDescriptor: Equatable, Sendable {
  /// The kernel's number.
  public let number: Int32

  /// Lends a number that a C library owns.
  public init(number: Int32) {
    self.number = number
  }

  /// The process's working folder, where relative paths begin.
  public static let workingFolder = LentDescriptor(number: clinux_at_working)
  /// The process's standard input.
  public static let standardInput = LentDescriptor(number: 0)
  /// The process's standard output.
  public static let standardOutput = LentDescriptor(number: 1)
  /// The process's standard error.
  public static let standardError = LentDescriptor(number: 2)
}

/// What one read gave.
public enum ReadResult: Equatable, Sendable {
  /// So many bytes, at least one.
  case bytes(Int)
  /// Nothing is there yet.
  case wouldBlock
  /// Nothing will come any more.
  case end
}

/// The one owner of a descriptor. It is closed by `close()`, or at the end of the owner's life.
///
/// - A descriptor is closed exactly once.
/// - Every descriptor is closed on exec.
public struct OwnedDescriptor: ~Copyable, Sendable {
  /// The kernel's number.
  public let number: Int32

  /// Takes a descriptor over.
  /// - Precondition: it is open, and nobody else closes it.
  public init(owning number: Int32) {
    precondition(number >= 0, "a descriptor is not negative")
    self.number = number
  }

  deinit {
    let result = clinux_close(number)
    assert(result != -clinux_ebadf, "a descriptor was closed behind its owner's back")
  }

  /// Closes now, and says whether that went well. A file's last write error can come here.
  public consuming func close() throws(SystemError) {
    let number = self.number
    discard self
    try checked(clinux_close(number), "close")
  }

  /// Lends the descriptor.
  public var lent: LentDescriptor { LentDescriptor(number: number) }

  /// Lets reads and writes return at once from now on.
  public func setNonBlocking() throws(SystemError) { try lent.setNonBlocking() }

  /// Reads what is there.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> ReadResult {
    try lent.read(into: buffer)
  }

  /// Writes what goes in at once.
  public func write(_ buffer: UnsafeRawBufferPointer) throws(SystemError) -> Int? {
    try lent.write(buffer)
  }

  /// Writes everything.
  public func writeAll(_ bytes: [UInt8]) throws(SystemError) { try lent.writeAll(bytes) }
}

extension LentDescriptor {
  /// Lets reads and writes return at once from now on.
  public func setNonBlocking() throws(SystemError) {
    try checked(clinux_set_nonblocking(number), "fcntl")
  }

  /// Reads what is there, at most the buffer's size.
  /// - Precondition: the buffer is not empty.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> ReadResult {
    guard let start = buffer.baseAddress, buffer.count > 0 else {
      preconditionFailure("an empty buffer cannot tell an end from a full read")
    }
    // Safety: start and count come from one live buffer.
    let count = try checkedUnlessWaiting(clinux_read(number, start, buffer.count), "read")
    guard let count else { return .wouldBlock }
    return count == 0 ? .end : .bytes(Int(count))
  }

  /// Reads at most `limit` bytes that are there now. Nil: nothing yet. Empty: the end.
  public func read(limit: Int) throws(SystemError) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: limit)
    var outcome = ReadResult.wouldBlock
    var failure: SystemError?
    bytes.withUnsafeMutableBytes { buffer in
      do throws(SystemError) { outcome = try read(into: buffer) } catch { failure = error }
    }
    if let failure { throw failure }
    switch outcome {
    case .wouldBlock: return nil
    case .end: return []
    case .bytes(let count): return Array(bytes.prefix(count))
    }
  }

  /// Writes as much as goes in at once; nil when nothing does.
  public func write(_ buffer: UnsafeRawBufferPointer) throws(SystemError) -> Int? {
    guard let start = buffer.baseAddress else { return 0 }
    // Safety: start and count come from one live buffer.
    let count = try checkedUnlessWaiting(clinux_write(number, start, buffer.count), "write")
    return count.map { Int($0) }
  }

  /// Writes as much as goes in at once; nil when nothing does.
  @discardableResult
  public func writeOnce(_ bytes: [UInt8]) throws(SystemError) -> Int? {
    try writeOnce(bytes[...])
  }

  /// Writes as much as goes in at once; nil when nothing does.
  @discardableResult
  public func writeOnce(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int? {
    let count = bytes.withUnsafeBytes { buffer -> Int64 in
      // Safety: start and count come from one live buffer.
      guard let start = buffer.baseAddress else { return 0 }
      return clinux_write(number, start, buffer.count)
    }
    return try checkedUnlessWaiting(count, "write").map { Int($0) }
  }

  /// Writes everything, waiting for as long as it takes.
  public func writeAll(_ bytes: [UInt8]) throws(SystemError) {
    var failure: SystemError?
    bytes.withUnsafeBytes { buffer in
      do throws(SystemError) { try writeAll(buffer) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private func writeAll(_ buffer: UnsafeRawBufferPointer) throws(SystemError) {
    var done = 0
    while done < buffer.count {
      if let count = try write(UnsafeRawBufferPointer(rebasing: buffer[done...])) {
        done += count
      } else {
        try checked(clinux_poll(number, 1, -1), "poll")
      }
    }
  }

  /// Waits until something can be read or the other end has gone.
  /// - Parameter timeoutMilliseconds: how long at most; nil waits for ever.
  /// - Returns: whether there is something.
  public func waitReadable(timeoutMilliseconds: Int32?) throws(SystemError) -> Bool {
    try checked(clinux_poll(number, 0, timeoutMilliseconds ?? -1), "poll") > 0
  }
}
