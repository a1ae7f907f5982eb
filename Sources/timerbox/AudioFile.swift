import Bells
import LinuxIO
import SoundFiles

/// Sound rendered to a WAV file, block by block.
enum AudioFile {
  /// A WAV file counts its bytes in 32 bits.
  private static let framesMax = (1 << 32) / 4 - 1_024

  /// Renders a course of sound until its last tail has died away.
  static func write(
    _ events: [Rendering.Event], sounds: [Sound] = Sound.catalogue, minimumFrames: Int,
    to path: String
  ) throws(VerbError) {
    try check(path)
    let tail = Int((sounds.map(\.seconds).max() ?? 0) * 48_000)
    guard max(minimumFrames, (events.last?.frame ?? 0) + tail) < framesMax else {
      throw VerbError(
        status: .badData, message: "\(path): a WAV file holds 6 hours, and this is longer")
    }
    do throws(SystemError) {
      try render(events, sounds, minimumFrames, path)
    } catch {
      throw VerbError(status: Inputs.status(of: error), message: "\(path): \(error.errno.text)")
    }
  }

  /// A name that says another form is refused: what is written is WAV, and there is no other.
  static func check(_ path: String) throws(VerbError) {
    let file = path.split(separator: "/").last ?? ""
    guard file.count > 4, file.suffix(4).lowercased() == ".wav" else {
      throw VerbError(
        status: .usage,
        message: "found \"\(SoundFiles.printable(path))\", expected a file that ends in .wav")
    }
  }

  private static func render(
    _ events: [Rendering.Event], _ sounds: [Sound], _ minimumFrames: Int, _ path: String
  ) throws(SystemError) {
    let file = try Files.open(path, [.writeOnly, .create, .truncate])
    var wave = WaveFile()
    // The header counts the frames, so room is left for it and it is written when they are known.
    try file.writeAll(wave.header(frameCount: 0))
    var rendering = Rendering(events, minimumFrames: minimumFrames, sounds: sounds)
    var block: [Float] = []
    var bytes = [UInt8](repeating: 0, count: Rendering.blockFrames * wave.encoder.frameByteCount)
    var frameCount = 0
    while true {
      let count = rendering.next(into: &block)
      if count == 0 { break }
      frameCount += count
      wave.encoder.encode(0..<count, of: block, into: &bytes)
      try file.writeAll(Array(bytes.prefix(count * wave.encoder.frameByteCount)))
    }
    let header = try Files.open(path, .writeOnly)
    try header.writeAll(wave.header(frameCount: frameCount))
  }
}
