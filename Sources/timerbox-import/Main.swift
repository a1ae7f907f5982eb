import Bells
import LinuxIO
import SoundFiles

/// The binary that brings a recording into the box's own form. It is a process of its own, so that
/// whatever a strange file does to a decoder is not done to the box.
@main
struct Main {
  private static let usage = "usage: timerbox-import FILE [--name NAME] [--json] --into FOLDER"
  /// No recording that is taken needs more, on any board that the box runs on.
  private static let memoryBytesMax: Int64 = 1 << 30
  private static let processorSecondsMax: Int64 = 120

  static func main() {
    Machine.openMissingStandardDescriptors()
    Machine.ignoreBrokenPipes()
    Machine.limit(memoryBytes: memoryBytesMax, processorSeconds: processorSecondsMax)
    Machine.exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  private static func run(_ arguments: [String]) -> ImportStatus {
    if ImportOrder.wantsHelp(arguments) {
      write(usage + "\n", to: .standardOutput)
      return .done
    }
    do throws(UsageError) {
      let order = try ImportOrder(arguments)
      do throws(ImportError) {
        return try run(order)
      } catch {
        complain("\(SoundFiles.printable(order.path)): \(error.text)")
        return error.status
      }
    } catch {
      complain(error.message)
      return .usage
    }
  }

  private static func run(_ order: ImportOrder) throws(ImportError) -> ImportStatus {
    let source = try SourceFile(path: order.path)
    let origin = RecordingFile.Source(
      name: source.name, byteCount: source.bytes.count,
      checksum: RecordingFile.checksum(source.bytes))
    // One that cannot be read is as good as none: it is replaced.
    let earlier = try? SoundFiles.read(order.name, in: order.folder)
    if let earlier, earlier.source == origin {
      say(order, earlier)
      return .done
    }
    // libsndfile and mpg123 tell standard error what they think of a file; our sentence is enough.
    let decoded = try Machine.withoutStandardError { () throws(ImportError) in
      try Decoder.decode(source)
    }
    let finished = try Finishing(decoded)
    let file = RecordingFile(
      source: origin, loudness: Float(finished.loudness), recording: finished.recording)
    do throws(SoundFileFault) {
      try SoundFiles.replace(order.name, with: file, in: order.folder)
    } catch { throw .unwritable(error) }
    if let shortfall = decoded.shortfall {
      complain("\(SoundFiles.printable(order.path)): \(shortfall)")
    }
    if let earlier {
      complain(
        "own/\(order.name) was made of \(SoundFiles.printable(earlier.source.name)) before, "
          + "and is replaced")
    }
    say(order, file)
    return .done
  }

  private static func say(_ order: ImportOrder, _ file: RecordingFile) {
    let seconds = Double(file.recording.frameCount) / Double(Recording.rateHertz)
    let loudness = Double(file.loudness).tenths
    // A name has no character that JSON would write otherwise.
    write(
      order.wantsJSON
        ? "{\"name\":\"own/\(order.name)\",\"seconds\":\(seconds.tenths),"
          + "\"loudness\":\(loudness)}\n"
        : "own/\(order.name)  \(seconds.tenths) s  \(loudness) LUFS\n",
      to: .standardOutput)
  }

  private static func complain(_ text: String) {
    write("timerbox-import: \(text)\n", to: .standardError)
  }

  private static func write(_ text: String, to output: LentDescriptor) {
    // A reader that has gone is told nothing; the work is done all the same.
    try? output.writeAll(Array(text.utf8))
  }
}

/// Words on the command line that say no order.
struct UsageError: Error, Equatable {
  var message: String
}

/// What the command line asks for.
struct ImportOrder: Equatable {
  var path: String
  var name: String
  var folder: String
  /// Whether the answer is for a program.
  var wantsJSON = false

  /// Whether it is asked how to ask. What follows `--` is a file.
  static func wantsHelp(_ arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains("--help")
  }

  init(_ arguments: [String]) throws(UsageError) {
    var words: [String] = []
    var values: [String: String] = [:]
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        words += rest
        break
      }
      guard argument.hasPrefix("--") else {
        words.append(argument)
        continue
      }
      if argument == "--json" {
        wantsJSON = true
        continue
      }
      guard ["--name", "--into"].contains(argument) else {
        throw UsageError(message: "found \"\(argument)\", expected --name, --into or --json")
      }
      guard let value = rest.popFirst() else {
        throw UsageError(message: "\(argument) needs a value")
      }
      values[argument] = value
    }
    guard words.count == 1 else {
      throw UsageError(message: "found \(words.count) files, expected one")
    }
    guard words[0] != "" else { throw UsageError(message: "found \"\", expected a file") }
    guard let folder = values["--into"] else { throw UsageError(message: "--into is missing") }
    path = words[0]
    self.folder = folder
    name = values["--name"] ?? ImportOrder.name(ofFile: path)
    guard SoundFiles.isName(name) else {
      let found = values["--name"] == nil ? "no name in the file's" : "the name \"\(name)\""
      throw UsageError(
        message: "found \(SoundFiles.printable(found)), expected --name with lower-case letters, "
          + "digits and hyphens, at most 40")
    }
  }

  /// The file's name without folder and ending, with a hyphen for all that a name does not have.
  static func name(ofFile path: String) -> String {
    var file = path.split(separator: "/").last.map { String($0) } ?? ""
    if let dot = file.lastIndex(of: "."), dot > file.startIndex { file = String(file[..<dot]) }
    var name = ""
    for byte in file.utf8 {
      switch byte {
      case 0x41...0x5A: name.unicodeScalars.append(Unicode.Scalar(byte + 0x20))
      case 0x61...0x7A, 0x30...0x39: name.unicodeScalars.append(Unicode.Scalar(byte))
      default: if !name.isEmpty && !name.hasSuffix("-") { name += "-" }
      }
    }
    name = String(name.prefix(40))
    while name.hasSuffix("-") { name.removeLast() }
    return name
  }
}
