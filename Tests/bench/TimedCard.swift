import FoundationEssentials
import Glibc
import LinuxIO

/// The sound card of Tests/alsa-card, as a library, for one run: it keeps time as a card does, and
/// nobody hears it.
struct TimedCard {
  /// What libasound calls it.
  static let name = "timed"
  /// How long it can be played on, at two channels of four bytes.
  private static let seconds = 300
  private static let captureOffset = 8_192

  /// The plug-in for libasound.
  var library: String

  /// The text of an asound.conf that has this card and no other, after its file was made.
  func install(in folder: String) throws -> String {
    let file = folder + "/card"
    let descriptor = Glibc.open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure("\(file) cannot be made") }
    defer { close(descriptor) }
    // A file of holes: only what is played takes room.
    guard ftruncate(descriptor, off_t(Self.captureOffset + Self.seconds * 48_000 * 8)) == 0 else {
      throw Failure("\(file) cannot be made so long")
    }
    return """
      pcm_type.timed { lib "\(library)" }
      pcm.\(TimedCard.name) { type timed state "\(file)" }
      pcm.!default { type timed state "\(file)" }

      """
  }
}
