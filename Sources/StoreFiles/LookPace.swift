import Ticks

/// When the shared folder is looked at: soon after a change in it, but not for each file of many,
/// and regularly only where the file system tells nothing.
///
/// - After news there is a look once it has been quiet for `quietSpan`, at the latest `spacing`
///   after the first news, and never sooner than `spacing` after the last look.
/// - Without news and without a need to poll there is none.
struct LookPace: Equatable {
  /// So long nothing must have happened: an engine writes a file in several steps.
  static let quietSpan = Span.milliseconds(300)
  /// From one look to the next at least.
  static let spacing = Span.seconds(2)
  /// From one look to the next where nobody tells of changes.
  static let pollSpan = Span.seconds(60)

  private var firstNews: Instant?
  private var lastNews: Instant?
  private var lastLook: Instant?
  /// Whether changes are not told.
  var isBlind = false

  /// Something in the folder has changed.
  mutating func noticed(at instant: Instant) {
    firstNews = firstNews ?? instant
    lastNews = instant
  }

  /// The folder is looked at now.
  mutating func looked(at instant: Instant) {
    firstNews = nil
    lastNews = nil
    lastLook = instant
  }

  /// When the next look is due; nil when none is.
  var due: Instant? {
    let poll = isBlind ? lastLook.map { $0 + LookPace.pollSpan } : nil
    guard let firstNews, let lastNews else { return poll }
    let quiet = min(lastNews + LookPace.quietSpan, firstNews + LookPace.spacing)
    let next = lastLook.map { max(quiet, $0 + LookPace.spacing) } ?? quiet
    return poll.map { min(next, $0) } ?? next
  }
}
