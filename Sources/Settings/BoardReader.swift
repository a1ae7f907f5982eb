import Controls
import Ticks

/// The sections that a board file can have; `NAME` stands for words of the file's own.
private enum BoardSection: String, CaseIterable {
  case board, lines, outputs
  case input = "input NAME"
  case crown, button
  case crownPanel = "crown panel"
  case remotePanel = "remote panel"

  static let names = allCases.map(\.rawValue)

  init?(named name: String) {
    let section = BoardSection.allCases.first { section in
      let isOpen = section.rawValue.hasSuffix(" NAME")
      return isOpen ? name.hasPrefix(section.rawValue.dropLast(4)) : name == section.rawValue
    }
    guard let section else { return nil }
    self = section
  }
}

/// Reads the sections of a board file, then brings together what they say.
struct BoardReader {
  /// The sections that a board file can have, as messages name them.
  static let sectionNames = BoardSection.names

  private(set) var problems: SettingsProblems
  private let start: Place
  private let isWellFormed: Bool
  private var name: String?
  private var chipEntry: INIEntry?
  private var chip: ChipSelector?
  private var lines = LineDefaults()
  private var wires: [Wire] = []
  private var ampSettling: (span: Span, place: Place)?
  private var devices: [InputDeviceEntry] = []
  private var hasDevices = false
  private var settings: [Board.Setting] = []
  private var panels = Panels()
  private var crownPanelPlace: Place?
  private var remotePanelPlace: Place?

  init(_ bytes: [UInt8], file: String) {
    let reader = INIReader(bytes, file: file)
    problems = reader.problems
    isWellFormed = problems.isEmpty
    start = Place(file: file, line: 1, column: 1)
    for section in reader.sections { read(section) }
  }

  private mutating func read(_ section: INISection) {
    switch BoardSection(named: section.name) {
    case nil:
      problems.add(BoardReader.unknownSection(section))
    case .input:
      hasDevices = true
      let (device, errors) = InputDeviceEntry.read(section)
      for error in errors { problems.add(error) }
      if let device { devices.append(device) }
    case let kind?:
      if kind == .crownPanel { crownPanelPlace = section.place }
      if kind == .remotePanel { remotePanelPlace = section.place }
      for entry in section.entries {
        do { try read(entry, of: kind) } catch { problems.add(error) }
      }
    }
  }

  private static func unknownSection(_ section: INISection) -> SettingsError {
    let name = section.name
    let bare = BoardSection.names.first { $0 == name + " NAME" }
    let expected = bare.map { "[\($0)]" } ?? "one of \(listed(BoardSection.names))"
    let nearest = bare == nil ? nearest(to: name, among: BoardSection.names) : nil
    return SettingsError(
      .unknownSection(found: name, expected: expected, nearest: nearest), at: section.place)
  }

  /// The board, once every section has been read.
  mutating func board() throws(SettingsProblems) -> Board {
    checkBoard()
    checkContacts()
    checkAmplifier()
    let plan = WiringPlan(wires, defaults: lines, chip: chip)
    for error in plan.errors { problems.add(error) }
    checkDevices()
    checkPanels()
    guard problems.isEmpty else { throw problems }
    panels.hasRemote = hasRemote
    return Board(
      name: name ?? "", wiring: plan.wiring,
      inputDevices: devices.map(\.wiring), ampSettling: ampSettling?.span,
      warnings: plan.warnings, settings: settings, soundLines: plan.soundLines,
      panels: panels)
  }

  /// What [board] must say. A file of another form is not blamed for that too.
  private mutating func checkBoard() {
    guard isWellFormed else { return }
    if name == nil { problems.add(.missingKey(expected: "name in [board]"), at: start) }
    if chipEntry == nil, !wires.isEmpty || !hasDevices {
      problems.add(.missingKey(expected: "chip in [board]"), at: start)
    }
  }

  /// A crown with one contact never turns.
  private mutating func checkContacts() {
    let contacts = wires.filter { $0.user == .input(.a) || $0.user == .input(.b) }
    // A contact whose line is wrong has been named already.
    guard problems.isEmpty, contacts.count == 1, let wire = contacts.first else { return }
    let other: Line = wire.user == .input(.a) ? .b : .a
    problems.add(
      .value(found: wire.userName, expected: "\(other.name) beside it", nearest: nil),
      at: wire.entry.keyPlace)
  }

  private mutating func checkAmplifier() {
    let hasAmplifier = wires.contains { $0.user == .output(.amp) }
    guard let ampSettling, !hasAmplifier else { return }
    problems.add(
      .value(found: "amp-settling", expected: "amp in [outputs] beside it", nearest: nil),
      at: ampSettling.place)
  }

  /// A panel by which no sit can be begun, or none ended, is no panel. One with a wrong cell has
  /// been named already.
  private mutating func checkPanels() {
    guard problems.isEmpty else { return }
    if let flaw = panels.crown.flaw() {
      problems.add(Panels.fault("[crown panel]", flaw), at: crownPanelPlace)
    }
    if let flaw = panels.remote.flaw {
      problems.add(Panels.fault("[remote panel]", flaw), at: remotePanelPlace)
    }
  }

  /// Whether a key of the remote is wired to anything.
  private var hasRemote: Bool {
    let keys = Button.allCases.filter { $0 != .crown }.map(\.line)
    let hasLine = wires.contains { wire in keys.contains { wire.user == .input($0) } }
    return hasLine
      || devices.contains { device in keys.contains { device.wiring.keys.values.contains($0) } }
  }

  private mutating func checkDevices() {
    for (index, device) in devices.enumerated() {
      let name = device.wiring.name
      guard let other = devices[..<index].first(where: { $0.wiring.name == name }) else { continue }
      problems.add(
        .value(
          found: name, expected: "another device, for [\(other.section)] has this one",
          nearest: nil),
        at: device.place)
    }
  }
}

// What each entry says.
extension BoardReader {
  private mutating func read(_ entry: INIEntry, of section: BoardSection) throws(SettingsError) {
    switch section {
    case .board: try readBoard(entry)
    case .lines: try readLine(entry)
    case .outputs: try readOutput(entry)
    case .crown, .button:
      let name = section.rawValue
      let keys = ConfigurationKey.all.filter { $0.isOfBoard && $0.section == name }
      try readSetting(entry, Configuration.key(entry, among: keys, section: name))
    case .crownPanel: try panels.readCrown(entry)
    case .remotePanel: try panels.readRemote(entry)
    case .input: preconditionFailure("an input device is read whole")
    }
  }

  private mutating func readBoard(_ entry: INIEntry) throws(SettingsError) {
    switch entry.key {
    case "name":
      name = entry.value
      _ = try SettingKind.name.read(entry.value, at: entry.valuePlace)
    case "chip":
      chipEntry = entry
      chip = try ChipSelector(entry)
    case "sound":
      try readSetting(entry, Configuration.row("sound.device"))
    default:
      throw SettingsError.unknownKey(entry, among: ["name", "chip", "sound"])
    }
  }

  private mutating func readLine(_ entry: INIEntry) throws(SettingsError) {
    if LineDefaults.keys.contains(entry.key) {
      try lines.read(entry)
    } else if let line = Line.allCases.first(where: { $0.name.description == entry.key }) {
      wires.append(try Wire(entry, .input(line)))
    } else {
      throw SettingsError.unknownKey(
        entry, among: Line.allCases.map(\.name.description) + LineDefaults.keys)
    }
  }

  private mutating func readOutput(_ entry: INIEntry) throws(SettingsError) {
    if let role = OutputRole(rawValue: entry.key) {
      wires.append(try Wire(entry, .output(role)))
    } else if entry.key == "amp-settling" {
      // An amplifier that takes longer would miss the bell.
      let kind = SettingKind.length(.zero ... .seconds(10))
      let value = try kind.read(entry.value, at: entry.valuePlace)
      if case .length(let span) = value { ampSettling = (span, entry.keyPlace) }
    } else {
      throw SettingsError.unknownKey(
        entry, among: OutputRole.allCases.map(\.rawValue) + ["amp-settling"])
    }
  }

  private mutating func readSetting(
    _ entry: INIEntry, _ row: ConfigurationKey
  ) throws(SettingsError) {
    let value = try row.read(entry.value, at: entry.valuePlace)
    settings.append(
      Board.Setting(key: row, text: entry.value, value: value, place: entry.keyPlace))
  }
}

extension SettingsError {
  fileprivate static func unknownKey(_ entry: INIEntry, among names: [String]) -> SettingsError {
    SettingsError(
      .unknownKey(
        found: entry.key, expected: listed(names), nearest: nearest(to: entry.key, among: names)),
      at: entry.keyPlace)
  }
}
