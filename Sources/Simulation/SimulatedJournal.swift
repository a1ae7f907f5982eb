import Box
import Ticks

/// The journal of the running sit on a simulated disk, written as the service writes it: each
/// journal replaces the last one durably, on a thread of its own, and of orders that wait only the
/// newest counts.
struct SimulatedJournal {
  private static let retrySpan = Span.seconds(60)

  /// What the disk holds.
  private(set) var written: [UInt8]?
  /// What is to be there; nil inside says that it is to be erased.
  private var order: [UInt8]??
  private var doneAt: Instant?
  private var failures = 0

  /// When an order is carried out.
  var nextDeadline: Instant? { doneAt }

  /// Has a journal written in place of what is there, or what is there erased: at once, where the
  /// disk takes no time.
  mutating func put(_ journal: Journal?, at now: Instant, _ disk: DiskState) {
    order = .some(journal?.encoded())
    failures = 0
    doneAt = now + disk.latency
    if disk.latency == .zero { advance(to: now, disk) }
  }

  /// Carries out what is due.
  mutating func advance(to now: Instant, _ disk: DiskState) {
    guard let due = doneAt, due <= now, let journal = order else { return }
    do throws(SimulatedDiskError) {
      try disk.expectWritable()
      written = journal
      (order, doneAt) = (nil, nil)
    } catch {
      failures += 1
      doneAt = now + (failures == 1 ? .zero : SimulatedJournal.retrySpan)
    }
  }

  /// Whoever wrote is gone, and with it what was not written yet.
  mutating func drop() { (order, doneAt) = (nil, nil) }
}
