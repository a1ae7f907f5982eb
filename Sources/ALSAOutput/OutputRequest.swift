import Bells
import Ticks

/// An output that somebody wants to hear the bells on, and how it is to be treated where that
/// should not be left to its kind.
public struct OutputRequest: Equatable, Sendable {
  /// A name of libasound's configuration, such as `default` or `default:CARD=DAC`.
  public var name: String
  /// The lead-in; by the kind of the output if nil.
  public var leadIn: Span?
  /// What is added to the lead-in, whatever the kind: the time an amplifier takes until it sounds.
  public var settling: Span
  /// See `OutputTraits.offset`.
  public var offset: Span
  /// When it is held open; by the kind of the output if nil.
  public var keepAlive: KeepAlive?

  /// Makes a request.
  public init(
    name: String, leadIn: Span? = nil, settling: Span = .zero, offset: Span = .zero,
    keepAlive: KeepAlive? = nil
  ) {
    self.name = name
    self.leadIn = leadIn
    self.settling = settling
    self.offset = offset
    self.keepAlive = keepAlive
  }

  /// How an output of a kind is to be treated that was asked for so.
  public func traits(of kind: OutputKind) -> OutputTraits {
    OutputTraits(
      leadIn: (leadIn ?? kind.leadIn) + settling, offset: offset,
      keepAlive: keepAlive ?? kind.keepAlive)
  }
}
