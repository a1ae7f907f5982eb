import Controls
import Settings
import Testing

// Every file of board/ is read, and is held to the tables of board/README.md and, over a third
// source, to the pins of the headers.

/// The header of a Raspberry Pi: pin → line; the others are power or ground.
private let raspberryPi: [Int: String] = [
  3: "2", 5: "3", 7: "4", 8: "14", 10: "15", 11: "17", 12: "18", 13: "27", 15: "22", 16: "23",
  18: "24", 19: "10", 21: "9", 22: "25", 23: "11", 24: "8", 26: "7", 27: "0", 28: "1", 29: "5",
  31: "6", 32: "12", 33: "13", 35: "19", 36: "16", 37: "26", 38: "20", 40: "21",
].mapValues { "GPIO" + $0 }
private let supply: [Int: String] = [1: "3V3", 17: "3V3", 2: "5V", 4: "5V"]
private let grounds = [6, 9, 14, 20, 25, 30, 34, 39]

/// The headers of the other boards, as far as the files use them.
private let otherHeaders: [String: [Int: String]] = [
  "orange-pi-pc": [
    7: "6", 11: "1", 13: "0", 15: "3", 22: "2", 29: "7", 31: "8", 32: "200", 33: "9", 35: "10",
    36: "201",
  ],
  "orange-pi-3": [12: "114", 19: "229", 21: "230", 23: "228", 24: "227"],
  "radxa-zero": [
    13: "PIN_13", 16: "PIN_16", 18: "PIN_18", 19: "PIN_19", 21: "PIN_21", 24: "PIN_24",
  ],
  "radxa-rock-4c-plus": [11: "18", 13: "22", 15: "21", 16: "26", 18: "28", 22: "29", 37: "30"],
]

private func text(_ selector: LineSelector) -> String {
  switch selector {
  case .name(let name): name
  case .offset(let offset): "\(offset)"
  }
}

/// Every line of a board: what uses it and its name or offset.
private func uses(_ board: Board) -> [(user: String, line: String)] {
  board.wiring.inputs.map { ($0.line.name.description, text($0.selector)) }
    + board.wiring.outputs.map { ($0.role.rawValue, text($0.selector)) }
}

/// A board file with the lines that stand in it as comments, `#led = GPIO26`.
private func withComments(_ name: String) throws -> Board {
  let lines = try projectText("board/\(name).ini").split(
    separator: "\n", omittingEmptySubsequences: false)
  let text = lines.map { line in
    let isComment = line.hasPrefix("#") && !line.hasPrefix("# ")
    return isComment ? line.dropFirst() : line
  }
  return try Board(Array(text.joined(separator: "\n").utf8), file: "\(name).ini")
}

/// The part of board/README.md under a heading that names a board's file.
private func section(of name: String) throws -> Substring {
  let parts = try projectText("board/README.md").split(separator: "\n## ")
  return try #require(parts.dropFirst().first { $0.contains("`\(name).ini`") })
}

@Test func boardFiles_all_areInOrderAndNamedAsTheirFile() throws {
  let names = try shippedBoards()
  #expect(names.count == 10)
  for name in names {
    let board = try Board(projectFile("board/\(name).ini"), file: "\(name).ini")
    #expect(board.name == name)
    #expect(board.warnings == [], "\(name)")
    #expect(board.warnings(i2sCard: "sndrpihifiberry") == [], "\(name)")
    #expect(try withComments(name).warnings(i2sCard: "sndrpihifiberry") == [], "\(name)")
    #expect(try section(of: name).isEmpty == false)
  }
}

@Test func boardFiles_raspberryPi_differInNameAndChipOnly() throws {
  let chips = [
    "3": "pinctrl-bcm2835", "zero-2": "pinctrl-bcm2835", "4": "pinctrl-bcm2711", "5": "pinctrl-rp1",
  ]
  let four = try withComments("raspberry-pi-4")
  for (model, chip) in chips {
    let board = try withComments("raspberry-pi-\(model)")
    #expect(board.wiring.chip == .label(chip))
    #expect(board.wiring.inputs == four.wiring.inputs)
    #expect(board.wiring.outputs == four.wiring.outputs)
    #expect(board.wiring.inputs.map(\.line) == Line.allCases)
  }
}

@Test func boardFiles_tv_hasRemotesAndNoLine() throws {
  let board = try Board(projectFile("board/tv.ini"), file: "tv.ini")
  #expect(board.wiring.inputs.isEmpty && board.wiring.outputs.isEmpty)
  #expect(board.inputDevices.map(\.name) == ["vc4-hdmi*", "gpio_ir_recv", "*flirc*"])
}

@Test func readme_tables_giveEachLineOfEachFileItsPin() throws {
  for name in try shippedBoards() where name != "simulated" {
    let board = try withComments(name)
    let header = otherHeaders[name] ?? raspberryPi
    let rows = try section(of: name).split(separator: "\n").filter { $0.hasPrefix("| `") }
      .map { $0.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") } }
    #expect(rows.count == uses(board).count, "\(name)")
    for (user, line) in uses(board) {
      let row = try #require(rows.first { $0[0] == "`\(user)`" }, "\(name): \(user)")
      let pin = try #require(row.last.flatMap { Int($0) }, "\(name): \(user)")
      #expect(row[1].hasPrefix("`\(line)`"), "\(name): \(user)")
      #expect(header[pin] == line, "\(name): \(user)")
      #expect(!grounds.contains(pin) && supply[pin] == nil)
    }
  }
}

@Test func readme_drawingOfTheHeader_hasEveryPinAndItsLine() throws {
  let rows = try section(of: "raspberry-pi-4").split(separator: "\n").compactMap { row in
    let sides = row.split(separator: "|", omittingEmptySubsequences: false)
    return sides.count == 2 ? sides.map { $0.split(separator: " ").map { String($0) } } : nil
  }
  #expect(rows.count == 20)
  let uses = try uses(withComments("raspberry-pi-4"))
  for (index, row) in rows.enumerated() {
    let (left, right) = (row[0], row[1])
    #expect(left.last == "\(2 * index + 1)" && right.first == "\(2 * index + 2)")
    for (pin, name, words) in [
      (2 * index + 1, left.dropLast().last, left), (2 * index + 2, right.dropFirst().first, right),
    ] {
      let expected = raspberryPi[pin] ?? supply[pin] ?? (grounds.contains(pin) ? "GND" : "")
      #expect(name == expected, "pin \(pin)")
      if let use = uses.first(where: { $0.line == name }) {
        #expect(words.contains(use.user), "pin \(pin)")
      }
    }
  }
}

@Test func readme_drawingOfTheCrown_hasTheLinesAndPinsOfTheFile() throws {
  let rows = try projectText("board/README.md").split(separator: "\n").filter {
    $0.contains("---  pin")
  }
  #expect(rows.count == 10)
  for row in rows {
    let words = row.split(separator: " ").map { String($0) }
    let place = try #require(words.firstIndex(of: "pin"))
    let pin = try #require(Int(words[place + 1]))
    let expected = raspberryPi[pin] ?? supply[pin] ?? (grounds.contains(pin) ? "GND" : "")
    #expect(words[place + 2] == expected)
  }
}

@Test func readme_examples_areBoards() throws {
  let blocks = try projectText("board/README.md").split(separator: "```").filter {
    $0.hasPrefix("ini\n")
  }
  #expect(blocks.count == 2)
  for block in blocks {
    let board = try Board(Array(block.dropFirst(4).utf8), file: "README.md")
    #expect(board.warnings == [])
    #expect(!board.wiring.inputs.isEmpty && !board.wiring.outputs.isEmpty)
    #expect(board.ampSettling == .milliseconds(100))
  }
}

@Test func readme_tableOfFiles_isWhole() throws {
  let text = try projectText("board/README.md")
  for name in try shippedBoards() { #expect(text.contains("| `\(name).ini` |")) }
}
