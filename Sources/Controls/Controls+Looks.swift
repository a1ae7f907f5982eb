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

  /// The buttons' lines that are active since they were taken, and not listened to until let go.
  public var heldAtStart: LineSet {
    recognisers.reduce(into: LineSet()) { set, recogniser in
      if recogniser.isHeldAtStart { set.insert(LineSet(recogniser.button.line)) }
    }
  }

  /// The oldest news of a noisy line that was not fetched yet, or `nil`.
  public mutating func nextNoise() -> LineNoise? {
    noiseNews.isEmpty ? nil : noiseNews.removeFirst()
  }

  /// Takes the levels of some lines: the answer to a look, or a reading that nobody asked for. It
  /// may leave out what could not be read, and say more than was asked.
  /// - Parameters:
  ///   - reading: the levels, and when they were read.
  ///   - instant: the instant that the box is at; it may be behind the reading, where the caller
  ///     is late. Nil for the reading's own.
  public mutating func handle(_ reading: LevelReading, at instant: Instant? = nil) {
    let now = instant ?? reading.at
    looks.answer()
    lookAtContacts(reading, at: now)
    for index in recognisers.indices {
      let line = recognisers[index].button.line
      if reading.lines.contains(line), !noise[Int(line.rawValue)].isMasked {
        // What its edge would have told, had it come.
        _ = handleButton(Edge(line: line, level: reading.levels[line], at: now))
      }
      recognisers[index].decideHeld(into: &queue)
    }
  }

  /// Edges of these lines were lost, as far as the kernel can tell.
  public mutating func missed(_ lines: LineSet, at instant: Instant) {
    advance(to: instant)
    if !lines.isDisjoint(with: .contacts) { loss = .untold }
    ask(lines)
  }

  /// The contacts are looked at together: one alone says nothing.
  private mutating func ask(_ lines: LineSet) {
    looks.ask(lines.isDisjoint(with: .contacts) ? lines : lines.union(.contacts))
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
    for line in reading.lines.lines { take(line, reading.levels[line], false, at: reading.at) }
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

  mutating func mask(_ line: Line, at instant: Instant, isNews: Bool) {
    letGo(line, at: instant)
    isQuiet = false
    if isNews { noiseNews.append(LineNoise(line: line, isNoisy: true)) }
  }

  /// A mask, or the trial after it, is over.
  mutating func tryAgain(_ index: Int) {
    guard let line = Line(rawValue: UInt8(index)), let now = noise[index].nextDeadline else {
      return
    }
    let wasMasked = noise[index].isMasked
    noise[index].fire()
    if wasMasked {
      // Nobody knows what it did meanwhile: a button is taken for held until it is seen let go.
      if Button(line: line) == nil { loss = .untold } else { take(line, .low, true, at: now) }
      ask(LineSet(line))
    } else {
      noiseNews.append(LineNoise(line: line, isNoisy: false))
      isQuiet = noise.allSatisfy { $0.state == .quiet }
    }
  }

  /// How soon after an edge the levels must be read for the other contact to have moved before it:
  /// no hand makes two quarters within this.
  static let freshSpan = Span.milliseconds(1)

  /// Contacts: an edge that waited comes after what the other contact did unseen, and before what
  /// its own has done since. Where the levels were read late, the other may have moved after it,
  /// and only the decoder's doubt is left.
  private mutating func lookAtContacts(_ reading: LevelReading, at now: Instant) {
    let edge = waiting
    waiting = nil
    watch.look(at: now)
    guard reading.lines.isSuperset(of: .contacts), masked.isDisjoint(with: .contacts) else {
      if let edge { apply(edge) }
      return
    }
    let (a, b) = (reading.levels[.a], reading.levels[.b])
    if loss != .none {
      loss = .none
      // Where the levels are as they were thought to be, the count since the loss is right.
      let isRight =
        (edge?.line == .a || decoder.a == a) && (edge?.line == .b || decoder.b == b)
      if !isRight {
        decoder.restart(a: a, b: b)
        return watch.move(at: now)
      }
    }
    if let edge { apply(edge, with: reading) }
    if decoder.a == a && decoder.b == b { return }
    watch.move(at: now)
    move(a: a, b: b, at: now)
  }

  /// An edge that waited, and what the other contact has done unseen.
  private mutating func apply(_ edge: Edge, with reading: LevelReading) {
    let isOfA = edge.line == .a
    let other = Edge(
      line: isOfA ? .b : .a, level: reading.levels[isOfA ? .b : .a], at: edge.at)
    let known = isOfA ? (own: decoder.a, other: decoder.b) : (own: decoder.b, other: decoder.a)
    guard other.level != known.other else { return apply(edge) }
    watch.move(at: edge.at)
    let a = isOfA ? edge.level : other.level
    let b = isOfA ? other.level : edge.level
    if edge.level == known.own {
      // An edge of the contact's own was lost as well: it went three quarters one way or one the
      // other, and nobody knows which.
      decoder.restart(a: a, b: b)
    } else if reading.at - edge.at > Controls.freshSpan {
      move(a: a, b: b, at: edge.at)
    } else {
      move(other)
      // When the other moved is not known, and so neither is the speed.
      acceleration.forget()
      apply(edge)
    }
  }

  /// Both levels at once: a change of one contact, or a jump of both.
  private mutating func move(a: Level, b: Level, at instant: Instant) {
    guard decoder.a != a && decoder.b != b else {
      let line: Line = decoder.a == a ? .b : .a
      return move(Edge(line: line, level: line == .a ? a : b, at: instant))
    }
    settleBounce()
    turn(decoder.move(a: a, b: b), at: instant)
  }

  /// What is left of a contact's bounce counts.
  mutating func settleBounce() {
    guard let due = settler?.nextDeadline, let left = settler?.settle() else { return }
    turn(left, at: due)
  }

  private mutating func apply(_ edge: Edge) {
    watch.move(at: edge.at)
    if loss == .untold {
      decoder.restart(a: decoder.a, b: decoder.b)
      loss = .recounted
    }
    if loss != .none { looks.ask(.contacts) }
    move(edge)
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

  private mutating func letGo(_ line: Line, at instant: Instant) {
    guard let button = Button(line: line) else {
      waiting = nil
      _ = settler?.settle()
      return decoder.restart(a: .high, b: .high)
    }
    if button == .crown { jogWindow.restart(level: .high) }
    recognisers[Int(button.rawValue)].lose(at: instant, into: &queue)
  }

  private mutating func take(
    _ line: Line, _ level: Level, _ isTrial: Bool, at instant: Instant
  ) {
    guard let button = Button(line: line) else {
      let a = line == .a ? level : decoder.a
      let b = line == .b ? level : decoder.b
      return decoder.restart(a: a, b: b)
    }
    if button == .crown { jogWindow.restart(level: level) }
    recognisers[Int(button.rawValue)].take(
      level, isTrial: isTrial, at: instant, into: &queue)
  }
}
