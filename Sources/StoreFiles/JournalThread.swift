import LinuxIO
import Synchronization

/// What became of the journal.
public enum JournalReport: Equatable, Sendable {
  /// It is on the disk as it was ordered last.
  case written
  /// It is gone from the disk.
  case erased
  /// The last order could not be carried out; it is tried again.
  case failed(reason: String)
}

/// The thread that writes the journal of the running sit.
///
/// - It is not the storage thread: a journal must be on the disk within seconds, before a bell, and
///   a merge with slow folders takes minutes. The two share nothing but the disk itself, so that a
///   journal may wait for the fsync of a store, a second or a few on a bad card.
/// - Only the newest order counts, so that nothing can pile up: one that has not been begun is
///   replaced by the next. `write` and `erase` never wait.
/// - What failed is tried again at once and then every minute, until another order replaces it.
public final class JournalThread: Sendable {
  private static let retryMilliseconds: Int32 = 60_000

  private enum Order: Sendable {
    case write([UInt8])
    case erase
  }

  private struct State: Sendable {
    var order: Order?
    var isBusy = false
    var report: JournalReport?
    var isStopping = false
    /// Whether the last order was carried out; nil while the thread runs.
    var isDone: Bool?
    var isGivenUp = false
  }

  /// What the two threads share. The state is guarded by the mutex; the signals are the kernel's.
  private final class Desk: Sendable {
    let state = Mutex(State())
    let work: EventSignal
    let news: EventSignal
    let stopped: EventSignal

    init() throws(SystemError) {
      work = try EventSignal()
      news = try EventSignal()
      stopped = try EventSignal()
    }

    func run(_ journal: JournalFile) {
      var failures = 0
      while true {
        let (order, isStopping) = state.withLock { state in
          state.isBusy = state.order != nil
          return (state.order.take(), state.isStopping)
        }
        if let order {
          let report = carryOut(order, journal)
          failures = report.isFailure ? failures + 1 : 0
          state.withLock { state in
            state.report = report
            state.isBusy = false
            // A newer order stands for this one.
            if report.isFailure, state.order == nil { state.order = order }
          }
          news.signal()
          if failures == 1 { continue }
        }
        if isStopping { break }
        _ = work.wait(
          timeoutMilliseconds: failures > 0 ? JournalThread.retryMilliseconds : nil)
      }
      state.withLock { $0.isDone = failures == 0 }
      stopped.signal()
    }

    private func carryOut(_ order: Order, _ journal: JournalFile) -> JournalReport {
      do throws(StoreFileFault) {
        switch order {
        case .write(let bytes):
          try journal.write(bytes)
          return .written
        case .erase:
          try journal.erase()
          return .erased
        }
      } catch { return .failed(reason: error.description) }
    }
  }

  private let desk: Desk
  /// Nil only while this object ends.
  private let thread: Mutex<Thread?>

  /// Starts the thread on the journal of a state folder.
  public convenience init(state: String) throws(StoreFileFault) {
    try self.init(JournalFile(state: state))
  }

  init(_ journal: JournalFile) throws(StoreFileFault) {
    do throws(SystemError) {
      let desk = try Desk()
      self.desk = desk
      let thread = try Thread(name: "journal") { desk.run(journal) }
      self.thread = Mutex(thread)
    } catch { throw .system(error) }
  }

  deinit {
    // A stop that was given up is not waited for here: the disk may hang for ever.
    if desk.state.withLock({ $0.isGivenUp }) {
      thread.withLock { thread in
        if let thread = thread.take() { thread.leave() }
      }
    } else {
      _ = stop(timeoutMilliseconds: nil)
    }
  }

  /// Readable while a report waits; for an event loop.
  public var news: LentDescriptor { desk.news.lent }

  /// Orders the journal to be replaced.
  public func write(_ bytes: [UInt8]) { order(.write(bytes)) }

  /// Orders the journal to be removed.
  public func erase() { order(.erase) }

  private func order(_ order: Order) {
    desk.state.withLock { $0.order = order }
    desk.work.signal()
  }

  /// Whether all that was ordered is on the disk.
  public var isSettled: Bool { desk.state.withLock { $0.order == nil && !$0.isBusy } }

  /// What became of the last order that was carried out or failed since the last call; nil where
  /// none was.
  public func takeReport() -> JournalReport? {
    desk.news.clear()
    return desk.state.withLock { $0.report.take() }
  }

  /// Carries out what is ordered and ends the thread.
  /// - Parameter timeoutMilliseconds: how long to wait for that at most; nil waits for ever.
  /// - Returns: whether the last order was carried out; nil when the time is over. The thread is
  ///   left to itself then, and the end of this object waits for it no more.
  public func stop(timeoutMilliseconds: Int32?) -> Bool? {
    desk.state.withLock { $0.isStopping = true }
    desk.work.signal()
    if let isDone = desk.state.withLock({ $0.isDone }) { return isDone }
    _ = desk.stopped.wait(timeoutMilliseconds: timeoutMilliseconds)
    return desk.state.withLock { state in
      state.isGivenUp = state.isDone == nil
      return state.isDone
    }
  }
}

extension JournalReport {
  fileprivate var isFailure: Bool {
    if case .failed = self { return true }
    return false
  }
}
