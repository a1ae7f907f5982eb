import Glibc
import Settings
import Testing

/// What stands before the part of a board file that a test is about. Lines begin at 4.
let boardHead = "[board]\nname = desk\nchip = auto\n"

/// Reads a board file called `b.ini`.
func board(_ text: String) throws(SettingsProblems) -> Board {
  try Board(Array(text.utf8), file: "b.ini")
}

/// The messages that reading a board file gives, one a line; empty if there are none.
func boardMessages(_ text: String) -> String {
  do {
    _ = try board(text)
    return ""
  } catch {
    return error.text
  }
}

/// The messages of a file that is `boardHead` and these lines.
func boardMessages(after lines: String) -> String { boardMessages(boardHead + lines) }

/// The path of the project's root.
let projectRoot = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

/// The bytes of a file of the project.
func projectFile(_ name: String) throws -> [UInt8] {
  let file = try #require(fopen("\(projectRoot)/\(name)", "rb"))
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 262_144)
  return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
}

func projectText(_ name: String) throws -> String {
  String(decoding: try projectFile(name), as: UTF8.self)
}

/// The names of the project's board files, without their ending.
func shippedBoards() throws -> [String] {
  let folder = try #require(opendir("\(projectRoot)/board"))
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      // Safety: the kernel ends a name with a zero byte inside its field.
      pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name.hasSuffix(".ini") { names.append(String(name.dropLast(4))) }
  }
  return names.sorted()
}
