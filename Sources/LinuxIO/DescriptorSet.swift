import CLinux

/// Descriptors that come and go, seen from outside as one: it can be read while any of them can, or
/// has hung up. So a room whose descriptors change registers one with the loop, once.
public struct DescriptorSet: ~Copyable, Sendable {
  private let epoll: OwnedDescriptor

  /// What is known of one descriptor of the set.
  public struct Ready: Equatable, Sendable {
    /// As it was given to `add`.
    public let token: Int
    /// The other end has gone, or an error waits in the next read.
    public let hungUp: Bool
  }

  /// Makes an empty set.
  public init() throws(SystemError) {
    epoll = OwnedDescriptor(owning: try checked(clinux_epoll(), "epoll_create"))
  }

  /// What the loop registers.
  public var lent: LentDescriptor { epoll.lent }

  /// Takes a descriptor in.
  /// - Precondition: `token` is not negative; the descriptor is removed before it is closed.
  public func add(_ descriptor: LentDescriptor, token: Int) throws(SystemError) {
    precondition(token >= 0, "a token is not negative")
    let result = clinux_epoll_add(epoll.number, descriptor.number, clinux_epollin, UInt64(token))
    try checked(result, "epoll_ctl")
  }

  /// Takes in a descriptor that can always be read, and is of interest when it reports an error: as
  /// /proc/self/mountinfo does when something was mounted or unmounted (proc_pid_mounts(5)).
  /// - Precondition: those of `add`.
  public func addForErrors(_ descriptor: LentDescriptor, token: Int) throws(SystemError) {
    precondition(token >= 0, "a token is not negative")
    // The kernel reports errors whatever is asked for.
    let result = clinux_epoll_add(epoll.number, descriptor.number, 0, UInt64(token))
    try checked(result, "epoll_ctl")
  }

  /// Takes a descriptor out.
  public func remove(_ descriptor: LentDescriptor) throws(SystemError) {
    try checked(clinux_epoll_remove(epoll.number, descriptor.number), "epoll_ctl")
  }

  /// Those that can be read now or have hung up, at most 32 of them; nothing is waited for.
  public func ready() throws(SystemError) -> [Ready] { try wait(timeoutMilliseconds: 0) }

  /// Waits until one can be read or has hung up, for a thread that has no loop.
  /// - Parameter timeoutMilliseconds: how long at most; nil waits for ever.
  /// - Returns: at most 32 of them; none when the time is over.
  public func wait(timeoutMilliseconds: Int32?) throws(SystemError) -> [Ready] {
    var found = [clinux_event](repeating: clinux_event(), count: 32)
    let count = try checked(
      clinux_epoll_wait(epoll.number, &found, 32, timeoutMilliseconds ?? -1), "epoll_wait")
    return found.prefix(Int(count)).map { event in
      let bad = clinux_epollhup | clinux_epollerr
      return Ready(token: Int(event.token), hungUp: event.readiness & bad != 0)
    }
  }
}
