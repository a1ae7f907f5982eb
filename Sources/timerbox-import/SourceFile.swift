import Bells
import LinuxIO

/// A recording as somebody brought it: read once and whole, so that what is decoded is what was
/// checked.
struct SourceFile {
  var name: String
  var bytes: [UInt8]

  /// Reads a file. Whatever is no ordinary file is refused and not waited for.
  init(path: String) throws(ImportError) {
    name = path.split(separator: "/").last.map { String($0) } ?? path
    do throws(SystemError) {
      // A device is not even opened, wherever a link leads: some act on that.
      try SourceFile.check(try Files.statusFollowingLinks(path))
      let file = try Files.open(path, [.readOnly, .nonBlocking])
      let status = try file.status()
      try SourceFile.check(status)
      bytes = try Files.readWhole(file, limit: Int(Limits.fileBytes), path: path)
    } catch {
      switch error.errno {
      case .isFolder: throw .notAFile("a folder")
      case .invalidArgument where error.call == "check": throw .notAFile("a device or a pipe")
      case .fileTooLarge:
        let size = (try? Files.statusFollowingLinks(path))?.size
        throw .tooLarge(bytes: size ?? Limits.fileBytes + 1)
      default: throw .system(error.errno)
      }
    }
    if bytes.isEmpty { throw .empty }
  }

  private static func check(_ status: FileStatus) throws(SystemError) {
    switch status.kind {
    case .file:
      if status.size > Limits.fileBytes { throw SystemError(call: "check", errno: .fileTooLarge) }
    case .folder: throw SystemError(call: "check", errno: .isFolder)
    case .link, .socket, .other: throw SystemError(call: "check", errno: .invalidArgument)
    }
  }

  /// What its bytes say it is.
  enum Kind: String {
    case wave = "WAV"
    case flac = "FLAC"
    case ogg = "Ogg"
    case mp3 = "MP3"
  }

  /// Its bytes behind a tag that stands in front.
  var sound: ArraySlice<UInt8> { bytes[SourceFile.tagLength(bytes)...] }

  /// Told by the content alone: names lie, and a library that guesses tries a dozen more formats,
  /// most of them long out of use.
  func kind() throws(ImportError) -> Kind {
    if SourceFile.begins(sound, "RIFF") || SourceFile.begins(sound, "RIFX") {
      if SourceFile.begins(sound.dropFirst(8), "WAVE") { return .wave }
    }
    if SourceFile.begins(sound, "fLaC") { return .flac }
    if SourceFile.begins(sound, "OggS") { return .ogg }
    if SourceFile.isFrame(sound) || (sound.isEmpty && SourceFile.begins(bytes[...], "ID3")) {
      return .mp3
    }
    throw .unknownKind(found: SourceFile.describe(bytes))
  }

  /// How many bytes an ID3v2 tag in front has (id3.org, ID3v2.4.0, section 3.1).
  private static func tagLength(_ bytes: [UInt8]) -> Int {
    guard begins(bytes[...], "ID3"), bytes.count >= 10 else { return 0 }
    let size = bytes[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    let footer = bytes[5] & 0x10 == 0 ? 0 : 10
    return min(bytes.count, 10 + size + footer)
  }

  private static func begins(_ bytes: ArraySlice<UInt8>, _ text: String) -> Bool {
    bytes.starts(with: text.utf8)
  }

  /// Whether an MPEG audio frame of layer III begins here (ISO/IEC 11172-3, 2.4.1.3): eleven ones,
  /// a version, the layer, a bit rate and a rate that exist.
  private static func isFrame(_ bytes: ArraySlice<UInt8>) -> Bool {
    let head = Array(bytes.prefix(4))
    guard head.count == 4, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else { return false }
    let isVersion = head[1] & 0x18 != 0x08
    let isLayer3 = head[1] & 0x06 == 0x02
    let hasBitRate = head[2] & 0xF0 != 0xF0
    let hasRate = head[2] & 0x0C != 0x0C
    return isVersion && isLayer3 && hasBitRate && hasRate
  }

  /// The first bytes, as text where they are text.
  private static func describe(_ bytes: [UInt8]) -> String {
    let head = bytes.prefix(8)
    if head.allSatisfy({ (0x20...0x7E).contains($0) }) {
      return "a file that begins with \"\(String(decoding: head, as: UTF8.self))\""
    }
    let digits = Array("0123456789ABCDEF")
    let text = head.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }
    return "a file that begins with the bytes \(text.joined(separator: " "))"
  }
}
