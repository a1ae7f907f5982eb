import Ticks

/// When a device is kept open though nothing is to sound.
public enum KeepAlive: UInt8, CaseIterable, Sendable {
  /// It is closed soon after the last tail.
  case never
  /// It is held from the beginning of a sit to its end.
  case sit
  /// It is opened at the start and held for good.
  case always
}

/// What is on the far side of a sound card; it decides how a card is treated where the settings do
/// not.
public enum OutputKind: UInt8, CaseIterable, Sendable {
  /// A headphone output, or a card of which nothing is known.
  case analogue
  /// A board on the header with a converter of its own.
  case i2s
  /// A card on USB.
  case usb
  /// A television or a receiver.
  case hdmi

  /// How long it may swallow sound after it was opened: HDMI receivers take 1 to 2 s to lock on,
  /// cards on USB up to 1 s.
  public var leadIn: Span {
    switch self {
    case .analogue, .i2s: .milliseconds(100)
    case .usb: .seconds(1)
    case .hdmi: .seconds(2)
    }
  }

  /// When it is held: a television that is let go shows its own sign, or clicks.
  public var keepAlive: KeepAlive { self == .hdmi ? .sit : .never }
}

/// How one output is to be treated.
public struct OutputTraits: Equatable, Sendable {
  /// How much silence runs before the first strike after each opening, so that an output that
  /// wakes slowly swallows silence and not the bell. Announced strikes are opened for in time;
  /// others wait for it.
  public var leadIn: Span
  /// How much later than its frame a strike is heard, on the far side of what the card knows: it
  /// is played so much earlier. Negative where a card claims more delay than it has.
  public var offset: Span
  /// When it is held open.
  public var keepAlive: KeepAlive

  /// Makes traits.
  public init(
    leadIn: Span = .milliseconds(100), offset: Span = .zero, keepAlive: KeepAlive = .never
  ) {
    self.leadIn = leadIn
    self.offset = offset
    self.keepAlive = keepAlive
  }
}
