import Ticks

extension Span {
  /// The span since midnight of a time of day as `HH:MM`, 00:00 to 23:59; nil if it is none.
  public init?(timeOfDay text: String) {
    let kind = SettingKind.timeOfDay(.zero ... .minutes(1_439))
    guard case .length(let span)? = try? kind.read(text, at: nil) else { return nil }
    self = span
  }
}
