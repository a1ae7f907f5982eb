/// What Package.swift says of the rooms. Its tables are the one place where they are listed.
struct House {
  struct Room {
    var name: String
    var imports: [String]
  }

  var pure: [Room]
  var shared: [Room]
  var shell: [Room]
  var cLibraries: [String]

  /// The rooms in the order of the table, pure ones first: an arrow points to an earlier one.
  var rooms: [Room] { pure + shared + shell }

  /// Reads the tables.
  /// - Parameter manifest: Package.swift as written.
  init(manifest: String) {
    pure = House.table("pureRooms", in: manifest)
    shared = House.table("sharedRooms", in: manifest)
    shell = House.table("shellRooms", in: manifest)
    cLibraries = House.strings("cLibraries", in: manifest).map(\.text)
  }

  /// Rows of `("Name", ["Import", …])`.
  private static func table(_ name: String, in manifest: String) -> [Room] {
    var rows: [Room] = []
    for (text, depth) in strings(name, in: manifest) {
      if depth == 1 {
        rows.append(Room(name: text, imports: []))
      } else {
        rows[rows.count - 1].imports.append(text)
      }
    }
    return rows
  }

  /// The string literals of `let NAME … = [ … ]`, each with how many brackets it stands in.
  private static func strings(_ name: String, in manifest: String) -> [(text: String, depth: Int)] {
    let lines = manifest.split(separator: "\n")
    guard let first = lines.firstIndex(where: { $0.hasPrefix("let \(name)") }) else { return [] }
    var found: [(text: String, depth: Int)] = []
    var depth = 0
    var literal: String?
    for character in lines[first...].joined(separator: "\n").drop(while: { $0 != "=" }) {
      switch character {
      case "\"":
        if let text = literal { found.append((text, depth)) }
        literal = literal == nil ? "" : nil
      case "[" where literal == nil: depth += 1
      case "]" where literal == nil:
        depth -= 1
        if depth == 0 { return found }
      default: literal?.append(character)
      }
    }
    return found
  }
}
