import CGPIO
import Controls
import LinuxIO
import Settings
import Ticks

/// The lines of one group of parts (`Member.groups`), taken or not.
///
/// A class only so that an array can hold it: the request in it has one owner.
final class LineGroup {
  /// The most parts of a group.
  static let membersMax = 2

  let members: [Member]
  /// Where they are on the chip; empty while that is not known.
  var places: [GPIOError.Place] = []
  /// What keeps them from being had, or makes them less.
  var fault: GPIOError?
  /// The lines raise no interrupts and are looked at.
  private(set) var isPolled = false
  /// When the levels were read from which its edges begin.
  var since = Instant.zero
  /// The levels that were last read, one bit a line.
  var active: UInt32 = 0
  /// What the library has counted so far.
  var counts = EdgeCounts(isNew: true)
  /// Which lines raise edges, one bit each.
  private(set) var edges: UInt32 = 0

  private var request: Request?
  private var registered: [LentDescriptor] = []

  init(_ members: [Member]) {
    self.members = members
  }

  var isTaken: Bool { request != nil }
  var isOutput: Bool { role != nil }

  /// The lines that are read.
  var lines: LineSet { lines(of: ~0) }

  var role: OutputRole? {
    if case .output(let role)? = members.first?.use { role } else { nil }
  }

  func line(_ index: Int) -> Line? {
    if case .input(let line) = members[index].use { line } else { nil }
  }

  func lines(of bits: UInt32) -> LineSet {
    members.indices.reduce(into: LineSet()) { set, index in
      if bits & 1 << UInt32(index) != 0, let line = line(index) { set.insert(LineSet(line)) }
    }
  }

  func bits(of set: LineSet) -> UInt32 {
    members.indices.reduce(0) { bits, index in
      line(index).map { set.contains($0) } == true ? bits | 1 << UInt32(index) : bits
    }
  }

  /// Asks for the lines.
  /// - Parameter masked: the lines whose edges are not wanted now.
  func take(
    from chip: borrowing Chip, masked: LineSet, number: Int, _ set: borrowing DescriptorSet
  ) throws(GPIOError) {
    let wanted = isOutput ? 0 : bits(of: lines.subtracting(masked))
    isPolled = false
    do throws(SystemError) {
      request = try Request(chip, wishes(edges: wanted))
    } catch {
      let hasNoInterrupts = error.errno == .noDeviceThere || error.errno == .noSuchDevice
      guard !isOutput, hasNoInterrupts else { throw refusal(error, chip) }
      do throws(SystemError) {
        request = try Request(chip, wishes(edges: 0))
      } catch {
        throw refusal(error, chip)
      }
      isPolled = true
    }
    edges = wanted
    do throws(SystemError) {
      try register(in: set, number: number)
    } catch {
      release(set)
      throw .failed(places.first, error)
    }
    counts = EdgeCounts(isNew: true)
    fault = isPolled ? places.first.map { .noInterrupts($0) } : nil
  }

  /// Gives the lines back.
  func release(_ set: borrowing DescriptorSet) {
    unregister(from: set)
    request = nil
  }

  private func wishes(edges: UInt32) -> [cgpio_wish] {
    members.indices.map { index in
      let hasEdges = edges & 1 << UInt32(index) != 0
      return cgpio_wish(
        offset: places[index].offset, bits: members[index].bits | (hasEdges ? cgpio_both_edges : 0))
    }
  }

  /// Says of a request that was refused which line was the reason and who has it.
  private func refusal(_ error: SystemError, _ chip: borrowing Chip) -> GPIOError {
    guard error.errno == .busy else { return .failed(places.first, error) }
    for place in places {
      do throws(SystemError) {
        let line = try chip.line(place.offset)
        if line.isUsed { return .busy(place, consumer: line.consumer) }
      } catch {
        continue
      }
    }
    // It was in use, and is no longer.
    return .failed(places.first, error)
  }

  private func register(in set: borrowing DescriptorSet, number: Int) throws(SystemError) {
    for index in members.indices {
      guard let descriptor = request?.descriptor(index), !registered.contains(descriptor) else {
        continue
      }
      try set.add(descriptor, token: number * LineGroup.membersMax + index)
      registered.append(descriptor)
    }
  }

  private func unregister(from set: borrowing DescriptorSet) {
    // A descriptor that the set has lost is as good as removed.
    for descriptor in registered { try? set.remove(descriptor) }
    registered = []
  }

  /// Reads one batch of what waits at the descriptor of a line: how many edges.
  func read(_ index: Int, into buffer: inout [cgpio_edge]) throws(SystemError) -> Int {
    try request?.read(index, into: &buffer) ?? 0
  }

  /// One bit a line: whether it is active.
  func levels() throws(SystemError) -> UInt32 {
    try request?.levels() ?? 0
  }

  /// Lets these lines raise edges and the others not.
  func setEdges(
    _ wanted: UInt32, number: Int, _ set: borrowing DescriptorSet
  ) throws(SystemError) {
    edges = wanted
    if isPolled { return }
    unregister(from: set)
    try request?.setEdges(wanted)
    // What the library counted meanwhile is not known.
    counts = EdgeCounts(isNew: false)
    try register(in: set, number: number)
  }

  func set(active: Bool) throws(SystemError) {
    try request?.set(active: active)
  }
}
