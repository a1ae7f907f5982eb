/// What this device last wrote down about its truth: in which boot, and how far the truth was.
///
/// It is written once a boot, after the first save, and read at the next start. What it can show
/// hangs on where it is kept:
/// - beside the truth it is lost with the truth; it shows only a disk that forgets some files and
///   keeps others, or brings back an old one;
/// - on another disk, as this device's exchange copy is when the shared folder lies on one, it also
///   shows a state folder that loses everything.
///
/// A card that forgets all that was written since some day, the witness with it, looks like a box
/// that was not used since: nothing kept on that card can tell.
struct StorageWitness: Equatable, Sendable {
  /// The kernel's name of the boot in which it was written.
  let boot: String
  /// How far the truth was: a number that no save makes smaller, such as its greatest stamp.
  let generation: UInt64

  /// The text of the file, one line.
  var text: String { "kept \(boot) \(generation)\n" }

  /// Makes a witness.
  init(boot: String, generation: UInt64) {
    self.boot = boot
    self.generation = generation
  }

  /// Reads the text; nil where it is not whole. Then nothing was told.
  init?(parsing bytes: [UInt8]) {
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    guard words.count == 3, words[0] == "kept", words[2].hasSuffix("\n"),
      let generation = UInt64(words[2].dropLast())
    else { return nil }
    self.init(boot: String(words[1]), generation: generation)
    if Array(text.utf8) != bytes { return nil }
  }
}

extension DurableFolder {
  /// The file of the witness, where it is kept beside the truth.
  static let witnessName = "kept"

  /// What was written down last; nil where nothing was, or where it is not whole.
  func witness() throws(StoreFileFault) -> StorageWitness? {
    try read(DurableFolder.witnessName, limit: 256).flatMap { StorageWitness(parsing: $0) }
  }

  /// The first save of a boot is over: reads the truth back from the device, and writes down how
  /// far it is.
  /// - Throws: `notKept` where the truth reads back otherwise. Then nothing is written down.
  func testify(
    _ witness: StorageWitness, of name: String, holding bytes: [UInt8]
  ) throws(StoreFileFault) {
    try readBack(name, expecting: bytes)
    try replace(DurableFolder.witnessName, with: Array(witness.text.utf8))
  }
}

/// Whether the disk under the state folder keeps what it was given, as far as can be told at start.
enum StorageTrust: Equatable, Sendable {
  /// Nothing was written down before, or it cannot be read: nothing can be said.
  case untold
  /// This boot wrote it down itself: what is in memory says nothing about the card.
  case sameBoot
  /// Another boot wrote it down, and the truth is as far as it was then, or further.
  case kept
  /// Another boot was told that the truth was further than it is: the disk lost what it had
  /// acknowledged, or somebody put an old copy back while the box was off.
  case lost(told: UInt64, found: UInt64?)
  /// This boot was told that the truth was further than it is: no power cut lies between, so the
  /// file was changed by somebody, or the file system was mounted anew.
  case takenBack(told: UInt64, found: UInt64?)

  /// Decides.
  /// - Parameters:
  ///   - boot: the kernel's name of this boot.
  ///   - found: how far the truth is that was read; nil where there is none.
  ///   - told: what was written down, wherever it was kept.
  init(boot: String, found: UInt64?, told: StorageWitness?) {
    guard let told else {
      self = .untold
      return
    }
    let isThere = (found ?? 0) >= told.generation
    switch (isThere, told.boot == boot) {
    case (true, true): self = .sameBoot
    case (true, false): self = .kept
    case (false, true): self = .takenBack(told: told.generation, found: found)
    case (false, false): self = .lost(told: told.generation, found: found)
    }
  }

  /// A sentence for people where something is wrong; nil where nothing is known to be.
  var complaint: String? {
    switch self {
    case .untold, .sameBoot, .kept: nil
    case .lost:
      "the disk with the state folder did not keep what was saved before the last start, "
        + "or an older copy was put back"
    case .takenBack: "the state folder was put back to an older state while the machine ran"
    }
  }
}
