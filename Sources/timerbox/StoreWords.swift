import Box

/// The store in a few lines for people.
enum StoreWords {
  static func lines(_ store: StateStore) -> [String] {
    let percent = store.bytes * 100 / store.bytesMax
    var lines = [
      "store · \(counted(store.sits, "sit")) · \(counted(store.keys, "key")) · \(percent) % full"
        + (store.archivedSits > 0 ? " · \(counted(store.archivedSits, "sit")) archived" : "")
        + (store.lastMerge.map { " · merged \($0)" } ?? "")
    ]
    lines += store.peers.map(line)
    for trouble in store.clockTrouble {
      lines.append(
        "the clock of \(trouble.device) runs \(age(trouble.aheadSeconds)) ahead of this one")
    }
    if store.isOverQuota { lines.append("the store is over its cap: keys can only be deleted") }
    if store.isVolatile { lines.append("the state folder is in memory and is lost at power-off") }
    return lines
  }

  private static func line(_ peer: StateStore.Peer) -> String {
    var parts = [plain(peer.path), counted(peer.sits, "sit")]
    if let seconds = peer.ageSeconds { parts.append("written \(age(seconds)) ago") }
    if let problem = peer.problem { parts.append(plain(problem)) }
    return parts.joined(separator: " · ")
  }

  /// A text from a foreign folder, without what a terminal would obey.
  static func plain(_ text: String) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      plain.append(isControl ? "\u{FFFD}" : scalar)
    }
    return String(plain)
  }

  /// `1 sit`, `2 sits`.
  static func counted(_ count: Int, _ thing: String) -> String {
    "\(count) \(thing)\(count == 1 ? "" : "s")"
  }

  /// `45 s`, `5 min`, `3 h`, `2 d`; what lies ahead is of this moment.
  static func age(_ seconds: Int64) -> String {
    switch seconds {
    case ..<60: "\(max(0, seconds)) s"
    case ..<3_600: "\(seconds / 60) min"
    case ..<86_400: "\(seconds / 3_600) h"
    default: "\(seconds / 86_400) d"
    }
  }
}
