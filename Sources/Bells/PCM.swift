import Ticks

/// A sound card's stream as `Playback` needs it: interleaved stereo out, frame by frame, with the
/// time at which a frame leaves.
///
/// All calls return at once. A throw means that the device is of no more use until it has been
/// opened again; an underrun and a suspend are no throws but the state `stopped`.
public protocol PCM: ~Copyable {
  /// What is reported when the device is lost. It should need no allocation.
  associatedtype Failure: Error

  /// How many outputs there are to choose from: the wanted one first, then those to fall back on.
  /// At least one, and the same for good.
  var outputCount: Int { get }

  /// How an output is to be treated, as far as is known now: more may be known once it is open.
  func traits(of output: Int) -> OutputTraits

  /// Opens an output and negotiates; the stream is prepared and not running.
  mutating func open(_ output: Int) throws(Failure) -> PCMFormat

  /// Starts the stream, which has been filled before.
  mutating func start() throws(Failure)

  /// Where the stream is.
  mutating func status() throws(Failure) -> PCMStatus

  /// Hands over frames.
  /// - Parameters:
  ///   - frames: which frames of the block.
  ///   - block: interleaved stereo, full scale ±1.
  /// - Returns: how many it took from the front, 0 when it is full or has stopped.
  mutating func write(_ frames: Range<Int>, of block: borrowing [Float]) throws(Failure) -> Int

  /// Makes a stream that has stopped ready to be filled and started again. What was queued is lost.
  mutating func prepare() throws(Failure)

  /// Closes; what was queued is lost. A closed device may be closed again.
  mutating func close()
}

/// What a device came up with.
public struct PCMFormat: Equatable, Sendable {
  /// Frames per second.
  public var rateHertz: Int
  /// How many frames it can queue.
  public var bufferFrames: Int

  /// Makes a format.
  public init(rateHertz: Int, bufferFrames: Int) {
    self.rateHertz = rateHertz
    self.bufferFrames = bufferFrames
  }
}

/// Where a stream is.
public enum PCMStatus: Equatable, Sendable {
  /// It plays.
  /// - `nextFrame`: when the next frame written will leave the output.
  /// - `queuedFrames`: how many frames written have not left yet; below zero for an output that
  ///   keeps no time of its own and takes what it was owed, with `nextFrame` in the past. One that
  ///   hears nothing may always be owed nothing, with `nextFrame` now: the time between has then
  ///   passed unheard.
  /// - `roomFrames`: how many more it would take now.
  case running(nextFrame: Instant, queuedFrames: Int, roomFrames: Int)
  /// It ran empty or was suspended, and must be prepared.
  case stopped
}
