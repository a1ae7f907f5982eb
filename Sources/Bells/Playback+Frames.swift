import Ticks

// Rendering and handing over.
extension Playback where Device: ~Copyable, Player: ~Copyable {
  enum Filling { case silence, sound }

  /// How many frames of the stream have been handed over.
  var written: Int64 { rendered - Int64(pending.count) }

  /// The nearest number of frames, at the nominal rate.
  func frames(in span: Span) -> Int { Int(clock.frames(in: span)) }

  /// How long so many frames last, at the nominal rate.
  func span(of frames: Int) -> Span { clock.nominal(Int64(frames)) }

  /// A count of queued frames as it can be: drivers give absurd ones now and then. An output that
  /// keeps no time may be owed up to a second.
  func believable(_ queued: Int) -> Int {
    min(max(queued, -clock.rateHertz), bufferFrames, Int(written))
  }

  /// Fills a stream that does not run yet.
  mutating func fill(with filling: Filling, frames: Int) throws(Device.Failure) {
    var left = frames
    while left > 0 {
      if pending.isEmpty {
        let count = min(left, block.count / 2)
        switch filling {
        case .silence:
          for sample in 0..<(2 * count) { block[sample] = 0 }
          rendered += Int64(count)
        case .sound: render(count)
        }
        pending = 0..<count
      }
      let taken = try handOver(pending.count)
      if taken == 0 { return }
      left -= taken
    }
  }

  /// Writes pending frames, so many at most, and says how many were taken.
  private mutating func handOver(_ count: Int) throws(Device.Failure) -> Int {
    let offered = pending.lowerBound..<min(pending.upperBound, pending.lowerBound + count)
    let taken = min(max(0, try device.write(offered, of: block)), offered.count)
    pending = (pending.lowerBound + taken)..<pending.upperBound
    return taken
  }

  /// Renders and hands over so many frames, or as many as are taken.
  private mutating func play(_ count: Int) throws(Device.Failure) -> Int {
    var left = count
    while left > 0 {
      if pending.isEmpty {
        let next = min(left, block.count / 2)
        render(next)
        pending = 0..<next
      }
      let taken = try handOver(left)
      if taken == 0 { break }
      left -= taken
    }
    return count - max(0, left)
  }

  /// Tops the running queue up.
  mutating func refill(
    _ now: Instant, nextFrame: Instant, queued told: Int, room: Int
  ) throws(Device.Failure) {
    let queued = believable(told)
    let left = written - Int64(queued)
    if watch.hasLeft(left) {
      clock.learn(frame: left, leavesAt: nextFrame - span(of: queued))
    }
    cursor = clock.instant(of: rendered)
    let wanted = min(room, queueFrames - queued)
    let taken = wanted > 0 ? try play(wanted) : 0
    watch.saw(left, takes: wanted <= 0 || taken > 0, now)
  }

  /// Hands over what has left since the last step, and strikes what is due now.
  mutating func pay(
    _ now: Instant, nextFrame: Instant, owed: Int
  ) throws(Device.Failure) {
    if pending.isEmpty { passUnheard(until: nextFrame) }
    clock.restart(frame: written, at: nextFrame)
    cursor = clock.instant(of: rendered)
    _ = try play(owed)
    while closeAt == nil, let strike = schedule.first, frameTime(of: strike) <= now {
      begin(at: max(cursor, now))
    }
  }

  /// Renders frames into the block from its start, each strike on its frame.
  private mutating func render(_ count: Int) {
    var done = 0
    // What is rendered while the device is being closed would be told as rung and never be heard.
    while closeAt == nil, let strike = schedule.first {
      let place = clock.frame(at: frameTime(of: strike)) - rendered
      guard place < Int64(count) else { break }
      let offset = max(done, Int(place))
      player.render(done..<offset, into: &block)
      done = offset
      begin(at: clock.instant(of: rendered + Int64(offset)))
    }
    player.render(done..<count, into: &block)
    rendered += Int64(count)
    cursor = clock.instant(of: rendered)
  }

  /// Lets what rings ring on without an output.
  mutating func passUnheard(until instant: Instant) {
    guard instant > cursor else { return }
    player.skip(frames: frames(in: instant - cursor))
    cursor = instant
  }
}
