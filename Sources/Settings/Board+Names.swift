import Controls

extension Board {
  /// What each line is to the person who wired it, in the order of `Line`: `crown-switch (GPIO22,
  /// pull-up)`, or the part alone where it has no line.
  public var lineNames: [String] {
    Line.allCases.map { line in
      guard let wire = wiring.inputs.first(where: { $0.line == line }) else {
        return "\(line.name)"
      }
      return "\(line.name) (\(wire.selector.text), \(wire.bias.rawValue))"
    }
  }

  /// The parts that something on this board plays: a line of its chip, or a key of a device.
  public var lines: LineSet {
    let keys = inputDevices.flatMap { $0.keys.values }
    return LineSet((wiring.inputs.map(\.line) + keys).map { LineSet($0) })
  }

  /// Whether the box switches an amplifier.
  public var hasAmp: Bool { wiring.outputs.contains { $0.role == .amp } }
}

extension LineSelector {
  /// The selector as a board file writes it.
  public var text: String {
    switch self {
    case .name(let name): name
    case .offset(let offset): "line \(offset)"
    }
  }
}
