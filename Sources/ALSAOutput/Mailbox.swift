import Bells
import Synchronization
import Ticks

/// All that the control side wants of the audio thread. Each order holds until another replaces it,
/// so the newest is all there is to know: nothing queues up while a driver is slow.
struct Orders {
  /// How many times each of these was ordered since the start; the audio thread acts on a change.
  var plans = 0
  var damps = 0
  var warms = 0
  var retries = 0
  var finish = false
  /// Nothing is to be opened yet.
  var isWaiting = false
  var volumes: Volumes
  var ambient: AmbientSound?
  var isSitting = false
  var settings: PlaybackSettings
  var strikeCount = 0
}

/// One place for the newest orders, from one thread to another, without a lock: three copies, of
/// which the writer owns one, the reader one, and the third is exchanged with either.
///
/// Invariants:
/// - `back` is touched by the writer alone, `front` by the reader alone; `middle` names the third
///   copy, so the three are always different.
/// - It is never full: orders that were not read are replaced by newer ones.
final class Mailbox: Sendable {
  private static let fresh: UInt8 = 4

  // The copies are plain memory; who may touch which is what the exchange on `middle` decides.
  nonisolated(unsafe) private let orders: UnsafeMutablePointer<Orders>
  // As for `orders`: copy n's strikes are the n-th row.
  nonisolated(unsafe) private let strikes: UnsafeMutablePointer<Strike>
  // Only the writer touches it.
  nonisolated(unsafe) private var back: UInt8 = 0
  // Only the reader touches it.
  nonisolated(unsafe) private var front: UInt8 = 2
  private let middle = Atomic<UInt8>(1)

  init(_ first: Orders) {
    orders = .allocate(capacity: 3)
    orders.initialize(repeating: first, count: 3)
    strikes = .allocate(capacity: 3 * StrikeSchedule.capacity)
    strikes.initialize(
      repeating: Strike(number: 0, sound: 0, due: .zero, gain: 0),
      count: 3 * StrikeSchedule.capacity)
  }

  deinit {
    orders.deallocate()
    strikes.deallocate()
  }

  /// Leaves orders with their strikes, of which the first `StrikeSchedule.capacity` are taken. Only
  /// the control thread calls it.
  func put(_ newest: Orders, strikes plan: [Strike]) {
    orders[Int(back)] = newest
    orders[Int(back)].strikeCount = min(plan.count, StrikeSchedule.capacity)
    for index in 0..<min(plan.count, StrikeSchedule.capacity) {
      strikes[Int(back) * StrikeSchedule.capacity + index] = plan[index]
    }
    back = middle.exchange(back | Self.fresh, ordering: .acquiringAndReleasing) & ~Self.fresh
  }

  /// Takes the newest orders, if there are any since the last time, and copies their strikes into
  /// `plan`, which must have room. Only the audio thread calls it.
  func take(strikes plan: inout [Strike]) -> Orders? {
    guard middle.load(ordering: .relaxed) & Self.fresh != 0 else { return nil }
    front = middle.exchange(front, ordering: .acquiringAndReleasing) & ~Self.fresh
    let newest = orders[Int(front)]
    plan.removeAll(keepingCapacity: true)
    for index in 0..<newest.strikeCount {
      plan.append(strikes[Int(front) * StrikeSchedule.capacity + index])
    }
    return newest
  }
}

/// News from the audio thread, in order, without a lock. When `capacity` wait, the newest is
/// dropped and counted.
final class ReportRing: Sendable {
  static let capacity = 256
  typealias Report = PlaybackReport<ALSAFault>

  // A place is written before `tail` passes it and read before `head` does.
  nonisolated(unsafe) private let places: UnsafeMutablePointer<Report>
  private let head = Atomic<Int>(0)
  private let tail = Atomic<Int>(0)
  private let lost = Atomic<Int>(0)

  init() {
    places = .allocate(capacity: Self.capacity)
    places.initialize(repeating: .closed, count: Self.capacity)
  }

  deinit { places.deallocate() }

  /// How many reports were dropped.
  var dropped: Int { lost.load(ordering: .relaxed) }

  /// Adds a report. Only the audio thread calls it.
  func put(_ report: Report) {
    let end = tail.load(ordering: .relaxed)
    guard end - head.load(ordering: .acquiring) < Self.capacity else {
      lost.wrappingAdd(1, ordering: .relaxed)
      return
    }
    places[end % Self.capacity] = report
    tail.store(end + 1, ordering: .releasing)
  }

  /// Takes the oldest report. Only the control thread calls it.
  func take() -> Report? {
    let start = head.load(ordering: .relaxed)
    guard start < tail.load(ordering: .acquiring) else { return nil }
    let report = places[start % Self.capacity]
    head.store(start + 1, ordering: .releasing)
    return report
  }
}
