import Testing

@testable import Sessions

/// What our own copy in a shared folder may do, old, damaged or under another name.
@Suite struct OwnCopyTests {
  private let shared = SharedFiles()

  private func number(_ low: UInt64) -> Identity { Identity(randomHigh: low, low: low) }

  private func isIdentityChange(_ report: StoreReport) -> Bool {
    if case .changed(_, .identityChange) = report { true } else { false }
  }

  /// A family with a sit comes into the folder, and the box joins it.
  private func join(_ box: WorldBox, to owner: Identity) {
    let family = WorldBox(2, owner: owner, shared: shared)
    family.keeper.share(in: nil)
    _ = family.keeper.open()
    _ = family.keeper.add(sit(9))
    family.keeper.share(in: WorldFolder(all: shared))
    _ = family.keeper.look()
    _ = box.keeper.adopt()
  }

  /// A box that had three sits, has joined a family with one, and has deleted two sits since.
  private func adopted() -> (box: WorldBox, old: [UInt8]?) {
    let box = WorldBox(1, owner: number(1), shared: shared)
    _ = box.keeper.open()
    for index in 0..<3 { _ = box.keeper.add(sit(index)) }
    let old = shared[box.path]
    join(box, to: number(2))
    for index in 0..<2 { _ = box.keeper.delete(sit(index).id, at: now) }
    return (box, old)
  }

  @Test func copyOfBeforeAnAdoption_underAnyName_leavesTheOwner() {
    for suffix in ["", "~", ".orig"] {
      let (box, old) = adopted()
      #expect(box.store.owner == number(2) && box.store.usage.sits == 2)
      shared[box.path + suffix] = old
      #expect(!box.keeper.look().contains(where: isIdentityChange))
      #expect(box.store.owner == number(2) && box.store.usage.sits == 2)
      box.restart()
      #expect(box.store.owner == number(2) && box.store.usage.sits == 2)
      shared.files = [:]
    }
  }

  @Test func foreignCopyThatNamesUs_underAnotherName_leavesTheOwner() throws {
    let box = WorldBox(1, owner: number(1), shared: shared)
    _ = box.keeper.open()
    _ = box.keeper.add(sit(0))
    var foreign = SessionStore(owner: number(7), device: box.device)
    for index in 5..<9 { try foreign.add(sit(index)) }
    shared["stick.kv"] = foreign.encode()
    _ = box.keeper.look()
    #expect(box.store.owner == number(1))
  }

  @Test func truthRolledBackToBeforeAnAdoption_followsOurCopyAndSaysSo() {
    let box = WorldBox(1, owner: number(1), shared: shared)
    _ = box.keeper.open()
    _ = box.keeper.add(sit(0))
    let old = box.state.files
    join(box, to: number(2))
    box.state.files = old
    #expect(box.restart().contains(where: isIdentityChange))
    #expect(box.store.owner == number(2) && box.store.sessions == [sit(0), sit(9)])
  }

  /// The peer's name comes before ours: it is met while nobody knows yet whose sits these are.
  @Test func stateFolderLost_peerOfOurOwner_isMergedAtTheFirstLook() {
    let peer = WorldBox(1, owner: number(5), shared: shared)
    let box = WorldBox(2, owner: number(5), shared: shared)
    _ = peer.keeper.open()
    _ = box.keeper.open()
    _ = box.keeper.add(sit(0))
    _ = peer.keeper.add(sit(1))
    let again = WorldBox(2, owner: number(1), shared: shared)
    _ = again.keeper.open()
    #expect(again.store.owner == number(5))
    #expect(again.store.sessions == [sit(0), sit(1)])
    #expect(again.keeper.peers.map(\.problem) == [nil])
  }

  @Test func ownCopy_damagedAndNotSetAside_stopsNoPeer() {
    let box = WorldBox(1, shared: shared)
    let peer = WorldBox(2, shared: shared)
    _ = box.keeper.open()
    _ = peer.keeper.open()
    _ = peer.keeper.add(sit(0))
    shared[box.path]?[12] ^= 1
    let damaged = shared[box.path]
    shared.cannotSetAside = true
    let reports = box.keeper.look()
    #expect(reports.contains(.exchangeFailed(reason: "\(box.path) cannot be set aside")))
    #expect(
      reports.contains {
        if case .salvaged(box.path, _, nil) = $0 { true } else { false }
      })
    #expect(box.store.sessions == [sit(0)] && box.keeper.peers.map(\.path) == [peer.path])
    #expect(shared[box.path] == damaged)
    shared.cannotSetAside = false
    _ = box.keeper.retry()
    #expect(shared[box.path] == box.store.encode() && !box.keeper.isBehind)
    #expect(shared[".syncthing.aside"] == damaged)
  }

  @Test func ownCopy_thatCannotBeRead_stopsNoPeer() {
    let box = WorldBox(1, shared: shared)
    let peer = WorldBox(2, shared: shared)
    _ = peer.keeper.open()
    _ = peer.keeper.add(sit(0))
    shared[box.path] = [1]
    shared.unreadable = box.path
    let reports = box.keeper.open()
    #expect(reports.contains(.exchangeFailed(reason: "\(box.path) cannot be read")))
    #expect(box.store.sessions == [sit(0)] && shared[box.path] == [1])
  }

  @Test func damagedVolumeOfOurs_thatIsNotWanted_isSetAsideOnceAndRemoved() {
    let box = WorldBox(1, shared: shared)
    _ = box.keeper.open()
    let path = Volume.overflow(3).exchangePath(of: box.device)
    shared[path] = [1, 2, 3]
    _ = box.keeper.look()
    #expect(shared[path] == nil && shared[".syncthing.aside"] == [1, 2, 3])
    box.forgetCalls()
    #expect(box.keeper.look() == [] && !box.hasWritten)
  }

  /// A new box has a smaller name by chance; whoever has set keys is not to become its.
  @Test func ownersWithoutSits_oneWithKeys_isTheOneThatIsJoined() {
    let family = WorldBox(1, owner: number(9), shared: shared)
    _ = family.keeper.open()
    _ = family.keeper.set("bell", to: .string("bowl"), at: now)
    var stick = WorldFolder(all: shared)
    let visitor = WorldBox(2, owner: number(1))
    _ = visitor.keeper.open()
    _ = visitor.keeper.sync(with: &stick)
    #expect(visitor.store.owner == number(9))
    let fresh = WorldBox(3, owner: number(3), shared: shared)
    _ = fresh.keeper.open()
    _ = fresh.keeper.adopt()
    #expect(fresh.store.owner == number(9))
    #expect(fresh.store.value(forKey: "bell") == .string("bowl"))
  }
}
