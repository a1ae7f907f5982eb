import CLinux

/// Local (Unix) stream sockets, and the service manager's notices.
public enum LocalSocket {
  /// Listens at a path. A socket file that nobody listens at any more (its service was killed) is
  /// replaced; one with a live service is refused.
  /// - Returns: a socket that does not block.
  /// - Throws: `addressInUse` where a service lives, or where the path is no socket.
  public static func listen(
    _ path: String, backlog: Int32 = 16
  ) throws(SystemError) -> OwnedDescriptor {
    let socket = OwnedDescriptor(owning: try checked(clinux_socket(0), "socket"))
    var result = clinux_socket_bind(socket.number, path)
    if result == -clinux_eaddrinuse, try isStale(path) {
      try Files.unlink(path)
      result = clinux_socket_bind(socket.number, path)
    }
    try checked(result, "bind", path)
    try checked(clinux_socket_listen(socket.number, backlog), "listen", path)
    try socket.setNonBlocking()
    return socket
  }

  private static func isStale(_ path: String) throws(SystemError) -> Bool {
    guard try Files.status(path).kind == .socket else { return false }
    do throws(SystemError) {
      _ = try connect(path)
      return false
    } catch {
      return error.errno == .connectionRefused
    }
  }

  /// Takes the next client, non-blocking; nil when none waits.
  public static func accept(
    _ listener: borrowing OwnedDescriptor
  ) throws(SystemError) -> OwnedDescriptor? {
    let number = try checkedUnlessWaiting(clinux_socket_accept(listener.number), "accept")
    guard let number else { return nil }
    return OwnedDescriptor(owning: number)
  }

  /// Connects to a path, without waiting.
  /// - Returns: a socket that does not block.
  /// - Throws: `noSuchFile` or `connectionRefused` where nobody listens, `wouldBlock` where the
  ///   listener does not take its clients.
  public static func connect(_ path: String) throws(SystemError) -> OwnedDescriptor {
    let socket = OwnedDescriptor(owning: try checked(clinux_socket(0), "socket"))
    try socket.setNonBlocking()
    try checked(clinux_socket_connect(socket.number, path), "connect", path)
    return socket
  }

  /// Tells the service manager something (sd_notify(3)): `READY=1`, `STATUS=…`, `STOPPING=1`,
  /// several joined by line ends.
  /// - Returns: whether there is a manager that was told. Without NOTIFY_SOCKET there is none.
  @discardableResult
  public static func notify(_ state: String) -> Bool {
    guard let path = Machine.environment("NOTIFY_SOCKET") else { return false }
    return notify(state, at: path)
  }

  static func notify(_ state: String, at path: String) -> Bool {
    let number = clinux_socket(1)
    guard number >= 0 else { return false }
    let socket = OwnedDescriptor(owning: number)
    guard clinux_socket_connect(socket.number, path) == 0 else { return false }
    return Array(state.utf8).withUnsafeBytes { buffer in
      // Safety: start and count come from one live buffer.
      guard let start = buffer.baseAddress else { return false }
      return clinux_socket_send(socket.number, start, buffer.count) == buffer.count
    }
  }
}
