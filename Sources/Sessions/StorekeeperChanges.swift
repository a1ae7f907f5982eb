extension Storekeeper where Disk: ~Copyable {
  /// Changes sits and saves, all in one write. What is a row of a file stands for itself; of all
  /// other changes either all are made or none.
  /// - Parameters:
  ///   - changes: what is to be done.
  ///   - time: when this is.
  ///   - isServing: whether the claim of this device is that of a sit that runs; where no service
  ///     runs it may be one that the power has left behind.
  /// - Returns: what was reported, and what became of the changes.
  public mutating func change(
    _ changes: [SitChange], at time: WriteTime, isServing: Bool = false
  ) -> (reports: [StoreReport], tally: SitTally) {
    let opened = openForChange()
    if !opened.isOpen { return (opened.reports, SitTally()) }
    let before = store
    var tally = SitTally()
    var others = SitsBeside(running: isServing ? store.claimHere : nil)
    var isUndone = false
    var isRefused = false
    for (index, change) in changes.enumerated() {
      do throws(StoreError) {
        if case .undo(let isForced) = change {
          try bringBack(isForced: isForced, &tally)
          others.forget()
          isUndone = true
        } else {
          try store.apply(change, at: time, &tally, &others)
        }
      } catch {
        tally.refuse(index, error.description)
        if !change.isRow { isRefused = true }
      }
    }
    if isRefused {
      store = before
      let refusals = tally.refusals
      tally = SitTally()
      tally.refusals = refusals
      return (opened.reports + refusals.map { .refused(reason: $0.reason) }, tally)
    }
    remember(deletedFrom: before)
    let reports = retry()
    // Only what is back for good is forgotten as deleted.
    if isUndone && !isTruthBehind { forgetDeleted() }
    return (opened.reports + reports, tally)
  }

  // MARK: Undo

  /// Keeps what was just deleted. A disk that refuses it keeps nobody from deleting: the sits are
  /// known until this ends.
  private mutating func remember(deletedFrom before: SessionStore) {
    let deleted = before.sits.filter { store.sits[$0.key] == nil }.values
      .compactMap(\.session).sorted { ($0.startDate, $0.id) < ($1.startDate, $1.id) }
    if deleted.isEmpty { return }
    deletedLast = deleted
    let bytes = JSONValue.array(deleted.map(\.exported)).encoded() + [0x0A]
    try? disk.replace(.deletedLast, with: bytes, keepingEarlier: false)
  }

  private mutating func bringBack(
    isForced: Bool, _ tally: inout SitTally
  ) throws(StoreError) {
    let there = Set(store.sits.values.compactMap(\.session).map(SitContent.init))
    // One that the power kept from being deleted is still there, and one may be back by hand.
    let sits = (deletedLast ?? readDeleted()).filter { sit in
      store.deletedSits[sit.id] != nil && !there.contains(SitContent(sit))
    }
    if sits.isEmpty { throw .nothingDeleted }
    // They may overlap each other, as they did before.
    var others = SitsBeside()
    for sit in sits where !isForced {
      if let other = others.overlapped(by: sit, in: store) { throw .overlap(other) }
    }
    for sit in sits {
      var new = sit
      new.id = sit.id.broughtBack
      if try store.add(new) { tally.add(new.id) } else { tally.known += 1 }
    }
  }

  private mutating func readDeleted() -> [MeditationSession] {
    guard let bytes = try? disk.read(.deletedLast), let value = try? JSONValue(parsing: bytes),
      let rows = value.arrayValue
    else { return [] }
    return rows.compactMap { try? MeditationSession(json: $0) }
  }

  private mutating func forgetDeleted() {
    deletedLast = []
    try? disk.remove(.deletedLast)
  }
}
