import CLinux

/// A counter in the kernel by which one thread wakes another. Several signals before the other
/// looks are one.
public struct EventSignal: ~Copyable, Sendable {
  private let counter: OwnedDescriptor

  /// Makes a signal that nobody has given yet.
  public init() throws(SystemError) {
    counter = OwnedDescriptor(owning: try checked(clinux_counter(), "eventfd"))
  }

  /// What the loop of the thread to be woken registers.
  public var lent: LentDescriptor { counter.lent }

  /// Wakes the other thread. It never waits: a counter that is full wakes as well.
  public func signal() {
    var one: UInt64 = 1
    // Safety: the eight bytes of a live variable.
    let result = clinux_write(counter.number, &one, 8)
    precondition(result == 8 || result == -Int64(clinux_eagain), "eventfd does not take a signal")
  }

  /// Takes the signals that were given so far.
  /// - Returns: whether there was one.
  @discardableResult
  public func clear() -> Bool {
    var count: UInt64 = 0
    // Safety: the eight bytes of a live variable.
    return clinux_read(counter.number, &count, 8) == 8
  }

  /// Waits for a signal and takes it; for a thread that has no loop.
  /// - Parameter timeoutMilliseconds: how long at most; nil waits for ever.
  /// - Returns: whether there was one.
  public func wait(timeoutMilliseconds: Int32? = nil) -> Bool {
    let ready = clinux_poll(counter.number, 0, timeoutMilliseconds ?? -1)
    precondition(ready >= 0, "poll does not take an eventfd")
    return clear()
  }
}

/// A thread of its own, with a name and without signals.
///
/// It is joined by `join()`, or at the end of its owner's life; so its body must have been told to
/// return before, or `leave()` lets it go.
public struct Thread: ~Copyable, Sendable {
  private let thread: UInt64

  private final class Body {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  /// Starts a thread.
  /// - Parameter name: as `ps` and `top` show it.
  /// - Precondition: the name has at most 15 bytes, the kernel's limit.
  public init(name: String, body: sending @escaping () -> Void) throws(SystemError) {
    precondition(name.utf8.count <= 15, "a thread's name has at most 15 bytes")
    var thread: UInt64 = 0
    // Safety: the retain made here is taken over by the new thread, or given back where there is
    // none.
    let context = Unmanaged.passRetained(Body(body))
    let result = clinux_thread_start(
      &thread, name, { Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run() },
      context.toOpaque())
    if result < 0 { context.release() }
    try checked(result, "pthread_create")
    self.thread = thread
  }

  deinit { clinux_thread_join(thread) }

  /// Waits until the thread's body has returned.
  public consuming func join() {
    let thread = self.thread
    discard self
    clinux_thread_join(thread)
  }

  /// Lets go of the thread, which may hang in a disk: nobody waits for its end any more.
  public consuming func leave() {
    let thread = self.thread
    discard self
    clinux_thread_detach(thread)
  }
}
