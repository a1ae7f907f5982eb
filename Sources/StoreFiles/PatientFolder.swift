import LinuxIO
import Sessions
import Synchronization

/// A folder whose calls are made on a thread of its own, since a disk, a stick or a file server may
/// not answer for minutes or for ever, and the truth on another disk must not wait for that.
///
/// - A call that takes longer than `span` is given up and fails with `stuck`. The thread goes on
///   with it; until it is done every further call fails at once, so that no two ever overlap.
/// - What a given-up call does late is a surprise to nobody: after a failure the storekeeper takes
///   nothing in the folder for known.
struct PatientFolder<Folder: ExchangeFolder>: ExchangeFolder
where Folder.Failure == StoreFileFault {
  private let line: FolderLine<Folder>

  /// Takes a folder.
  /// - Parameters:
  ///   - path: the folder's path, for messages.
  ///   - milliseconds: how long a call may take; a slow stick synchronises a megabyte within that.
  init(_ folder: Folder, at path: String, milliseconds: Int32 = 10_000) throws(StoreFileFault) {
    do throws(SystemError) {
      line = try FolderLine(folder, at: path, milliseconds: milliseconds)
    } catch { throw .system(error) }
  }

  mutating func files() throws(StoreFileFault) -> [FoundFile] {
    try line.call { folder throws(StoreFileFault) in try folder.files() }
  }

  mutating func read(_ path: String) throws(StoreFileFault) -> [UInt8]? {
    try line.call { folder throws(StoreFileFault) in try folder.read(path) }
  }

  mutating func replace(_ path: String, with bytes: [UInt8]) throws(StoreFileFault) {
    try line.call { folder throws(StoreFileFault) in try folder.replace(path, with: bytes) }
  }

  mutating func remove(_ path: String) throws(StoreFileFault) {
    try line.call { folder throws(StoreFileFault) in try folder.remove(path) }
  }

  mutating func setAside(_ path: String) throws(StoreFileFault) -> String {
    try line.call { folder throws(StoreFileFault) in try folder.setAside(path) }
  }

  /// Asks the folder's file system for what it knows of a path in it, and nothing else.
  /// - Returns: whether it answers, be it with a fault.
  func answers(_ path: String) -> Bool {
    (try? line.call { _ throws(StoreFileFault) in _ = try? Files.statusFollowingLinks(path) })
      != nil
  }
}

/// The thread of one folder, and the one call that it may have.
private final class FolderLine<Folder: ExchangeFolder>: Sendable
where Folder.Failure == StoreFileFault {
  typealias Body<Value> = @Sendable (inout Folder) throws(StoreFileFault) -> Value

  private let desk: Desk
  /// Nil only while this object ends.
  private let thread: Mutex<Thread?>
  private let path: String
  private let milliseconds: Int32

  /// What the two threads share. `done` is given under the mutex, so that a given-up call's signal
  /// is never taken for that of the next.
  private final class Desk: Sendable {
    struct State: Sendable {
      var work: (@Sendable (inout Folder) -> Void)?
      var isBusy = false
      var isEnding = false
    }

    let state = Mutex(State())
    let wake: EventSignal
    let done: EventSignal

    init() throws(SystemError) {
      wake = try EventSignal()
      done = try EventSignal()
    }

    func run(_ folder: Folder) {
      var folder = folder
      while true {
        _ = wake.wait()
        let (work, isEnding) = state.withLock { ($0.work.take(), $0.isEnding) }
        work?(&folder)
        state.withLock { state in
          if work != nil {
            state.isBusy = false
            done.signal()
          }
        }
        if isEnding { return }
      }
    }
  }

  init(_ folder: Folder, at path: String, milliseconds: Int32) throws(SystemError) {
    let desk = try Desk()
    self.desk = desk
    self.path = path
    self.milliseconds = milliseconds
    let thread = try Thread(name: "folder") { desk.run(folder) }
    self.thread = Mutex(thread)
  }

  deinit {
    let isBusy = desk.state.withLock { state in
      state.isEnding = true
      return state.isBusy
    }
    desk.wake.signal()
    // What hangs is not waited for; it ends by itself, or with the process.
    if isBusy {
      thread.withLock { thread in
        if let thread = thread.take() { thread.leave() }
      }
    }
  }

  func call<Value: Sendable>(_ body: @escaping Body<Value>) throws(StoreFileFault) -> Value {
    let answer = FolderAnswer<Value>()
    let isTaken = desk.state.withLock { state in
      if state.isBusy { return false }
      state.isBusy = true
      desk.done.clear()
      state.work = { folder in
        let result: Result<Value, StoreFileFault>
        do throws(StoreFileFault) { result = .success(try body(&folder)) } catch {
          result = .failure(error)
        }
        answer.result.withLock { $0 = result }
      }
      return true
    }
    guard isTaken else { throw .stuck(path: path) }
    desk.wake.signal()
    _ = desk.done.wait(timeoutMilliseconds: milliseconds)
    guard let result = answer.result.withLock({ $0 }) else { throw .stuck(path: path) }
    return try result.get()
  }
}

/// The place of one call's answer.
private final class FolderAnswer<Value: Sendable>: Sendable {
  let result = Mutex<Result<Value, StoreFileFault>?>(nil)
}
