import Controls
import Ticks

/// Which GPIO chip a board's lines belong to.
public enum ChipSelector: Equatable, Sendable {
  /// No chip: the simulated board.
  case simulated
  /// The header's chip, whichever of the labels in `headerLabels` is there, or the one chip that
  /// has all named lines.
  case automatic
  /// The chip with this label, as `pinctrl-rp1`. Numbers of chips change with the kernel, labels
  /// do not.
  case label(String)
  /// The chip with this name, as `gpiochip0`.
  case name(String)
  /// The chip at this path, as `/dev/gpiochip0`.
  case path(String)

  /// The labels that the chip of a Raspberry Pi's header has, newest model first.
  public static let headerLabels = ["pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835"]
}

/// How a line is found on its chip.
public enum LineSelector: Equatable, Sendable {
  /// By its name in the device tree. On a header chip `GPIO17` is also the line 17 where no line
  /// has that name.
  case name(String)
  /// By its place on the chip, from 0.
  case offset(UInt32)
}

/// What holds an open line at its level.
public enum Bias: String, CaseIterable, Sendable {
  /// The chip pulls it up.
  case pullUp = "pull-up"
  /// The chip pulls it down.
  case pullDown = "pull-down"
  /// The chip pulls nothing: a resistor outside does.
  case disabled = "no-pull"
  /// Whatever the chip was left at.
  case asIs = "as-is"
}

/// How one part of a panel is wired.
public struct InputWiring: Equatable, Sendable {
  /// The part.
  public var line: Line
  /// Its line on the chip.
  public var selector: LineSelector
  /// What holds it at rest.
  public var bias: Bias
  /// Whether pressed or closed is the lower voltage, as with a switch to ground.
  public var isActiveLow: Bool

  /// Makes the wiring of one part.
  public init(line: Line, selector: LineSelector, bias: Bias = .pullUp, isActiveLow: Bool = true) {
    self.line = line
    self.selector = selector
    self.bias = bias
    self.isActiveLow = isActiveLow
  }
}

/// What a line that the box drives is for.
public enum OutputRole: String, CaseIterable, Sendable {
  /// The status lamp.
  case led
  /// A lamp at the door, lit while somebody sits.
  case quiet
  /// An amplifier's enable.
  case amp
  /// A sounder that is on while the line is.
  case buzzer
}

/// How one driven line is wired.
public struct OutputWiring: Equatable, Sendable {
  /// What it is for.
  public var role: OutputRole
  /// Its line on the chip.
  public var selector: LineSelector
  /// Whether on is the lower voltage.
  public var isActiveLow: Bool

  /// Makes the wiring of one driven line.
  public init(role: OutputRole, selector: LineSelector, isActiveLow: Bool = false) {
    self.role = role
    self.selector = selector
    self.isActiveLow = isActiveLow
  }
}

/// A Linux input device whose keys play parts of the panel: a remote through HDMI-CEC or infrared,
/// a keypad, the kernel's own driver of an encoder.
public struct InputDeviceWiring: Equatable, Sendable {
  /// The device's name as the kernel tells it; `*` stands for any characters.
  public var name: String
  /// Which part each key plays, by the kernel's name of the key (`KEY_UP`).
  public var keys: [String: Line]
  /// The relative axis that turns the crown (`REL_DIAL`), one unit a detent; nil if none does.
  public var axis: String?

  /// Makes the wiring of a device.
  public init(name: String, keys: [String: Line], axis: String?) {
    self.name = name
    self.keys = keys
    self.axis = axis
  }
}

/// All that a board's lines are wired to.
public struct Wiring: Equatable, Sendable {
  /// The chip of all lines.
  public var chip: ChipSelector
  /// The lines that are read, in the order of `Line`; no line and no part twice.
  public var inputs: [InputWiring]
  /// The lines that are driven; no line and no role twice.
  public var outputs: [OutputWiring]

  /// Whether a chip must be there: a board of input devices alone has no line.
  public var needsChip: Bool { chip != .simulated && !(inputs.isEmpty && outputs.isEmpty) }

  /// Makes a wiring.
  public init(chip: ChipSelector, inputs: [InputWiring], outputs: [OutputWiring] = []) {
    self.chip = chip
    self.inputs = inputs
    self.outputs = outputs
  }
}
