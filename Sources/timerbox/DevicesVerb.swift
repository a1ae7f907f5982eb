import Controls
import GPIOInput
import InputDevices
import LinuxIO
import Sessions
import Settings

extension Verb {
  static let devices = Verb(
    "devices", "[--board NAME|FILE|auto]",
    "list chips, lines, input devices and sound cards, and what each is used for",
    details: """
      Without --board the uses are those of this machine's own board, where it has one. Nothing is
      taken: a line or a sound card that another program has is named with its holder.
      """
  ) { options throws(VerbError) in
    let board = try DevicesVerb.board(options)
    let survey = GPIOSurvey(of: board?.wiring)
    let devices = try DevicesVerb.inputDevices(board?.inputDevices ?? [])
    let warnings = board.map { Places.warnings(of: $0) } ?? []
    if options.has("--json") {
      Output.write(DevicesVerb.json(board, survey, devices, SoundCardEntry.all()))
    } else {
      Output.write(DevicesVerb.text(board, survey, devices, SoundCardEntry.all()))
    }
    for fault in survey.faults { Output.complain("timerbox: \(fault)") }
    for warning in warnings { Output.complain("timerbox: \(warning)") }
    return .done
  }
}

enum DevicesVerb {
  /// The board whose uses are told: the named one, else this machine's own, else none.
  static func board(_ options: Options) throws(VerbError) -> Board? {
    if options.value("--board") != nil { return try Places.board(options) }
    return try? Places.board(named: "auto")
  }

  static func inputDevices(
    _ wirings: [InputDeviceWiring]
  ) throws(VerbError) -> [InputDeviceListing] {
    do throws(InputDeviceError) { return try InputDeviceListing.all(wirings) } catch {
      throw VerbError(status: .configuration, message: error.description)
    }
  }

  static func text(
    _ board: Board?, _ survey: GPIOSurvey, _ devices: [InputDeviceListing],
    _ cards: [SoundCardEntry]
  ) -> String {
    var text = "board: \(board?.name ?? "none that is known")\n"
    if survey.entries.isEmpty { text += "no GPIO chip\n" }
    for entry in survey.entries {
      let chip = entry.chip
      text += "\n\(chip.name) [\(chip.label)] \(chip.path), \(chip.lineCount) lines\n"
      for (line, use) in entry.lines { text += row(line, use) }
    }
    if !devices.isEmpty { text += "\ninput devices\n" }
    for device in devices {
      let name = device.name.map { "\"\($0)\"" } ?? "without a name"
      text += "  \(device.node) \(name)\(plays(device).map { ", plays \($0)" } ?? "")\n"
      if let fault = device.fault { text += "    \(fault)\n" }
    }
    return text + (cards.isEmpty ? "\nno sound card\n" : "\nsound cards\n")
      + cards.map(\.text).joined()
  }

  private static func row(_ line: GPIOLine, _ use: LineUse?) -> String {
    let name = line.name.isEmpty ? "-" : line.name
    var text = "  \("\(line.offset)".padded(to: 4)) \(name.padded(to: 16)) "
    text += (use?.text ?? "").padded(to: 22)
    text += line.isOutput ? " output" : " input "
    if line.isUsed {
      text += line.consumer.isEmpty ? " in use" : " in use by \"\(line.consumer)\""
    }
    while text.hasSuffix(" ") { text.removeLast() }
    return text + "\n"
  }

  /// What a device plays, in words; nil if nothing.
  private static func plays(_ device: InputDeviceListing) -> String? {
    var parts = (device.lines?.lines ?? []).map { "\($0.name)" }
    if device.turnsCrown { parts.append("the crown's turns") }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  static func json(
    _ board: Board?, _ survey: GPIOSurvey, _ devices: [InputDeviceListing],
    _ cards: [SoundCardEntry]
  ) -> String {
    let chips = survey.entries.map { entry in
      JSONValue.object(of: [
        JSONMember("name", .string(entry.chip.name)),
        JSONMember("label", .string(entry.chip.label)),
        JSONMember("path", .string(entry.chip.path)),
        JSONMember("lines", .array(entry.lines.map { json($0.line, $0.use) })),
      ])
    }
    let inputs = devices.map { device in
      JSONValue.object(of: [
        JSONMember("node", .string(device.node)),
        JSONMember("name", device.name.map { .string($0) } ?? .null),
        JSONMember("plays", plays(device).map { .string($0) } ?? .null),
        JSONMember("fault", device.fault.map { .string($0.description) } ?? .null),
      ])
    }
    let value = JSONValue.object(of: [
      JSONMember("board", board.map { .string($0.name) } ?? .null),
      JSONMember("chips", .array(chips)),
      JSONMember("inputDevices", .array(inputs)),
      JSONMember("soundCards", .array(cards.map(\.json))),
    ])
    return String(decoding: value.encoded(), as: UTF8.self) + "\n"
  }

  private static func json(_ line: GPIOLine, _ use: LineUse?) -> JSONValue {
    .object(of: [
      JSONMember("offset", .integer(Int64(line.offset))),
      JSONMember("name", line.name.isEmpty ? .null : .string(line.name)),
      JSONMember("consumer", line.consumer.isEmpty ? .null : .string(line.consumer)),
      JSONMember("used", .bool(line.isUsed)),
      JSONMember("output", .bool(line.isOutput)),
      JSONMember("use", use.map { .string($0.text) } ?? .null),
    ])
  }
}
