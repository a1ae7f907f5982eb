import Controls

/// What the lines of a board file come to on their chip.
struct WiringPlan {
  private(set) var wiring: Wiring
  private(set) var errors: [SettingsError] = []
  private(set) var warnings: [SettingsWarning] = []
  /// The lines that a sound card of the I2S kind needs for itself.
  private(set) var soundLines: [Wire] = []
  private let defaults: LineDefaults

  /// - Parameters:
  ///   - wires: the lines in the order of the file.
  ///   - defaults: what holds for all lines that are read.
  ///   - chip: their chip; nil where the file does not name it rightly, and then nothing is checked
  ///     against it.
  init(_ wires: [Wire], defaults: LineDefaults, chip: ChipSelector?) {
    self.defaults = defaults
    wiring = Wiring(chip: chip ?? .automatic, inputs: [])
    if let error = defaults.error { errors.append(error) }
    for (index, wire) in wires.enumerated() {
      take(wire)
      let expected =
        chip?.whatExpects(wire, bias: wire.bias ?? defaults.bias)
        ?? wires[..<index].first { $0.selector.isSameLine(as: wire.selector) }.map {
          "another line, for \($0.userName) has this one"
        }
      if let expected { refuse(wire, wire.text, expected) }
      if chip != nil { warn(of: wire) }
    }
    wiring.inputs.sort { $0.line.rawValue < $1.line.rawValue }
  }

  private mutating func refuse(_ wire: Wire, _ found: String, _ expected: String) {
    errors.append(
      SettingsError(
        .value(found: found, expected: expected, nearest: nil), at: wire.entry.valuePlace))
  }

  private mutating func take(_ wire: Wire) {
    switch wire.user {
    case .output(let role):
      wiring.outputs.append(
        OutputWiring(
          role: role, selector: wire.selector, isActiveLow: wire.isActiveLow ?? false))
    case .input(let line):
      let (bias, isActiveLow) = wire.polarity(defaults)
      let isOwn = wire.bias != nil || wire.isActiveLow != nil
      // What is wrong with the defaults is said once, and there.
      if isActiveLow == nil, isOwn || defaults.error == nil {
        refuse(wire, wire.entry.value, bias.activeExpected)
      }
      wiring.inputs.append(
        InputWiring(
          line: line, selector: wire.selector, bias: bias, isActiveLow: isActiveLow ?? true))
    }
  }

  private mutating func warn(of wire: Wire) {
    guard let offset = wiring.chip.headerOffset(of: wire.selector) else { return }
    if HeaderLine.sound.contains(offset) { soundLines.append(wire) }
    let isPulledDown = (wire.bias ?? defaults.bias) == .pullDown
    guard let reason = HeaderLine.caution(offset, isPulledDown: isPulledDown) else { return }
    warnings.append(
      SettingsWarning("\(wire.userName) has \(wire.text): \(reason)", at: wire.entry.valuePlace))
  }
}

extension ChipSelector {
  /// Reads the value of `chip`. What is no other form is a label, so a misspelt word is refused
  /// here and not only when no chip has it.
  init(_ entry: INIEntry) throws(SettingsError) {
    let text = entry.value
    switch text {
    case "auto": self = .automatic
    case "simulated": self = .simulated
    case _ where text.hasPrefix("/"): self = .path(text)
    case _ where text.hasPrefix("gpiochip"):
      guard UInt16(text.dropFirst(8)) != nil else {
        throw SettingsError(
          .value(found: text, expected: "a chip's name such as gpiochip0", nearest: nil),
          at: entry.valuePlace)
      }
      self = .name(text)
    default:
      let nearest = nearest(to: text, among: ["auto", "simulated"])
      // The kernel keeps 31 bytes of a label.
      guard nearest == nil, (1...31).contains(text.utf8.count) else {
        let expected = "auto, simulated, or a chip's label, name or path"
        throw SettingsError(
          .value(found: text, expected: expected, nearest: nearest), at: entry.valuePlace)
      }
      self = .label(text)
    }
  }

  /// What was expected in place of a line; nil if the chip can have it.
  fileprivate func whatExpects(_ wire: Wire, bias: Bias) -> String? {
    switch self {
    case .simulated: return whatSimulatedExpects(wire, bias: bias)
    case .label(let label):
      guard case .offset(let offset) = wire.selector,
        let count = HeaderLine.lineCounts.first(where: { $0.label == label })?.count
      else { return nil }
      return offset < count ? nil : "an offset from 0 to \(count - 1) on \(label)"
    case .automatic, .name, .path: return nil
    }
  }

  private func whatSimulatedExpects(_ wire: Wire, bias: Bias) -> String? {
    let isInput = if case .input = wire.user { true } else { false }
    let names =
      isInput
      ? Line.allCases.map { SimulatedChip.name(of: $0) }
      : OutputRole.allCases.map { SimulatedChip.name(of: $0) }
    guard case .name(let name) = wire.selector, names.contains(name) else {
      return "a line of the simulated chip: \(listed(names))"
    }
    return !isInput || bias == .pullUp ? nil : "pull-up, as all lines of the simulated chip have"
  }

  /// The number that a line has on a Raspberry Pi's header; nil where it is none, as far as the
  /// file tells.
  func headerOffset(of selector: LineSelector) -> UInt32? {
    switch (self, selector) {
    case (.simulated, _): return nil
    case (_, .name): return selector.headerOffset
    case (.automatic, .offset(let offset)): return offset
    case (.label(let label), .offset(let offset)):
      return ChipSelector.headerLabels.contains(label) ? offset : nil
    case (.name, .offset), (.path, .offset): return nil
    }
  }
}
