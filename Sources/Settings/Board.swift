import Controls
import Ticks

// A board file has the form of a configuration file (INIReader.swift) and these sections:
//
//     [board]
//     name = kitchen             # letters, digits, - and _
//     chip = auto                # auto, simulated, a label (pinctrl-rp1), a name (gpiochip0) or a
//                                # path (/dev/gpiochip0); only a board without lines needs none
//     sound = hw:CARD=DAC        # what sound.device is, unless the configuration says otherwise
//
//     [lines]                    # what the box reads
//     bias = pull-up             # pull-up (so if not given), pull-down, no-pull or as-is
//     active = low               # low or high; what an open switch is not, if not given
//     crown-a = GPIO17           # a line's name, or its offset: 17
//     up = 5 pull-down           # a line may have a bias and an active level of its own
//     back = "7J1 Header Pin12"  # a name with spaces, or of digits alone
//
//     [outputs]                  # what the box drives: led, quiet, amp, buzzer
//     amp = GPIO25 active-low    # active-high if not given
//     amp-settling = 100ms       # how long the amplifier takes until it sounds
//
//     [input remote]             # a Linux input device, as many as wanted
//     device = vc4-hdmi*         # its name; * stands for any characters
//     KEY_OK = select            # a key = a button; without any key, the usual ones of a remote
//     turn = REL_DIAL            # the axis that turns the crown, one unit a detent
//
//     [crown], [button]          # the keys of the configuration that describe the board
//
//     [crown panel]              # what gestures of the crown mean, where not the usual
//     running.double = none      # PHASE.GESTURE = COMMAND; the tables are in ARCHITECTURE.md
//
//     [remote panel]             # and what keys of the remote mean
//     idle.play = start
//
// Invariants:
// - No part, no role and no line is given twice; GPIO17 and 17 are one line.
// - A part is at rest when nothing is pressed: bias and active level never contradict each other.
// - A crown has both its contacts.
// - By each panel a sit can be begun and ended.

/// What a board has and how it is wired.
public struct Board: Equatable, Sendable {
  /// A value that a board file gives to a configuration key.
  struct Setting: Equatable, Sendable {
    var key: ConfigurationKey
    var text: String
    var value: SettingValue
    var place: Place
  }

  /// Its name.
  public let name: String
  /// Its lines.
  public let wiring: Wiring
  /// The Linux input devices that play parts of the panel, in the order of the file.
  public let inputDevices: [InputDeviceWiring]
  /// How long the amplifier takes from its enable until it sounds; nil where the file does not say.
  public let ampSettling: Span?
  /// What is odd about the file, though it can be followed.
  public let warnings: [SettingsWarning]
  let settings: [Setting]
  /// The lines that a sound card of the I2S kind needs for itself.
  let soundLines: [Wire]
  /// What the gestures of its panels mean.
  let panels: Panels

  /// The ALSA device that the board names for its sound; `Configuration(board:)` takes it over.
  public var soundDevice: String? {
    settings.first { $0.key.dottedName == "sound.device" }?.text
  }

  /// The board that needs no hardware: the crown and all seven buttons, idle at level 1. Its chip
  /// names the lines by the letters of scenarios.
  public static let simulated = Board(
    name: "simulated",
    wiring: Wiring(
      chip: .simulated,
      inputs: Line.allCases.map {
        InputWiring(line: $0, selector: .name(SimulatedChip.name(of: $0)))
      }))

  init(
    name: String, wiring: Wiring, inputDevices: [InputDeviceWiring] = [],
    ampSettling: Span? = nil, warnings: [SettingsWarning] = [], settings: [Setting] = [],
    soundLines: [Wire] = [], panels: Panels = Panels()
  ) {
    self.name = name
    self.wiring = wiring
    self.inputDevices = inputDevices
    self.ampSettling = ampSettling
    self.warnings = warnings
    self.settings = settings
    self.soundLines = soundLines
    self.panels = panels
  }

  /// Reads a board file.
  /// - Parameters:
  ///   - bytes: the file's bytes.
  ///   - file: its name for messages.
  public init(_ bytes: [UInt8], file: String) throws(SettingsProblems) {
    var reader = BoardReader(bytes, file: file)
    self = try reader.board()
    try Configuration(board: self).check()
  }
}

/// The lines of the simulated chip: one a part by its letter, one a role by its name.
enum SimulatedChip {
  static func name(of line: Line) -> String { String(UnicodeScalar(line.letter)) }

  static func name(of role: OutputRole) -> String { role.rawValue.uppercased() }
}

extension Board {
  /// A warning for each line that a sound card needs which is there. On a Raspberry Pi the request
  /// of such a line succeeds, and the card falls silent.
  /// - Parameter card: the id of a card that gets its sound over I2S; nil where there is none.
  public func warnings(i2sCard card: String?) -> [SettingsWarning] {
    guard let card else { return [] }
    let range = "\(HeaderLine.sound.lowerBound) to \(HeaderLine.sound.upperBound)"
    return soundLines.map { wire in
      SettingsWarning(
        "\(wire.userName) has \(wire.text): the lines \(range) carry the sound of the card "
          + "\(card), which falls silent",
        at: wire.entry.valuePlace)
    }
  }
}
