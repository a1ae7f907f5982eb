import Ticks

/// A known course of sound, rendered block by block without an output or a clock: for a sound
/// written to a file, or what a scenario sounds like.
public struct Rendering: ~Copyable {
  /// Something that happens on a frame.
  public struct Event: Equatable, Sendable {
    /// What happens.
    public enum Action: Equatable, Sendable {
      /// A sound is struck; its instant and its number are of no account here.
      case strike(Strike)
      /// The volumes are set.
      case volumes(Volumes)
      /// What sounds under the bells is set.
      case ambient(AmbientSound?)
      /// What rings is damped.
      case damp

      /// A full strike of a sound.
      public static func strike(sound: Int, gain: Float = 1) -> Action {
        .strike(Strike(number: 0, sound: sound, due: .zero, gain: gain))
      }
    }

    /// The frame, counted from the start.
    public var frame: Int
    /// What happens on it.
    public var action: Action

    /// Makes an event.
    public init(frame: Int, action: Action) {
      self.frame = frame
      self.action = action
    }
  }

  /// How many frames a block has at most.
  public static let blockFrames = 4_096

  private var mixer: Mixer
  private let events: [Event]
  private var nextEvent = 0
  private var position = 0
  private let minimumFrames: Int

  /// Makes a rendering.
  /// - Parameters:
  ///   - events: ordered by frame.
  ///   - minimumFrames: it is at least this long, and longer until the last tail has died away.
  /// - Precondition: no event comes before the one in front of it, or before frame 0.
  public init(
    _ events: [Event], minimumFrames: Int = 0, sounds: [Sound] = Sound.catalogue,
    rateHertz: Int = 48_000
  ) {
    var before = 0
    for event in events {
      precondition(event.frame >= before, "events are ordered by frame")
      before = event.frame
    }
    self.events = events
    self.minimumFrames = minimumFrames
    mixer = Mixer(sounds: sounds, rateHertz: rateHertz)
  }

  /// Renders the next block.
  /// - Parameter block: made `2 * blockFrames` samples long; interleaved stereo.
  /// - Returns: how many frames of it there are; 0 when all has been heard.
  public mutating func next(into block: inout [Float]) -> Int {
    if block.count != 2 * Rendering.blockFrames {
      block = Array(repeating: 0, count: 2 * Rendering.blockFrames)
    }
    let left = max(0, minimumFrames - position)
    if left == 0, nextEvent == events.count, mixer.isSilent { return 0 }
    let isLast = nextEvent == events.count && mixer.isSilent
    let count = isLast ? min(left, Rendering.blockFrames) : Rendering.blockFrames
    var done = 0
    while nextEvent < events.count, events[nextEvent].frame < position + count {
      let offset = events[nextEvent].frame - position
      mixer.render(done..<offset, into: &block)
      done = offset
      apply(events[nextEvent].action)
      nextEvent += 1
    }
    mixer.render(done..<count, into: &block)
    position += count
    return count
  }

  private mutating func apply(_ action: Event.Action) {
    switch action {
    case .strike(let strike): mixer.strike(strike)
    case .volumes(let volumes): mixer.setVolumes(volumes)
    case .ambient(let ambient): mixer.setAmbient(ambient)
    case .damp: mixer.damp()
    }
  }
}
