/// The recordings that sound.
///
/// Invariants:
/// - Each strike has a player of its own, so tails are never cut and strikes overlap.
/// - At most `maximumPlaying` play. For one more the quietest is given up within 50 ms. As many
///   again may be dying away; should those run out too, the quietest of them is taken at once.
/// - A player stands on a frame of its recording exactly, in fixed point: no result depends on how
///   frames are split into blocks, and pitch does not drift.
/// - Nothing here allocates after `init`.
struct RecordingPlayers {
  /// How many can play at once.
  static let maximumPlaying = 16
  /// How slowly a player's loudness falls, a frame: to a third in a fifth of a second.
  private static let memory: Float = 0.9999

  /// What one player does.
  private struct Player {
    enum Life { case free, playing, leaving }

    var life = Life.free
    var sound = 0
    var channel = 0
    /// Where in the recording, in frames of 2^32 parts.
    var place: UInt64 = 0
    var gain: Float = 0
    /// How much of a sample goes through the low-pass at once; 1 is no low-pass.
    var openness: Float = 1
    var left: Float = 0
    var right: Float = 0
    /// How loud it has been of late: the greatest sample, falling slowly.
    var loudness: Float = 0
    var framesLeft = 0
    var framesOfLeaving = 1

    var frame: Int { Int(place >> 32) }
    var fraction: UInt32 { UInt32(truncatingIfNeeded: place) }

    /// What is left of the level while it dies away: a square, so that it ends without a corner.
    var fade: Float {
      guard life == .leaving else { return 1 }
      let rest = Float(framesLeft) / Float(framesOfLeaving)
      return rest * rest
    }
  }

  private var players: [Player]
  private var interpolator: Interpolator
  private var rateHertz: Int

  init(rateHertz: Int) {
    players = Array(repeating: Player(), count: 2 * RecordingPlayers.maximumPlaying)
    interpolator = Interpolator(rateHertz: rateHertz)
    self.rateHertz = rateHertz
  }

  /// Whether nothing plays.
  var isSilent: Bool {
    for player in players where player.life != .free { return false }
    return true
  }

  /// How many play, without those that die away.
  var playing: Int {
    var count = 0
    for player in players where player.life == .playing { count += 1 }
    return count
  }

  /// Renders for another rate from now on. What plays falls silent.
  mutating func retune(rateHertz: Int) {
    self.rateHertz = rateHertz
    for index in players.indices { players[index].life = .free }
    interpolator.retune(rateHertz: rateHertz)
  }

  /// Plays a recording from its start, which is the next frame rendered.
  ///
  /// A weaker strike is softer in proportion, and a little darker: a recording's colour is what it
  /// is, so all that can be done is a gentle low-pass.
  mutating func strike(_ strike: Strike, of recording: Recording) {
    if playing == RecordingPlayers.maximumPlaying, let quietest = quietest(.playing) {
      leave(quietest, seconds: 0.05)
    }
    let index = firstFree ?? quietest(.leaving) ?? 0
    var player = Player()
    player.life = .playing
    player.sound = strike.sound
    player.channel = Int(strike.channel)
    player.gain = strike.gain * strike.strength * recording.gain / 32_767
    player.openness = openness(strength: strike.strength)
    player.loudness = strike.gain * strike.strength * recording.gain
    players[index] = player
  }

  /// From 1 kHz for the weakest strike over 4 kHz for one of half the strength to no limit.
  private func openness(strength: Float) -> Float {
    guard strength < 1 else { return 1 }
    let corner = 1_000 * Mathematics.exponential(2.772588722239781 * Double(strength))
    return Float(1 - Mathematics.exponential(-2 * .pi * corner / Double(rateHertz)))
  }

  private var firstFree: Int? {
    for index in players.indices where players[index].life == .free { return index }
    return nil
  }

  private func quietest(_ life: Player.Life) -> Int? {
    var best: Int?
    for index in players.indices where players[index].life == life {
      if let known = best {
        let (one, other) = (players[known], players[index])
        // Of equals, the one that has played longest.
        if one.loudness < other.loudness { continue }
        if one.loudness == other.loudness && one.frame >= other.frame { continue }
      }
      best = index
    }
    return best
  }

  private mutating func leave(_ index: Int, seconds: Double) {
    let frames = max(1, Int(seconds * Double(rateHertz)))
    players[index].life = .leaving
    players[index].framesLeft = frames
    players[index].framesOfLeaving = frames
  }

  /// Stops all that plays, gone within 300 ms.
  mutating func damp() {
    for index in players.indices where players[index].life == .playing {
      leave(index, seconds: 0.28)
    }
  }

  /// Lets time pass without rendering it.
  mutating func skip(frames: Int, sounds: [Sound]) {
    // More than any recording has at any rate, and no more than the place can hold.
    let passed = UInt64(min(frames, 1 << 29))
    for index in players.indices where players[index].life != .free {
      players[index].place += interpolator.step * passed
      if players[index].life == .leaving { players[index].framesLeft -= frames }
      let recording = sounds[players[index].sound].recording
      if recording.map({ isOver(players[index], $0) }) ?? true { players[index].life = .free }
    }
  }

  private func isOver(_ player: Player, _ recording: Recording) -> Bool {
    if player.life == .leaving && player.framesLeft <= 0 { return true }
    return player.frame >= recording.frameCount
  }

  /// Adds the next frames to a block of interleaved stereo, each player at its channel's volume.
  mutating func render(
    _ frames: Range<Int>, of sounds: [Sound], volumes: [Ramp], into block: inout [Float]
  ) {
    for index in players.indices where players[index].life != .free {
      guard let recording = sounds[players[index].sound].recording else { continue }
      var player = players[index]
      var volume = volumes[player.channel]
      for frame in frames {
        let (left, right) = interpolator.frame(of: recording, at: player.frame, player.fraction)
        let gain = player.gain * player.fade
        player.left += (left * gain - player.left) * player.openness
        player.right += (right * gain - player.right) * player.openness
        let factor = volume.next()
        block[2 * frame] += player.left * factor
        block[2 * frame + 1] += player.right * factor
        let peak = max(player.left.magnitude, player.right.magnitude)
        player.loudness = max(peak, player.loudness * RecordingPlayers.memory)
        player.place += interpolator.step
        if player.life == .leaving { player.framesLeft -= 1 }
        if isOver(player, recording) {
          player.life = .free
          break
        }
      }
      players[index] = player
    }
  }
}
