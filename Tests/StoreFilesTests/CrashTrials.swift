import LinuxIO

@testable import StoreFiles

extension CrashTrial {
  private static func state(_ root: ModelFolder) throws -> DurableFolder {
    try DurableFolder("state", creating: true, from: root)
  }

  /// A file is replaced three times; nothing is kept of what it was.
  static let save = CrashTrial(
    name: "save", before: { try $0.replace("a", with: Page.of(0)) },
    steps: (1...3).map { number in
      { try state($0).replace("a", with: Page.of(number)) }
    },
    fault: { root, acknowledged in
      guard let number = try state(root).months("a") else { return "a is not whole" }
      return number < acknowledged ? "a is older than acknowledged" : nil
    })

  /// The truth is replaced three times, and the one before it kept. A deletion is such a save too:
  /// it writes a tombstone.
  static let saveKeeping = CrashTrial(
    name: "save, earlier kept", before: { try $0.replace("truth.kv", with: Page.of(0)) },
    steps: (1...3).map { number in
      { root in
        let unkept = try state(root).replace(
          "truth.kv", with: Page.of(number), keeping: "truth.kv.1")
        if let unkept { throw unkept }
      }
    },
    fault: { root, acknowledged in
      let folder = try state(root)
      guard let number = try folder.months("truth.kv") else { return "truth.kv is not whole" }
      if number < acknowledged { return "truth.kv is older than acknowledged" }
      if try folder.isDamaged("truth.kv.1") { return "truth.kv.1 is damaged" }
      guard acknowledged > 0 else { return nil }
      guard let earlier = try folder.months("truth.kv.1") else { return "truth.kv.1 is lost" }
      return earlier < acknowledged - 1 ? "truth.kv.1 is two generations old" : nil
    })

  /// The same on a file system where the entry of a renamed file can lead to freed clusters until
  /// it is synchronised: then the earlier generation is read.
  static let saveOnFAT = CrashTrial(
    name: "save on vfat", before: saveKeeping.before, steps: saveKeeping.steps,
    fault: { root, acknowledged in
      let folder = try state(root)
      let number = try folder.months("truth.kv") ?? folder.months("truth.kv.1")
      guard let number else { return "neither truth nor earlier truth is whole" }
      return number < acknowledged ? "older than acknowledged" : nil
    })

  /// Folders, lock, identity, first truth.
  static let firstStart = CrashTrial(
    name: "first start", before: { _ in },
    steps: [
      { root in
        let folder = try DurableFolder("var/lib/box", creating: true, from: root)
        _ = try folder.lock("lock")
        if try folder.read("device", limit: 1_000) == nil {
          try folder.replace("device", with: Page.of(5))
        }
      },
      { root in
        let folder = try DurableFolder("var/lib/box", creating: true, from: root)
        try folder.allocate("ballast", bytes: 4_096)
        try folder.replace("truth.kv", with: Page.of(1), keeping: "truth.kv.1")
      },
    ],
    fault: { root, acknowledged in
      let folder = try DurableFolder("var/lib/box", creating: true, from: root)
      _ = try folder.lock("lock")
      try folder.sweep()
      if try folder.isDamaged("device") { return "the identity is damaged" }
      if try acknowledged >= 1 && folder.months("device") == nil { return "the identity is lost" }
      if try folder.isDamaged("truth.kv") { return "the truth is damaged" }
      return try acknowledged >= 2 && folder.months("truth.kv") != 1 ? "the truth is lost" : nil
    })

  /// Old settings are moved into their own file once; then they are reset, and stay reset.
  static let migrate = CrashTrial(
    name: "migrate", before: { try $0.replace("old", with: Page.of(1)) },
    steps: [
      { try move(state($0)) },
      { try state($0).replace("choices", with: Page.of(3)) },
    ],
    fault: { root, acknowledged in
      let folder = try state(root)
      if try folder.isDamaged("moved") { return "the flag is damaged" }
      if try folder.isDamaged("choices") { return "the settings are damaged" }
      if try acknowledged > 0 && folder.months("moved") == nil { return "the flag is lost" }
      if try folder.read("moved", limit: 1_000) != nil, try folder.months("choices") == nil {
        return "the flag is set and the settings are not there"
      }
      try move(folder)
      let settings = try folder.months("choices")
      if settings != 1 && settings != 3 { return "the settings are lost" }
      return acknowledged == 2 && settings != 3 ? "what was reset is back" : nil
    })

  private static func move(_ folder: DurableFolder) throws {
    if try folder.read("moved", limit: 1_000) != nil { return }
    try folder.replace("choices", with: folder.read("old", limit: 1_000) ?? [])
    try folder.replace("moved", with: Page.of(7))
  }

  /// The oldest months go to a volume in the archive, then the main volume without them is written,
  /// then the volume that is not needed any more goes; and a month more the next time.
  static let archive = CrashTrial(
    name: "archive",
    before: {
      try $0.replace("truth.kv", with: Page.of(0b0111))
      try $0.replace("truth.2.kv", with: Page.of(0b1000))
    },
    steps: [
      { try split(state($0), main: 0b1100, volume: 0b0011) },
      { try split(state($0), main: 0b1000, volume: 0b0111) },
    ],
    fault: { root, acknowledged in
      let folder = try state(root)
      let inner = try folder.subfolder("archive")
      if try folder.isDamaged("truth.kv") || folder.isDamaged("truth.2.kv") {
        return "a main volume is damaged"
      }
      if try inner?.isDamaged("2026.kv") == true { return "the archive is damaged" }
      let parts = try [folder.months("truth.kv"), folder.months("truth.2.kv")]
      let months = try (parts + [inner?.months("2026.kv")]).reduce(0) { $0 | ($1 ?? 0) }
      if months != 0b1111 { return "of the months there are \(String(months, radix: 2))" }
      let settled = [0b1111, 0b1100, 0b1000][acknowledged]
      return try folder.months("truth.kv").map { $0 & ~settled } != 0
        ? "what was archived is back" : nil
    })

  private static func split(_ folder: DurableFolder, main: Int, volume: Int) throws {
    guard let inner = try folder.subfolder("archive", creating: true) else {
      throw StoreFileFault.notAFile(path: "archive")
    }
    try inner.replace("2026.kv", with: Page.of(volume))
    try folder.replace("truth.kv", with: Page.of(main), keeping: "truth.kv.1")
    try folder.remove("truth.2.kv")
  }

  /// A damaged truth holds a month that no other file has.
  static let setAside = CrashTrial(
    name: "set aside",
    before: {
      try $0.replace("truth.kv.1", with: Page.of(0b010))
      try $0.replace("truth.kv", with: Page.damaged(0b110))
    },
    steps: [
      { _ = try salvage(state($0)) },
      { root in
        let folder = try state(root)
        let months = try salvage(folder)
        try folder.replace("truth.kv", with: Page.of(months | 0b1000), keeping: "truth.kv.1")
      },
    ],
    fault: { root, acknowledged in
      let folder = try state(root)
      if try folder.isDamaged("truth.kv.1") { return "a damaged file was rotated" }
      let kept = try folder.names().filter { name in
        try name.hasPrefix("truth.kv") && folder.read(name, limit: 1_000) == Page.damaged(0b110)
      }
      if kept.isEmpty { return "the damaged file is gone" }
      if try acknowledged > 0 && folder.isDamaged("truth.kv") { return "nothing was saved" }
      let months = try salvage(folder)
      if months & 0b110 != 0b110 { return "a salvaged month is lost" }
      if acknowledged == 2 && months != 0b1110 { return "older than acknowledged" }
      return try folder.isDamaged("truth.kv") ? "the truth is still damaged" : nil
    })

  /// What a start does with the truth and the earlier truth. Gives the months.
  private static func salvage(_ folder: DurableFolder) throws -> Int {
    let bytes = try folder.read("truth.kv", limit: 1_000)
    if let months = Page.months(bytes) { return months }
    let earlier = try folder.months("truth.kv.1") ?? 0
    let months = Page.salvaged(bytes) | earlier
    if bytes != nil { _ = try folder.setAside("truth.kv") }
    try folder.replace("truth.kv", with: Page.of(months), keeping: "truth.kv.1")
    return months
  }

  static let all = [save, saveKeeping, firstStart, migrate, archive, setAside]
}
