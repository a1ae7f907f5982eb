/// The volumes of an output in percent, one a channel. Channel 0 is the box's own volume; each of
/// the others belongs to whoever has a volume that does not follow it, as a bell may.
public struct Volumes: Equatable, Sendable {
  /// How many channels there are.
  public static let channelCount = 8

  private var percents: SIMD8<UInt8>

  /// Makes all channels equally loud.
  /// - Precondition: 0 to 100.
  public init(_ percent: Int = 100) {
    percents = SIMD8(repeating: Volumes.checked(percent))
  }

  /// A channel's volume in percent.
  /// - Precondition: there is such a channel, and what is set is 0 to 100.
  public subscript(channel: Int) -> Int {
    get { Int(percents[channel]) }
    set { percents[channel] = Volumes.checked(newValue) }
  }

  private static func checked(_ percent: Int) -> UInt8 {
    precondition((0...100).contains(percent), "a volume is 0 to 100")
    return UInt8(percent)
  }
}
