import CGPIO
import Controls
import Settings

/// One part of a board and how its line is asked for.
struct Member {
  let use: LineUse
  let selector: LineSelector
  /// Of `cgpio_wish`.
  let bits: UInt32

  init(_ wiring: InputWiring) {
    use = .input(wiring.line)
    selector = wiring.selector
    let bias: UInt32 =
      switch wiring.bias {
      case .pullUp: cgpio_pull_up
      case .pullDown: cgpio_pull_down
      case .disabled: cgpio_bias_disabled
      case .asIs: 0
      }
    bits = bias | (wiring.isActiveLow ? cgpio_active_low : 0)
  }

  init(_ wiring: OutputWiring) {
    use = .output(wiring.role)
    selector = wiring.selector
    bits = cgpio_output | (wiring.isActiveLow ? cgpio_active_low : 0)
  }

  /// The parts of a wiring in groups of which one part is of no use without the other: the contacts
  /// of the crown, and every other part alone.
  static func groups(of wiring: Wiring) -> [[Member]] {
    let contacts = wiring.inputs.filter { LineSet.contacts.contains($0.line) }
    let others = wiring.inputs.filter { !LineSet.contacts.contains($0.line) }
    let all =
      [contacts.map { Member($0) }] + others.map { [Member($0)] }
      + wiring.outputs.map { [Member($0)] }
    return all.filter { !$0.isEmpty }
  }
}

/// Where the parts of a board are on a chip.
struct Layout {
  /// Of each group of `Member.groups(of:)`: the places of its parts, or what is wrong.
  private(set) var groups: [Result<[GPIOError.Place], GPIOError>]

  /// What is wrong with the wiring on this chip.
  var faults: [GPIOError] {
    groups.compactMap { group in
      if case .failure(let error) = group { error } else { nil }
    }
  }

  /// Every part that has a line.
  var offsets: [(offset: UInt32, use: LineUse)] {
    groups.flatMap { (try? $0.get()) ?? [] }.map { ($0.offset, $0.use) }
  }

  init(_ wiring: Wiring, on chip: borrowing Chip) {
    let identity = chip.identity
    let names = chip.lineNames()
    groups = Member.groups(of: wiring).map { members -> Result<[GPIOError.Place], GPIOError> in
      do throws(GPIOError) {
        var places: [GPIOError.Place] = []
        for member in members { places.append(try Layout.place(member, on: identity, names)) }
        return .success(places)
      } catch {
        return .failure(error)
      }
    }
    refuseTwice()
  }

  private static func place(
    _ member: Member, on chip: GPIOChip, _ names: [String]
  ) throws(GPIOError) -> GPIOError.Place {
    let offset = try offset(of: member, on: chip, names)
    return GPIOError.Place(
      chip: chip.name, offset: offset, name: names[Int(offset)], use: member.use)
  }

  private static func offset(
    of member: Member, on chip: GPIOChip, _ names: [String]
  ) throws(GPIOError) -> UInt32 {
    switch member.selector {
    case .offset(let offset):
      if offset < chip.lineCount { return offset }
      throw .pastEnd(
        offset: offset, chip: chip.name, lineCount: chip.lineCount, use: member.use)
    case .name(let name):
      let found = names.indices.filter { names[$0] == name }.map { UInt32($0) }
      if found.count == 1 { return found[0] }
      if found.count > 1 {
        throw .lineAmbiguous(name: name, chip: chip.name, use: member.use, offsets: found)
      }
      if let offset = headerOffset(name, on: chip) { return offset }
      throw .lineMissing(
        name: name, chip: chip.name, label: chip.label, use: member.use, names: names)
    }
  }

  /// The line N for `GPION` on a header's chip: some device trees name no line, and some call
  /// GPIO4 GPIO_GCLK.
  private static func headerOffset(_ name: String, on chip: GPIOChip) -> UInt32? {
    guard ChipSelector.headerLabels.contains(chip.label), name.hasPrefix("GPIO"),
      let number = UInt32(name.dropFirst("GPIO".count)), number < chip.lineCount
    else { return nil }
    return number
  }

  /// Two parts on one line: neither is asked for.
  private mutating func refuseTwice() {
    let all = offsets
    groups = groups.map { group in
      guard case .success(let places) = group else { return group }
      for place in places {
        let other = all.first { $0.offset == place.offset && $0.use != place.use }
        if let other { return .failure(.givenTwice(place, other: other.use)) }
      }
      return group
    }
  }
}
