import Sessions
import Settings
import Testing
import Ticks
import Zones

@testable import Simulation

/// What boxes write into the folder that they share.
@Suite struct SharedCopyTests {
  /// A day of a box: a sit every hour, paused and resumed, and between them what a device knows and
  /// chooses for itself.
  private let day: String = {
    let hours = (0..<24).map { hour in
      """
      at \(hour)h1m start 20m
      at \(hour)h5m pause
      at \(hour)h7m resume
      at \(hour)h8m set volume \(30 + hour)
      at \(hour)h9m set volume.end \(40 + hour)
      at \(hour)h10m set volume.cue 77
      at \(hour)h40m turn 3
      at \(hour)h41m press right for 100ms
      at \(hour)h42m audio gone
      at \(hour)h43m audio back
      at \(hour)h44m wall +\(hour + 1)s
      at \(hour)h45m unset volume.end
      at \(hour)h46m unset volume.cue
      """
    }
    return """
      box kitchen
      box hall
      set sit.preparation 0
      set sit.length 23m
      at 0 kv set programme.dawn {"name": "Dawn"}
      \(hours.joined(separator: "\n"))
      end 25h
      """
  }()

  /// The shared folder at the end of a scenario whose statements are in order.
  private func folder(_ text: String) throws -> [String: String] {
    let scenario = try Scenarios.parse(text)
    var house = SimulatedHouse(scenario, seed: 20, ticks: false) { _ in }
    for statement in scenario.statements {
      house.advance(to: statement.at ?? .zero)
      house.perform(statement.action, on: statement.box, at: statement.at ?? .zero)
    }
    house.advance(to: scenario.end)
    var folder: [String: String] = [:]
    for file in house.share.files(of: 0) {
      let bytes = house.share.read(file.path, of: 0) ?? []
      folder[file.path] = String(decoding: bytes, as: UTF8.self)
    }
    return folder
  }

  /// The names of the members of an object.
  private func names(_ payload: Substring) throws -> [String] {
    try JSONValue(parsing: Array(payload.utf8)).members?.map(\.name) ?? []
  }

  @Test func report20_sharedCopyAfterADay_hasSitsAndSharedKeysAlone() throws {
    let folder = try folder(day)
    #expect(folder.count == 2)
    // All that may stand in a line of each kind; what is new here has to be thought about.
    // A claim is withdrawn, and only that it was is left.
    let allowed: [Character: Set<String>] = [
      "c": ["c", "d", "t"], "h": ["d", "f", "m", "o"], "k": ["k", "f", "t", "v"], "x": ["i", "t"],
      "s": Set("@bcdeghijknopqruvw".map { String($0) }),
    ]
    for text in folder.values {
      let lines = text.split(separator: "\n").map { $0.dropFirst(9) }
      #expect(lines.count { $0.hasPrefix("s ") } == 48)
      #expect(lines.filter { $0.hasPrefix("k ") }.allSatisfy { $0.contains("programme.dawn") })
      for line in lines where !line.hasPrefix("z ") {
        let known = try #require(line.first.flatMap { allowed[$0] }, "\(line)")
        let names = try names(line.dropFirst(2))
        #expect(names.allSatisfy(known.contains), "\(line)")
      }
      // `programme.dawn` is shared; which programme is chosen here is not.
      let own =
        LocalChoice.all.map { "\"\($0.name)\"" } + [
          "volume", "sound", "bright", "crown", "lines", "settings", "ballast", "lock", "hardware",
          "output",
        ]
      for word in own { #expect(!text.contains(word), "\(word)") }
    }
  }
}
