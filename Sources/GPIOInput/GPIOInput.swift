import CGPIO
import Controls
import LinuxIO
import Settings
import Ticks

// Invariants:
// - Nothing here is thrown after the beginning: what cannot be had is a fault, told in the news,
//   and is tried again as long as it may pass.
// - A chip that has gone leaves no descriptor behind that would wake anybody.
// - A line's edges begin after the levels that were read when it was taken.
// - Lines that are driven never disturb those that are read.

/// What came of the lines since they were last read. It is to be handed in in the order of its
/// members: every edge was before the levels in `taken`.
public struct GPIONews: Equatable, Sendable {
  /// Level changes by their stamps, on the boot-time clock; none is before one of an earlier news.
  /// A line that is pressed or closed is `.low`.
  public var edges: [Edge] = []
  /// Lines of which edges may be missing: their levels want to be read.
  public var gap = LineSet()
  /// Lines that have gone.
  public var lost = LineSet()
  /// Lines that were taken, at the start or again, with their levels at that time.
  public var taken: LevelReading?
  /// Everything that is wrong now, if that has changed.
  public var faults: [GPIOError]?

  /// Makes empty news.
  public init() {}

  /// Whether nothing came.
  public var isEmpty: Bool { self == GPIONews() }
}

/// The lines of a board: those that are read, and those that are driven.
///
/// Call `read(at:)` once at the start, whenever `lent` can be read, and when `nextDeadline` is due.
public struct GPIOInput: ~Copyable {
  let wiring: Wiring
  let folder: String
  let groups: [LineGroup]
  let descriptors: DescriptorSet
  var chip: Chip?
  var chipFault: GPIOError?
  var isGone = false
  var masked = LineSet()
  var lit: [OutputRole: Bool] = [:]
  private var merge: EdgeMerge
  private var buffer: [cgpio_edge]
  var retry: (at: Instant, span: Span)?
  var watch: FolderWatch?
  var pollDeadline: Instant?
  // What happened outside `read(at:)`, for the next one.
  var held = GPIONews()
  private var toldFaults: [GPIOError] = []

  /// How long after a failure it is tried again: at first, and at most. A line that another has is
  /// tried again after the longest.
  static let retrySpans = (first: Span.seconds(2), longest: Span.seconds(60))
  static let pollSpan = Span.milliseconds(2)
  // A line that flutters fills its queue again while it is read; the rest comes with the next call.
  private static let passesMax = 8

  private init(_ wiring: Wiring, folder: String, taking descriptors: consuming DescriptorSet) {
    self.wiring = wiring
    self.folder = folder
    self.descriptors = descriptors
    groups = Member.groups(of: wiring).map { LineGroup($0) }
    merge = EdgeMerge()
    buffer = Array(repeating: cgpio_edge(), count: Int(cgpio_batch_limit))
    retry = wiring.needsChip ? (.zero, .zero) : nil
  }

  /// Prepares for the lines of a board. The first `read(at:)` takes them.
  /// - Parameters:
  ///   - wiring: the board's. One with a simulated chip has no lines here.
  ///   - folder: where the devices are.
  /// - Throws: only where the process may open no more descriptors.
  public init(_ wiring: Wiring, folder: String = "/dev") throws(SystemError) {
    let descriptors = try DescriptorSet()
    self.init(wiring, folder: folder, taking: descriptors)
  }

  /// Can be read while `read(at:)` has something. It stays the same for life.
  public var lent: LentDescriptor { descriptors.lent }

  /// When `read(at:)` must be called at the latest. Lines that raise no interrupts want it every
  /// 2 ms; otherwise it is nil while nothing is wrong.
  public var nextDeadline: Instant? {
    // What failed outside `read(at:)` is told at once.
    if isGone || !held.isEmpty || faults != toldFaults { return .zero }
    guard let retry, let pollDeadline else { return retry?.at ?? pollDeadline }
    return min(retry.at, pollDeadline)
  }

  /// Everything that is wrong now.
  public var faults: [GPIOError] {
    if let chipFault { return [chipFault] }
    return groups.compactMap(\.fault)
  }

  /// The lines that are had now.
  public var lines: LineSet {
    groups.reduce(into: LineSet()) { if $1.isTaken { $0.formUnion($1.lines) } }
  }

  /// Reads everything that waits, looks at lines that want to be looked at, and takes again what
  /// was lost.
  /// - Parameter now: the time on the boot-time clock.
  public mutating func read(at now: Instant) -> GPIONews {
    var news = held
    held = GPIONews()
    merge.begin()
    drain()
    poll(at: now)
    news.edges = merge.take()
    news.gap.formUnion(merge.gap)
    if isGone { loseChip(at: now, &news) }
    if let retry, now >= retry.at { takeMissing(at: now, &news) }
    news.gap.subtract(news.lost)
    if faults != toldFaults {
      toldFaults = faults
      news.faults = toldFaults
    }
    return news
  }

  /// Empties every queue, in passes until one finds nothing: so an edge is never handed out before
  /// an older one that waited at another descriptor.
  private mutating func drain() {
    for _ in 0..<Self.passesMax where !isGone {
      // The only failure is a bad descriptor, which stops the program.
      guard let ready = try? descriptors.ready(), !ready.isEmpty else { return }
      for one in ready { drain(one) }
    }
  }

  private mutating func drain(_ ready: DescriptorSet.Ready) {
    if ready.token == watchToken { return hearWatch() }
    let (number, index) = ready.token.quotientAndRemainder(dividingBy: LineGroup.membersMax)
    let group = groups[number]
    do throws(SystemError) {
      let count = try group.read(index, into: &buffer)
      if count == 0, ready.hungUp { isGone = true }
      let batch = buffer[..<count]
      for edge in batch {
        guard let line = group.line(Int(edge.index)) else { continue }
        merge.add(edge, of: line, since: group.since)
      }
      let lost = group.counts.count(batch, isFull: count == buffer.count)
      merge.add(gap: group.lines(of: lost))
    } catch {
      isGone = true
    }
  }

  private mutating func poll(at now: Instant) {
    guard let deadline = pollDeadline, now >= deadline else { return }
    for group in groups where group.isPolled && group.isTaken && group.edges != 0 {
      do throws(SystemError) {
        let at = Clock.bootTime()
        let active = try group.levels()
        let changed = (active ^ group.active) & group.edges
        for line in group.lines(of: changed).lines {
          let isActive = group.lines(of: active).contains(line)
          merge.add(Edge(line: line, level: Level(isActive: isActive), at: at))
        }
        group.active = active
      } catch {
        isGone = true
      }
    }
    pollDeadline = now + Self.pollSpan
  }

  /// Reads the levels of lines.
  ///
  /// The order that keeps the truth: read the levels, then `read(at:)`, hand in its edges that were
  /// stamped before the reading, then the reading, then the other edges.
  /// - Parameter lines: of them, those that are not had are not in the reading.
  public mutating func levels(of lines: LineSet) -> LevelReading {
    // An edge between this instant and the reading is handed in after it, and changes nothing.
    var reading = LevelReading(lines: [], levels: .rest, at: Clock.bootTime())
    for group in groups where group.isTaken && !group.lines.isDisjoint(with: lines) {
      do throws(SystemError) {
        let active = group.lines(of: try group.levels())
        reading.add(group.lines.intersection(lines), active: active)
      } catch {
        isGone = true
      }
    }
    return reading
  }

  /// Lets these lines raise no edges, and all others. Levels can be read all the same.
  ///
  /// A line that raises edges again is in the next news' gap.
  public mutating func mask(_ lines: LineSet) {
    let freed = masked.subtracting(lines)
    masked = lines
    for (number, group) in groups.enumerated() where group.isTaken && !group.isOutput {
      let wanted = group.bits(of: group.lines.subtracting(lines))
      guard wanted != group.edges else { continue }
      do throws(SystemError) {
        try group.setEdges(wanted, number: number, descriptors)
        if group.isPolled { group.active = try group.levels() }
        held.gap.formUnion(group.lines.intersection(freed))
      } catch {
        giveUp(group, error)
        held.lost.formUnion(group.lines)
        retry = (.zero, .zero)
      }
    }
  }

  /// Drives a line. What is not had now gets its state when it is taken.
  public mutating func set(_ role: OutputRole, on: Bool) {
    guard lit[role] != on else { return }
    lit[role] = on
    for group in groups where group.role == role && group.isTaken { drive(group) }
  }
}
