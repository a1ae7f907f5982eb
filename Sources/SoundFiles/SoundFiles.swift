import Bells
import LinuxIO

/// The recordings of a box: files of the box's own form in one folder, `NAME.sound` each.
///
/// Invariants:
/// - Nothing that stands in the folder can stop the box: what is missing, cut, empty or wrong is a
///   fault with a sentence, and the rest is read.
/// - Only ordinary files are read; symbolic links are not followed, and a fifo does not block.
/// - A file is replaced whole: at every instant, power cuts included, what can be read back is the
///   recording before or the one after, also where two are added at once: one is written after the
///   other.
public enum SoundFiles {
  /// What stands before a recording's name wherever a sound is named, so that one that is missing
  /// is told from a misspelt name.
  public static let prefix = "own/"
  /// What ends the name of a file.
  static let suffix = ".sound"
  /// What ends the name of one that is being written.
  static let scratchSuffix = suffix + ".new"
  /// All recordings together take no more memory than this: four of the longest.
  public static let totalBytesMax = 4 * RecordingFile.maximumBytes
  /// No more files are read.
  public static let countMax = 64
  /// No name is longer.
  static let nameBytesMax = 40

  /// Whether a recording can be called that: lower-case letters, digits and hyphens, at most 40,
  /// with no hyphen in front.
  public static func isName(_ name: String) -> Bool {
    guard (1...nameBytesMax).contains(name.utf8.count), !name.hasPrefix("-") else { return false }
    return name.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
    }
  }

  /// Reads all recordings, in the order of their names.
  /// - Parameter folder: its path. One that is not there has no recordings, which is no fault.
  /// - Returns: the sounds, named `own/NAME`, and what could not be read.
  public static func load(_ folder: String) -> (sounds: [Sound], faults: [SoundFileFault]) {
    var sounds: [Sound] = []
    var faults: [SoundFileFault] = []
    var bytesLeft = totalBytesMax
    for file in fileNames(in: folder, &faults) {
      guard file.hasSuffix(suffix), isName(String(file.dropLast(suffix.utf8.count))) else {
        faults.append(SoundFileFault(path: "\(folder)/\(file)", reason: .strange))
        continue
      }
      let name = String(file.dropLast(suffix.utf8.count))
      do throws(SoundFileFault) {
        guard let content = try read(name, in: folder, limit: bytesLeft) else { continue }
        bytesLeft -= 2 * content.recording.samples.count
        sounds.append(sound(named: name, content))
      } catch { faults.append(error) }
    }
    return (sounds, faults)
  }

  private static func fileNames(in folder: String, _ faults: inout [SoundFileFault]) -> [String] {
    do throws(SystemError) {
      let names = try Files.names(in: try Files.open(folder, [.folder, .nonBlocking]))
      let visible = names.filter { !$0.hasPrefix(".") }
      if visible.count > countMax {
        faults.append(SoundFileFault(path: folder, reason: .tooMany(visible.count)))
      }
      return Array(visible.prefix(countMax))
    } catch {
      if error.errno != .noSuchFile {
        faults.append(SoundFileFault(path: folder, reason: .system(error.errno)))
      }
      return []
    }
  }

  /// A recording as a sound.
  public static func sound(named name: String, _ file: RecordingFile) -> Sound {
    var sound = Sound(
      name: prefix + name, source: printable(file.source.name), recording: file.recording)
    sound.title = "own recording"
    return sound
  }

  /// A text without what would move a terminal's cursor or colour it.
  public static func printable(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isPlain($0) ? $0 : "\u{FFFD}" }))
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
  }

  /// Reads one recording; nil when there is none of that name.
  public static func read(
    _ name: String, in folder: String
  ) throws(SoundFileFault) -> RecordingFile? {
    try read(name, in: folder, limit: totalBytesMax)
  }

  private static func read(
    _ name: String, in folder: String, limit: Int
  ) throws(SoundFileFault) -> RecordingFile? {
    let path = "\(folder)/\(name)\(suffix)"
    let bytes: [UInt8]
    do throws(SystemError) {
      let file = try Files.open(path, [.readOnly, .noFollow, .nonBlocking])
      let status = try file.status()
      guard status.kind == .file else {
        throw SystemError(call: "open", path: path, errno: .invalidArgument)
      }
      guard status.size <= Int64(RecordingFile.maximumBytes) else {
        throw SystemError(call: "open", path: path, errno: .fileTooLarge)
      }
      guard status.size <= Int64(limit) else {
        throw SystemError(call: "open", path: path, errno: .noMemory)
      }
      bytes = try Files.readWhole(file, limit: RecordingFile.maximumBytes, path: path)
    } catch {
      if error.errno == .noSuchFile { return nil }
      throw SoundFileFault(path: path, name: prefix + name, reason: SoundFileFault.reason(error))
    }
    do throws(RecordingFileError) { return try RecordingFile(bytes) } catch {
      throw SoundFileFault(path: path, name: prefix + name, reason: .content(error))
    }
  }

  /// Puts a recording into the folder, which is made where it is missing, in place of an earlier
  /// one of that name.
  /// - Precondition: it is a name that `isName` allows.
  public static func replace(
    _ name: String, with file: RecordingFile, in folder: String
  ) throws(SoundFileFault) {
    precondition(isName(name), "a recording's name is plain")
    do throws(SystemError) {
      try Files.makeFolder(folder)
      let opened = try Files.open(folder, [.folder])
      try opened.lock()
      try removeScratch(in: opened)
      let scratch = ".\(name)\(scratchSuffix)"
      do throws(SystemError) {
        let written = try Files.open(scratch, [.writeOnly, .create, .exclusive], in: opened.lent)
        try written.writeAll(file.bytes)
        try written.sync()
        try Files.rename(scratch, to: name + suffix, in: opened.lent)
      } catch {
        try? Files.unlink(scratch, in: opened.lent)
        throw error
      }
      try opened.sync()
    } catch {
      throw SoundFileFault(
        path: "\(folder)/\(name)\(suffix)", name: prefix + name, reason: .system(error.errno))
    }
  }

  /// Removes what was begun and never ended, such as before a power cut. Whoever has the lock knows
  /// that nobody writes it.
  private static func removeScratch(in folder: borrowing OwnedDescriptor) throws(SystemError) {
    for file in try Files.names(in: folder) where file.hasPrefix(".") {
      if file.hasSuffix(scratchSuffix) { try Files.unlink(file, in: folder.lent) }
    }
  }
}
