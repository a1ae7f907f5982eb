import FoundationEssentials
import Glibc
import RecordingMaker
import Testing

@testable import timerbox_import

/// A folder of one test's own, and recordings made for it by libsndfile itself.
final class Workplace: Sendable {
  let folder: String

  init() throws {
    var template = Array("/tmp/timerbox-import-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  func write(_ bytes: [UInt8], to name: String) throws {
    let file = try #require(fopen(path(name), "w"))
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  func bytes(_ name: String) -> [UInt8] {
    guard let file = fopen(path(name), "r") else { return [] }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: ftell(file))
    rewind(file)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }

  /// Writes one sound on every channel.
  @discardableResult
  func make(
    _ name: String, _ format: Int32, rate: Int = 48_000, channels: Int = 1, _ sound: [Float]
  ) throws -> String {
    let samples = sound.flatMap { Array(repeating: $0, count: channels) }
    return try make(name, format, rate: rate, channels: channels, interleaved: samples)
  }

  @discardableResult
  func make(
    _ name: String, _ format: Int32, rate: Int, channels: Int, interleaved: [Float]
  ) throws -> String {
    let made = recording_maker_write(
      path(name), format, Int32(rate), Int32(channels), interleaved,
      Int64(interleaved.count / channels))
    try #require(made == 1, "libsndfile did not write \(name)")
    return path(name)
  }

  func decode(_ name: String) throws -> Decoded {
    try Decoder.decode(try SourceFile(path: path(name)))
  }

  func finish(_ name: String) throws -> Finishing { try Finishing(try decode(name)) }
}

/// A struck sound: it begins at once and dies away.
func strike(seconds: Double, rate: Int, hertz: Double = 440, level: Float = 0.5) -> [Float] {
  (0..<Int(seconds * Double(rate))).map { frame in
    let time = Double(frame) / Double(rate)
    return level * Float(exp(-3 * time) * cos(2 * .pi * hertz * time))
  }
}

func silence(seconds: Double, rate: Int) -> [Float] {
  [Float](repeating: 0, count: Int(seconds * Double(rate)))
}
