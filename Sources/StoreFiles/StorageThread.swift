import LinuxIO
import Sessions
import Synchronization

/// What the storage thread is asked for. A token comes back with the answer.
public enum StorageRequest: Sendable {
  /// Keep a completed sit.
  case add(MeditationSession)
  /// Say to the owner's other devices that a sit runs here.
  case claim(
    since: WallInstant, plannedEnd: WallInstant?, isPaused: Bool, name: String?, at: WriteTime)
  /// Say that none does any more.
  case withdrawClaim(at: WriteTime)
  /// Say so, and keep the sit that did, in one write.
  case endSit(MeditationSession, at: WriteTime)
  /// Change a sit.
  case edit(Identity, SitEdit, at: WriteTime)
  /// Delete a sit for good.
  case deleteSit(Identity, at: WriteTime)
  /// Try again what failed.
  case retry
  /// Write what was chosen on this device, in the form of its file.
  case choices([UInt8])
  /// Write for which days reminders have called, in the form of its file. Nothing answers.
  case called([UInt8])
  /// Look at the shared folder now.
  case look
  /// Merge all replicas once, and those of another folder both ways, if one is given. With `adopt`
  /// the copies of another owner are merged too, and this store becomes that owner's.
  case sync(folder: String?, adopt: Bool, token: Int)
  /// How the store stands.
  case status(token: Int)
  /// All sits.
  case history(token: Int)
  /// The keys there are.
  case keys(token: Int)
  /// The value of a key.
  case value(forKey: String, token: Int)
  /// Set a key; nil deletes it.
  case set(String, to: JSONValue?, at: WriteTime, token: Int)
  /// Set a key to a value that is a text yet, up to a megabyte of it; it is answered as `set` is.
  case setText(String, to: String, at: WriteTime, token: Int)
  /// Change sits. The changes are a text yet, as `SitChange.list` reads it, up to a megabyte.
  case change(String, at: WriteTime, token: Int)
  /// How full the store is.
  case usage(token: Int)
}

extension StorageRequest {
  /// Whether it says that a sit runs here, or that none does.
  var isClaim: Bool {
    switch self {
    case .claim, .withdrawClaim: true
    default: false
    }
  }
}

/// What the storage thread has to say.
public enum StorageAnswer: Sendable, Equatable {
  /// Something happened to the files.
  case report(StoreReport)
  /// All sits, oldest first.
  case history([MeditationSession], token: Int)
  /// The keys, in byte order.
  case keys([String], token: Int)
  /// A value; nil when there is none.
  case value(JSONValue?, token: Int)
  /// What became of changes of sits.
  case changed([StoreReport], SitTally, token: Int)
  /// What became of setting or deleting a key.
  case set([StoreReport], token: Int)
  /// How full the store is.
  case usage(StoreUsage, token: Int)
  /// What a merge did.
  case synced(StoreMerge, token: Int)
  /// How the store stands: asked for, or without a token whenever it is another than before.
  case status(StoreStatus, token: Int?)
}

/// A store as the storage thread takes it over.
struct OpenedStore<Disk: ReplicaDisk & ~Copyable, Folder: ExchangeFolder>: ~Copyable {
  /// Its files, which are not read yet.
  var keeper: Storekeeper<Disk, Folder>
  /// The shared folder's path, to be watched; nil where nothing is.
  var watched: String?
  /// Whether that path's file system answers; what would wait for it is left out where not.
  var isAnswering: @Sendable () -> Bool = { true }
  /// Whether what is written is gone after the next boot.
  var isVolatile = false
  /// What is to be said of it first.
  var reports: [StoreReport] = []

  /// Gives the keeper away, and with it the rest up.
  consuming func taken() -> Storekeeper<Disk, Folder> { keeper }
}

/// The one thread that owns the store's files, since an fsync on a memory card can take seconds.
///
/// - `send` never waits for the disk: a request goes into a queue of at most `queueLimit`. When
///   that is full `send` returns false, and the caller keeps the sit and sends it again.
/// - Answers wait for `takeAnswers`; `news` is readable while there are some. While `queueLimit` of
///   them wait, no further request is begun, so an idle caller stops the queue and not the machine.
/// - The shared folder is watched, and looked at when something has changed in it; where the file
///   system tells nothing, once a minute. While nothing changes on a local disk, the thread sleeps.
/// - Calls on the shared folder are given up when its disk does not answer (`PatientFolder`).
/// - A state folder that cannot be used yet (read-only, missing rights) does not end the thread:
///   sits wait in memory, and `retry` tries the folder again.
public final class StorageThread: Sendable {
  /// How many requests, and how many answers, may wait.
  public static let queueLimit = 64

  private let queue: StorageQueue
  /// Nil only while this object ends.
  private let thread: Mutex<Thread?>

  /// Starts the thread on a state folder and perhaps a shared one, and waits until the state folder
  /// was tried; the files are read after that.
  /// - Parameter waitsForLock: whether a folder that another process has is waited for too, as one
  ///   that cannot be used yet.
  /// - Throws: `locked` where another process has the folder and it is not waited for, and a thread
  ///   that cannot be made. Every other fault is reported, and tried again.
  public convenience init(
    state: String, shared: String?, waitsForLock: Bool = false
  ) throws(StoreFileFault) {
    try self.init(waitsForLock: waitsForLock) { () throws(StoreFileFault) in
      try StorageThread.opened(state: state, shared: shared)
    }
  }

  private static func opened(
    state: String, shared: String?
  ) throws(StoreFileFault) -> OpenedStore<FolderDisk, PatientFolder<SharedFolder>> {
    let disk = try FolderDisk.taking(state)
    // Read before the disk is moved into the storekeeper.
    let (device, isVolatile) = (disk.device, disk.isVolatile)
    let reports = disk.clonedFrom.map { [StoreReport.cloned(from: $0, to: device)] } ?? []
    let owner = try FolderDisk.randomIdentity()
    guard let shared else {
      return OpenedStore(
        keeper: Storekeeper(disk: disk, folder: nil, owner: owner, device: device),
        isVolatile: isVolatile, reports: reports)
    }
    let folder = try PatientFolder(
      SharedFolder(shared, device: device, state: state), at: shared)
    return OpenedStore(
      keeper: Storekeeper(disk: disk, folder: folder, owner: owner, device: device),
      watched: shared, isAnswering: { folder.answers(shared) }, isVolatile: isVolatile,
      reports: reports)
  }

  /// Starts the thread on a disk that it opens itself.
  init<Disk: ReplicaDisk & Sendable & ~Copyable, Folder: ExchangeFolder>(
    waitsForLock: Bool = false,
    opening open: @escaping @Sendable () throws(StoreFileFault) -> OpenedStore<Disk, Folder>
  ) throws(StoreFileFault) {
    do throws(SystemError) {
      let queue = try StorageQueue()
      self.queue = queue
      let thread = try Thread(name: "storage") {
        var worker = StorageWorker(queue: queue, waitsForLock: waitsForLock, open: open)
        worker.run()
      }
      self.thread = Mutex(thread)
    } catch { throw .system(error) }
    _ = queue.started.wait()
    if let fault = queue.state.withLock({ $0.startFault }) {
      throw fault
    }
  }

  deinit {
    // A stop that was given up is not waited for here: the disk may hang for ever.
    if queue.state.withLock({ $0.isGivenUp }) {
      thread.withLock { thread in
        if let thread = thread.take() { thread.leave() }
      }
    } else {
      _ = stop(timeoutMilliseconds: nil)
    }
  }

  /// Readable while answers wait; for an event loop.
  public var news: LentDescriptor { queue.news.lent }

  /// Hands a request over without waiting. A claim takes the place of one that has not been begun:
  /// however often a sit is paused, the last word counts.
  /// - Returns: false when the queue is full or the thread is stopping: the request was not taken.
  public func send(_ request: StorageRequest) -> Bool {
    let isTaken = queue.state.withLock { state in
      guard !state.isStopping else { return false }
      if request.isClaim, state.requests.last?.isClaim == true { state.requests.removeLast() }
      guard state.requests.count < StorageThread.queueLimit else { return false }
      state.requests.append(request)
      return true
    }
    if isTaken { queue.work.signal() }
    return isTaken
  }

  /// The answers since the last call, in order.
  public func takeAnswers() -> [StorageAnswer] {
    queue.news.clear()
    let answers = queue.state.withLock { state in
      defer { state.answers = [] }
      return state.answers
    }
    // The thread may wait for this room.
    if !answers.isEmpty { queue.work.signal() }
    return answers
  }

  /// Finishes what is queued, tries once more what is not saved, and ends the thread.
  /// - Parameter timeoutMilliseconds: how long to wait for that at most; nil waits for ever.
  /// - Returns: whether the truth on the disk has every sit and value; nil when the time is over.
  ///   The thread is left to itself then, and the end of this object waits for it no more.
  public func stop(timeoutMilliseconds: Int32?) -> Bool? {
    queue.state.withLock { $0.isStopping = true }
    queue.work.signal()
    if let isSaved = queue.state.withLock({ $0.isSaved }) { return isSaved }
    _ = queue.stopped.wait(timeoutMilliseconds: timeoutMilliseconds)
    return queue.state.withLock { state in
      state.isGivenUp = state.isSaved == nil
      return state.isSaved
    }
  }
}

/// What the two threads share. The lists are guarded by the mutex; the signals are the kernel's.
final class StorageQueue: Sendable {
  struct State: Sendable {
    var requests: [StorageRequest] = []
    var answers: [StorageAnswer] = []
    var isStopping = false
    var startFault: StoreFileFault?
    /// Whether everything was saved; nil while the thread runs.
    var isSaved: Bool?
    /// Whether a stop has waited in vain.
    var isGivenUp = false
  }

  let state = Mutex(State())
  /// What the storage thread waits for; `work` is in it.
  let waits: DescriptorSet
  let work: EventSignal
  let news: EventSignal
  let started: EventSignal
  let stopped: EventSignal

  init() throws(SystemError) {
    work = try EventSignal()
    news = try EventSignal()
    started = try EventSignal()
    stopped = try EventSignal()
    waits = try DescriptorSet()
    try waits.add(work.lent, token: SharedWatch.Token.work.rawValue)
  }
}
