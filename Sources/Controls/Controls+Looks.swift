import Ticks

// What is true beside the edges: levels that were read, edges that were lost, lines that come and
// go.
extension Controls {
  /// The lines whose edges are ignored for now, since they are noise.
  public var masked: LineSet {
    Line.allCases.reduce(into: LineSet()) { set, line in
      if noise[Int(line.rawValue)].isMasked { set.insert(LineSet(line)) }
    }
  }

  /// The oldest news of a noisy line that was not fetched yet, or `nil`.
  public mutating func nextNoise() -> LineNoise? {
    noiseNews.isEmpty ? nil : noiseNews.removeFirst()
  }

  /// Takes the levels of some lines: the answer to a look, or a reading that nobody asked for. It
  /// may leave out what could not be read, and say more than was asked.
  public mutating func handle(_ reading: LevelReading) {
    looks.answer()
    lookAtContacts(reading)
    for index in recognisers.indices {
      let line = recognisers[index].button.line
      if reading.lines.contains(line) { see(reading.levels[line], of: line, at: reading.at) }
      recognisers[index].decideHeld(into: &queue)
    }
    tried = []
  }

  /// Edges of these lines were lost, as far as the kernel can tell.
  public mutating func missed(_ lines: LineSet, at instant: Instant) {
    advance(to: instant)
    if !lines.isDisjoint(with: .contacts) {
      isContactUnsure = true
      decoder.restart(a: decoder.a, b: decoder.b)
    }
    looks.ask(lines)
  }

  /// These lines can no longer be read. What they held is let go.
  public mutating func lose(_ lines: LineSet, at instant: Instant) {
    advance(to: instant)
    for line in lines.lines { letGo(line, at: instant) }
  }

  /// These lines can be read, now or again. A button that is active gives nothing until it has
  /// been let go for the debounce span.
  public mutating func take(_ reading: LevelReading) {
    advance(to: reading.at)
    for line in reading.lines.lines { take(line, at: reading.levels[line]) }
    if reading.lines.isSuperset(of: .contacts) {
      // Nobody turns the knob at the moment when its lines are taken.
      decoder.rest(a: reading.levels[.a], b: reading.levels[.b])
    }
  }

  mutating func handleContact(_ edge: Edge) {
    if let waiting { apply(waiting) }
    waiting = nil
    guard watch.isStale(at: edge.at) else { return apply(edge) }
    waiting = edge
    looks.ask(.contacts)
  }

  mutating func mask(_ line: Line, at instant: Instant) {
    letGo(line, at: instant)
    isQuiet = false
    noiseNews.append(LineNoise(line: line, isNoisy: true))
  }

  /// A mask, or the trial after it, is over.
  mutating func tryAgain(_ index: Int) {
    let wasMasked = noise[index].isMasked
    noise[index].fire()
    guard let line = Line(rawValue: UInt8(index)) else { return }
    if wasMasked {
      tried.insert(LineSet(line))
      isContactUnsure = isContactUnsure || LineSet.contacts.contains(line)
      looks.ask(LineSet(line))
    } else {
      noiseNews.append(LineNoise(line: line, isNoisy: false))
      isQuiet = noise.allSatisfy { $0.state == .quiet }
    }
  }

  /// Contacts: an edge that waited comes after what the other contact did unseen, and before what
  /// its own has done since.
  private mutating func lookAtContacts(_ reading: LevelReading) {
    let edge = waiting
    waiting = nil
    watch.look(at: reading.at)
    guard reading.lines.isSuperset(of: .contacts), masked.isDisjoint(with: .contacts) else {
      if let edge { apply(edge) }
      return
    }
    let (a, b) = (reading.levels[.a], reading.levels[.b])
    if isContactUnsure {
      isContactUnsure = false
      // Where the levels are as they were thought to be, the count since the loss is right.
      let isRight =
        (edge?.line == .a || decoder.a == a) && (edge?.line == .b || decoder.b == b)
      if !isRight {
        decoder.restart(a: a, b: b)
        return watch.move(at: reading.at)
      }
    }
    if let edge {
      let other: Line = edge.line == .a ? .b : .a
      move(Edge(line: other, level: reading.levels[other], at: edge.at))
      apply(edge)
    }
    if decoder.a == a && decoder.b == b { return }
    watch.move(at: reading.at)
    if decoder.a != a && decoder.b != b {
      settleBounce()
      turn(decoder.move(a: a, b: b), at: reading.at)
    } else {
      let line: Line = decoder.a == a ? .b : .a
      move(Edge(line: line, level: reading.levels[line], at: reading.at))
    }
  }

  /// What is left of a contact's bounce counts.
  mutating func settleBounce() {
    guard let due = settler?.nextDeadline, let left = settler?.settle() else { return }
    turn(left, at: due)
  }

  private mutating func apply(_ edge: Edge) {
    watch.move(at: edge.at)
    move(edge)
    // The look after a loss could not be had while edges were still to come.
    if isContactUnsure { looks.ask(.contacts) }
  }

  private mutating func move(_ edge: Edge) {
    let a = edge.line == .a ? edge.level : decoder.a
    let b = edge.line == .b ? edge.level : decoder.b
    let step = decoder.move(a: a, b: b)
    guard step != 0, let steps = settler?.take(step, of: edge.line, at: edge.at) else {
      return turn(step, at: edge.at)
    }
    turn(steps.0, at: edge.at)
    turn(steps.1, at: edge.at)
  }

  /// A button's level was read: what its edge would have told, had it come.
  private mutating func see(_ level: Level, of line: Line, at instant: Instant) {
    if noise[Int(line.rawValue)].isMasked { return }
    if tried.contains(line) { return take(line, at: level) }
    _ = handleButton(Edge(line: line, level: level, at: instant))
  }

  private mutating func letGo(_ line: Line, at instant: Instant) {
    guard let button = Button(line: line) else {
      waiting = nil
      _ = settler?.settle()
      return decoder.restart(a: .high, b: .high)
    }
    if button == .crown { jogWindow.restart(level: .high) }
    recognisers[Int(button.rawValue)].lose(at: instant, into: &queue)
  }

  private mutating func take(_ line: Line, at level: Level) {
    guard let button = Button(line: line) else {
      let a = line == .a ? level : decoder.a
      let b = line == .b ? level : decoder.b
      return decoder.restart(a: a, b: b)
    }
    if button == .crown { jogWindow.restart(level: level) }
    recognisers[Int(button.rawValue)].take(level)
  }
}
