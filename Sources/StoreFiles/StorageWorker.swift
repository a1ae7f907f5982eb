import LinuxIO
import Sessions

/// What runs on the storage thread.
struct StorageWorker<Disk: ReplicaDisk & Sendable & ~Copyable, Folder: ExchangeFolder>: ~Copyable {
  private let queue: StorageQueue
  private let open: @Sendable () throws(StoreFileFault) -> Storekeeper<Disk, Folder>
  private var keeper: Storekeeper<Disk, Folder>?
  /// Sits that came while there was no folder to keep them in. A sit takes minutes and a retry a
  /// minute, so this list needs no bound of its own.
  private var waiting: [MeditationSession] = []

  init(
    queue: StorageQueue,
    open: @escaping @Sendable () throws(StoreFileFault) -> Storekeeper<Disk, Folder>
  ) {
    self.queue = queue
    self.open = open
  }

  mutating func run() {
    var fault: StoreFileFault?
    do throws(StoreFileFault) { keeper = try open() } catch { fault = error }
    if case .locked? = fault {
      queue.state.withLock { [fault] state in
        state.startFault = fault
        state.isSaved = true
      }
      queue.stopped.signal()
      queue.started.signal()
      return
    }
    queue.started.signal()
    report(fault.map { [.failed(reason: $0.description)] } ?? keeper?.open() ?? [])
    while let request = next() { answer(handle(request)) }
    report(retry())
    let isSaved = waiting.isEmpty && keeper?.isTruthBehind != true
    queue.state.withLock { $0.isSaved = isSaved }
    queue.stopped.signal()
  }

  /// The next request, waited for; nil when the last is done and the thread is to end.
  private func next() -> StorageRequest? {
    while true {
      let (request, isOver) = queue.state.withLock { state -> (StorageRequest?, Bool) in
        // Who is stopping does not read answers any more, and must not wait for them.
        let hasRoom = state.answers.count < StorageThread.queueLimit || state.isStopping
        if hasRoom && !state.requests.isEmpty { return (state.requests.removeFirst(), false) }
        return (nil, state.isStopping)
      }
      if let request { return request }
      if isOver { return nil }
      _ = queue.work.wait()
    }
  }

  private mutating func handle(_ request: StorageRequest) -> [StorageAnswer] {
    switch request {
    case .add(let session):
      return (keeper?.add(session) ?? wait(with: session)).map(StorageAnswer.report)
    case .retry: return retry().map(StorageAnswer.report)
    case .choices(let bytes):
      let report = keeper?.write(choices: bytes)
      return [.report(report ?? .choicesFailed(reason: "the state folder cannot be used"))]
    case .history(let token): return [.history(keeper?.store.sessions ?? waiting, token: token)]
    case .keys(let token): return [.keys(keeper?.store.keys ?? [], token: token)]
    case .value(let key, let token):
      return [.value(keeper?.store.value(forKey: key), token: token)]
    case .set(let key, let value, let time, let token):
      let reports = keeper?.set(key, to: value, at: time)
      return [.set(reports ?? [.refused(reason: "the store is not open yet")], token: token)]
    case .usage(let token):
      let usage = keeper?.store.usage ?? StoreUsage(bytes: 0, keys: 0, sits: waiting.count)
      return [.usage(usage, token: token)]
    }
  }

  private mutating func wait(with session: MeditationSession) -> [StoreReport] {
    waiting.append(session)
    return retry()
  }

  private mutating func retry() -> [StoreReport] {
    if keeper != nil { return keeper?.retry() ?? [] }
    do throws(StoreFileFault) { keeper = try open() } catch {
      return [.failed(reason: error.description)]
    }
    var reports = keeper?.open() ?? []
    for session in waiting { reports += keeper?.add(session) ?? [] }
    waiting = []
    return reports
  }

  private func report(_ reports: [StoreReport]) { answer(reports.map(StorageAnswer.report)) }

  private func answer(_ answers: [StorageAnswer]) {
    if answers.isEmpty { return }
    queue.state.withLock { $0.answers += answers }
    queue.news.signal()
  }
}
