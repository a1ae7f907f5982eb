import TimedCard

/// The sound card of Tests/alsa-card, as a library, for what the service and mpg123 cost: it keeps
/// time as a card does, and nobody hears it.
struct PlayedCard {
  /// What libasound calls it.
  static let name = "timed"
  /// How long it can be played on, at two channels of four bytes.
  private static let seconds: Int64 = 120

  /// The plug-in for libasound.
  var library: String

  /// The text of an asound.conf that has this card and no other, after its file was made.
  func install(in folder: String) throws(Failure) -> String {
    let file = folder + "/card"
    let soundBytes = Self.seconds * 48_000 * 8
    guard let card = timed_card_make(file, soundBytes) else {
      throw Failure("\(file) cannot be made")
    }
    timed_card_release(card, soundBytes)
    return """
      pcm_type.timed { lib "\(library)" }
      pcm.\(PlayedCard.name) { type timed state "\(file)" }
      pcm.!default { type timed state "\(file)" }

      """
  }
}
