import LinuxIO
import Sessions
import Ticks

/// What runs on the storage thread.
struct StorageWorker<Disk: ReplicaDisk & Sendable & ~Copyable, Folder: ExchangeFolder>: ~Copyable {
  private enum Work {
    case request(StorageRequest)
    case look
  }

  private let queue: StorageQueue
  /// Whether a folder that another process has is waited for.
  private let waitsForLock: Bool
  private let open: @Sendable () throws(StoreFileFault) -> OpenedStore<Disk, Folder>
  private var keeper: Storekeeper<Disk, Folder>?
  /// What a hand did while there was no folder to keep it in. A sit takes minutes and a retry a
  /// minute, so this list needs no bound of its own.
  private var waiting: [StorageRequest] = []
  private var watch: SharedWatch?
  private var isAnswering: @Sendable () -> Bool = { true }
  private var pace = LookPace()
  private var state = StorageState()

  init(
    queue: StorageQueue, waitsForLock: Bool,
    open: @escaping @Sendable () throws(StoreFileFault) -> OpenedStore<Disk, Folder>
  ) {
    self.queue = queue
    self.waitsForLock = waitsForLock
    self.open = open
  }

  mutating func run() {
    var fault: StoreFileFault?
    do throws(StoreFileFault) { try openStore() } catch { fault = error }
    if case .locked? = fault, !waitsForLock {
      queue.state.withLock { [fault] state in
        state.startFault = fault
        state.isSaved = true
      }
      queue.stopped.signal()
      queue.started.signal()
      return
    }
    queue.started.signal()
    report(fault.map { [.failed(reason: $0.description)] } ?? begin())
    tellStatus()
    while let work = next() {
      switch work {
      case .request(let request): answer(handle(request))
      case .look: report(look())
      }
      tellStatus()
    }
    report(retry())
    let isSaved = waiting.isEmpty && keeper?.isTruthBehind != true
    queue.state.withLock { $0.isSaved = isSaved }
    queue.stopped.signal()
  }

  // MARK: What is next

  /// The next request or look, waited for; nil when the last request is done and the thread is to
  /// end.
  private mutating func next() -> Work? {
    while true {
      let (request, isOver, hasRoom) = queue.state.withLock {
        state -> (StorageRequest?, Bool, Bool) in
        // Who is stopping does not read answers any more, and must not wait for them.
        let hasRoom = state.answers.count < StorageThread.queueLimit || state.isStopping
        let request = hasRoom && !state.requests.isEmpty ? state.requests.removeFirst() : nil
        return (request, state.isStopping, hasRoom)
      }
      if let request { return .request(request) }
      if isOver { return nil }
      let due = hasRoom && watch != nil ? pace.due : nil
      let now = Clock.bootTime()
      if let due, due <= now { return .look }
      wait(until: due, from: now)
    }
  }

  private mutating func wait(until due: Instant?, from now: Instant) {
    // Rounded up, or the last part of a millisecond would be waited for in circles.
    let milliseconds = due.map { Int32(min(($0 - now).nanoseconds / 1_000_000 + 1, 60_000)) }
    let ready = try? queue.waits.wait(timeoutMilliseconds: milliseconds)
    for ready in ready ?? [] {
      switch SharedWatch.Token(rawValue: ready.token) {
      case .work?: queue.work.clear()
      case let token?:
        if token == .mounts, !isAnswering() { continue }
        if watch?.isNews(token) == true { pace.noticed(at: Clock.bootTime()) }
      case nil: break
      }
    }
  }

  // MARK: What is done

  private mutating func openStore() throws(StoreFileFault) {
    let opened = try open()
    state.isVolatile = opened.isVolatile
    state.openingReports = opened.reports
    isAnswering = opened.isAnswering
    if let path = opened.watched { watch = SharedWatch(path, in: queue.waits) }
    keeper = opened.taken()
  }

  /// Reads the files of a store that was just opened, and looks at the shared folder.
  private mutating func begin() -> [StoreReport] {
    let reports = state.openingReports
    state.openingReports = []
    return reports + look()
  }

  private mutating func look() -> [StoreReport] {
    prepareToLook()
    let reports = keeper?.look() ?? []
    state.looked(reports, at: Clock.wall())
    watchWhatWasMade()
    return reports
  }

  /// The watch stands before the look, so that what changes meanwhile is told after it.
  private mutating func prepareToLook() {
    if watch != nil, isAnswering() { watch?.renew(in: queue.waits) }
    pace.isBlind = watch?.isBlind ?? false
    pace.looked(at: Clock.bootTime())
  }

  /// The look itself may have made the folder. What came into it before it was watched is seen by
  /// another look.
  private mutating func watchWhatWasMade() {
    guard watch?.hasFolder == false, isAnswering() else { return }
    watch?.renew(in: queue.waits)
    pace.isBlind = watch?.isBlind ?? false
    if watch?.hasFolder == true, !pace.isBlind { pace.noticed(at: Clock.bootTime()) }
  }

  private mutating func handle(_ request: StorageRequest) -> [StorageAnswer] {
    switch request {
    case .add, .claim, .withdrawClaim, .endSit, .edit, .deleteSit:
      let reports = change(request)
      state.retried(reports)
      return reports.map(StorageAnswer.report)
    case .retry: return retry().map(StorageAnswer.report)
    case .choices(let bytes):
      let report = keeper?.write(choices: bytes)
      return [.report(report ?? .choicesFailed(reason: StorageState.unusable))]
    case .called(let bytes):
      keeper?.write(called: bytes)
      return []
    case .look: return look().map(StorageAnswer.report)
    case .sync(let folder, let adopt, let token):
      return [.synced(merge(folder, adopt: adopt), token: token)]
    case .set(let key, let value, let time, let token):
      let reports = keeper?.set(key, to: value, at: time)
      state.retried(reports ?? [])
      return [.set(reports ?? [.failed(reason: StorageState.unusable)], token: token)]
    case .setText(let key, let text, let time, let token):
      do throws(JSONError) {
        let value = try JSONValue(parsing: Array(text.utf8))
        return handle(.set(key, to: value, at: time, token: token))
      } catch { return [.set([.refused(reason: "the value: \(error)")], token: token)] }
    case .change(let text, let time, let token): return [change(text, at: time, token)]
    case .history, .keys, .value, .usage, .status: return [look(up: request)]
    }
  }

  /// What only asks.
  private mutating func look(up request: StorageRequest) -> StorageAnswer {
    switch request {
    case .history(let token): .history(keeper?.store.sessions ?? waitingSits, token: token)
    case .keys(let token): .keys(keeper?.store.keys ?? [], token: token)
    case .value(let key, let token): .value(keeper?.store.value(forKey: key), token: token)
    case .usage(let token):
      .usage(
        keeper?.store.usage ?? StoreUsage(bytes: 0, keys: 0, sits: waitingSits.count), token: token)
    case .status(let token): .status(currentStatus(), token: token)
    case .add, .claim, .withdrawClaim, .endSit, .edit, .deleteSit, .retry, .choices, .called, .look,
      .sync, .set, .setText, .change:
      preconditionFailure("this one does something")
    }
  }

  private mutating func merge(_ path: String?, adopt: Bool) -> StoreMerge {
    let opening = keeper == nil ? retry() : []
    prepareToLook()
    guard var merge = keeper?.merge(path, adopt: adopt) else {
      return StoreMerge(reports: opening, status: currentStatus(), newSits: 0)
    }
    state.looked(merge.reports, at: Clock.wall())
    watchWhatWasMade()
    merge.reports = opening + merge.reports
    return merge
  }

  /// Does what a hand or a sit does to the store; without one it waits for it.
  private mutating func change(_ request: StorageRequest) -> [StoreReport] {
    guard keeper != nil else {
      if request.isClaim, waiting.last?.isClaim == true { waiting.removeLast() }
      waiting.append(request)
      return retry()
    }
    switch request {
    case .add(let session): return keeper?.add(session) ?? []
    case .claim(let since, let plannedEnd, let isPaused, let name, let time):
      guard let device = keeper?.store.device else { return [] }
      let claim = Claim(
        device: device, since: since, plannedEnd: plannedEnd, isPaused: isPaused, name: name,
        at: time)
      return keeper?.publish(claim, at: time) ?? []
    case .withdrawClaim(let time): return keeper?.publish(nil, at: time) ?? []
    case .endSit(let session, let time):
      return keeper?.add(session, withdrawingAt: time) ?? []
    case .edit(let id, let edit, let time):
      return keeper?.edit(id, at: time) { edit.apply(to: &$0) } ?? []
    case .deleteSit(let id, let time): return keeper?.delete(id, at: time) ?? []
    default: preconditionFailure("this one changes nothing")
    }
  }

  private var waitingSits: [MeditationSession] {
    waiting.compactMap { request in
      switch request {
      case .add(let session), .endSit(let session, _): session
      default: nil
      }
    }
  }

  private mutating func change(
    _ text: String, at time: WriteTime, _ token: Int
  ) -> StorageAnswer {
    do throws(FieldProblem) {
      let changes = try SitChange.list(parsing: text)
      guard let changed = keeper?.change(changes, at: time, isServing: true) else {
        return .changed([.failed(reason: StorageState.unusable)], SitTally(), token: token)
      }
      state.retried(changed.reports)
      return .changed(changed.reports, changed.tally, token: token)
    } catch {
      return .changed(
        [.refused(reason: error.description)], SitTally(), token: token)
    }
  }

  private mutating func retry() -> [StoreReport] {
    if keeper != nil {
      let reports = keeper?.retry() ?? []
      state.retried(reports)
      return reports
    }
    do throws(StoreFileFault) { try openStore() } catch {
      return [.failed(reason: error.description)]
    }
    var reports = begin()
    let changes = waiting
    waiting = []
    for request in changes { reports += change(request) }
    return reports
  }

  // MARK: What is told

  // Mutating as the one before it, since only so an optional owner can be looked into.
  private mutating func currentStatus() -> StoreStatus {
    let nobody = Identity(high: 0, low: 0)
    guard let store = keeper?.store, let peers = keeper?.peers else {
      let usage = StoreUsage(bytes: 0, keys: 0, sits: waitingSits.count)
      return StoreStatus(owner: nobody, device: nobody, usage: usage)
    }
    return state.status(of: store, peers, at: Clock.wall(), isKnown: Clock.wallIsKnown())
  }

  private mutating func tellStatus() {
    guard keeper != nil else { return }
    let status = currentStatus()
    if status == state.told { return }
    state.told = status
    answer([.status(status, token: nil)])
  }

  private func report(_ reports: [StoreReport]) { answer(reports.map(StorageAnswer.report)) }

  private func answer(_ answers: [StorageAnswer]) {
    if answers.isEmpty { return }
    queue.state.withLock { $0.answers += answers }
    queue.news.signal()
  }
}
