import CGPIO
import LinuxIO
import Settings

// Invariants:
// - Chips are opened one by one; one that cannot be opened is remembered with its reason and
//   hinders no other.
// - A device that has several names (a symbolic link) is opened once.
// - A chip is chosen by what it is, never by its number, unless the wiring names it.

/// The search for the chip of a wiring.
struct ChipSearch {
  private let folder: String
  private let selector: ChipSelector
  private let names: [String]

  init(_ wiring: Wiring, folder: String) {
    self.folder = folder
    selector = wiring.chip
    names = (wiring.inputs.map(\.selector) + wiring.outputs.map(\.selector)).compactMap {
      if case .name(let name) = $0 { name } else { nil }
    }
  }

  /// The devices `gpiochipN` of a folder by their numbers, each once.
  static func paths(in folder: String) -> [String] {
    var found: [(number: Int, path: String)] = []
    do throws(SystemError) {
      let opened = try Files.open(folder, [.readOnly, .folder])
      for name in try Files.names(in: opened) where name.hasPrefix("gpiochip") {
        guard let number = Int(name.dropFirst("gpiochip".count)) else { continue }
        found.append((number, folder + "/" + name))
      }
    } catch {
      return []
    }
    var seen: [(UInt64, UInt64)] = []
    return found.sorted { $0.number < $1.number }.map(\.path).filter { path in
      var node = cgpio_node()
      // A link that leads nowhere is no chip. What goes between here and the opening fails there.
      guard cgpio_node_look(path, &node) == 0 else { return false }
      if seen.contains(where: { $0 == (node.file_system, node.inode) }) { return false }
      seen.append((node.file_system, node.inode))
      return true
    }
  }

  /// Opens the chip.
  func find() throws(GPIOError) -> Chip {
    switch selector {
    case .path(let path): return try open(path)
    case .name(let name): return try open(folder + "/" + name)
    case .label, .automatic, .simulated: return try search()
    }
  }

  private func open(_ path: String) throws(GPIOError) -> Chip {
    do throws(SystemError) {
      return try Chip(path: path)
    } catch {
      guard error.errno == .noSuchFile else { throw GPIOError(opening: path, error) }
    }
    throw missing(seen: Self.paths(in: folder).map { Self.look($0) })
  }

  private func search() throws(GPIOError) -> Chip {
    var best: Chip?
    var bestRank = Int.max
    var equals: [String] = []
    var seen: [GPIOError.Seen] = []
    for path in Self.paths(in: folder) {
      do throws(SystemError) {
        let chip = try Chip(path: path)
        seen.append(.chip(chip.identity))
        guard let rank = rank(chip), rank <= bestRank else { continue }
        equals = rank == bestRank ? equals + [chip.name] : [chip.name]
        if rank < bestRank {
          best = consume chip
          bestRank = rank
        }
        if bestRank == 0 { break }
      } catch {
        seen.append(.refused(GPIOError(opening: path, error)))
      }
    }
    if bestRank == Self.namesRank, equals.count > 1 { throw .chipAmbiguous(chips: equals) }
    switch consume best {
    case .some(let chip): return chip
    case .none: throw missing(seen: seen)
    }
  }

  // After every label of a header's chip: a chip that is only known by the names of its lines.
  private static let namesRank = ChipSelector.headerLabels.count

  /// How well a chip fits, 0 best; nil: not at all.
  private func rank(_ chip: borrowing Chip) -> Int? {
    if case .label(let label) = selector {
      guard chip.label == label else { return nil }
      return names.isEmpty || hasAllNames(chip) ? 0 : 1
    }
    if let place = ChipSelector.headerLabels.firstIndex(of: chip.label) { return place }
    // A board of offsets alone fits every chip, so none is known by it.
    return !names.isEmpty && hasAllNames(chip) ? Self.namesRank : nil
  }

  private func hasAllNames(_ chip: borrowing Chip) -> Bool {
    let there = chip.lineNames()
    return names.allSatisfy { there.contains($0) }
  }

  private static func look(_ path: String) -> GPIOError.Seen {
    do throws(SystemError) {
      return .chip(try Chip(path: path).identity)
    } catch {
      return .refused(GPIOError(opening: path, error))
    }
  }

  private func missing(seen: [GPIOError.Seen]) -> GPIOError {
    // Where nothing may be opened at all, that is what to cure first.
    if case .refused(let error)? = seen.first, seen.allSatisfy({ $0.isRefused }) { return error }
    return .chipMissing(wanted: selector, folder: folder, seen: seen)
  }
}
