import Controls
import LinuxIO
import Settings
import Ticks

// How lines are taken, lost and taken again.
extension GPIOInput {
  /// Gives a driven line its state.
  mutating func drive(_ group: LineGroup) {
    guard let role = group.role, let on = lit[role] else { return }
    do throws(SystemError) {
      try group.set(active: on)
    } catch {
      if error.errno == .noSuchDevice { isGone = true }
      giveUp(group, error)
      if retry == nil { retry = (Clock.bootTime() + Self.retrySpans.longest, .zero) }
    }
  }

  /// Gives a group back after a failure.
  mutating func giveUp(_ group: LineGroup, _ error: SystemError) {
    group.release(descriptors)
    group.fault = .failed(group.places.first, error)
  }

  /// The chip has gone: everything of it is given back.
  mutating func loseChip(at now: Instant, _ news: inout GPIONews) {
    isGone = false
    news.lost.formUnion(lines)
    let identity = chip?.identity
    for group in groups {
      group.release(descriptors)
      group.fault = nil
    }
    chip = nil
    chipFault = identity.map { .gone(chip: $0.name, label: $0.label) }
    pollDeadline = nil
    retry = (now + Self.retrySpans.first, Self.retrySpans.first)
  }

  /// Takes what is not had.
  mutating func takeMissing(at now: Instant, _ news: inout GPIONews) {
    watchFolder()
    findChip()
    let missing = groups.filter { !$0.isTaken && !$0.places.isEmpty }
    for (number, group) in groups.enumerated() where !group.isTaken && !group.places.isEmpty {
      take(group, number: number)
    }
    // Read when the last of them is had, so that all their edges begin at one instant.
    var reading = LevelReading(lines: [], levels: .rest, at: Clock.bootTime())
    for group in missing where group.isTaken {
      drive(group)
      if !group.isOutput { begin(group, &reading) }
    }
    if !reading.lines.isEmpty { news.taken = reading }
    if groups.contains(where: { $0.isPolled && $0.isTaken }) { pollDeadline = now + Self.pollSpan }
    planRetry(at: now)
  }

  private mutating func begin(_ group: LineGroup, _ reading: inout LevelReading) {
    do throws(SystemError) {
      group.since = reading.at
      group.active = try group.levels()
      reading.add(group.lines, active: group.lines(of: group.active))
    } catch {
      isGone = true
    }
  }

  private mutating func take(_ group: LineGroup, number: Int) {
    switch chip {
    case .some(let chip):
      do throws(GPIOError) {
        try group.take(from: chip, masked: masked, number: number, descriptors)
      } catch {
        group.fault = error
      }
    case .none: break
    }
  }

  private mutating func findChip() {
    if chip != nil { return }
    for group in groups { (group.places, group.fault) = ([], nil) }
    do throws(GPIOError) {
      try GPIOLibrary.requireRightGeneration()
      let found = try ChipSearch(wiring, folder: folder).find()
      for (group, result) in zip(groups, Layout(wiring, on: found).groups) {
        switch result {
        case .success(let places): group.places = places
        case .failure(let fault): group.fault = fault
        }
      }
      chip = consume found
      chipFault = nil
    } catch {
      // While a chip that was there is away, that is the fault, and not that it cannot be found.
      if case .gone? = chipFault, error.isAbsence { return }
      chipFault = error
    }
  }

  private mutating func planRetry(at now: Instant) {
    let missing = chipFault.map { [$0] } ?? groups.filter { !$0.isTaken }.compactMap(\.fault)
    guard missing.contains(where: \.mayPass) else {
      retry = nil
      return
    }
    let before = retry?.span ?? .zero
    // What another has, or does not allow, does not change by itself in a moment.
    let span =
      missing.allSatisfy(\.isRefusal)
      ? Self.retrySpans.longest
      : before == .zero ? Self.retrySpans.first : min(before * 2, Self.retrySpans.longest)
    retry = (now + span, span)
  }

  /// Whether every line that is had can be read.
  private var hasLevels: Bool {
    for group in groups where group.isTaken {
      do throws(SystemError) { _ = try group.levels() } catch { return false }
    }
    return true
  }

  var watchToken: Int { groups.count * LineGroup.membersMax }

  /// Begins to watch for chips that come and go. Without a watch there is still the retry.
  private mutating func watchFolder() {
    guard watch == nil else { return }
    do throws(SystemError) {
      let made = try FolderWatch(folder)
      try descriptors.add(made.lent, token: watchToken)
      watch = consume made
    } catch {
      watch = nil
    }
  }

  /// A chip that has come, or may be opened now, is tried at once. One that goes tells nobody who
  /// waits for edges of its lines (Linux 6.1), so it is asked for a level when its name is heard.
  mutating func hearWatch() {
    let names = (try? watch?.names()) ?? []
    if let chip = chip?.name, names.contains(chip), !hasLevels { isGone = true }
    if names.contains(where: { $0.hasPrefix("gpiochip") }) { retry?.at = .zero }
  }
}
