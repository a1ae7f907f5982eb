import CGPIO
import Controls
import LinuxIO
import Settings

/// A GPIO chip that could be opened.
public struct GPIOChip: Equatable, Sendable {
  /// Where it was opened.
  public let path: String
  /// The kernel's name of it, such as `gpiochip0`.
  public let name: String
  /// What kind of chip it is, such as `pinctrl-rp1`.
  public let label: String
  /// How many lines it has.
  public let lineCount: UInt32
}

/// A line of a chip as the kernel knows it.
public struct GPIOLine: Equatable, Sendable {
  /// Its place on the chip.
  public let offset: UInt32
  /// Its name in the device tree; empty where it has none.
  public let name: String
  /// Who has taken it; empty where nobody has, or it gave no name.
  public let consumer: String
  /// Whether somebody has taken it.
  public let isUsed: Bool
  /// Whether it is driven by this machine.
  public let isOutput: Bool
}

/// What a line of a board is for.
public enum LineUse: Hashable, Sendable {
  /// A part of a panel.
  case input(Line)
  /// Something that the box drives.
  case output(OutputRole)

  /// In words, as `the crown's switch`.
  public var text: String {
    switch self {
    case .input(.a): "the crown's contact A"
    case .input(.b): "the crown's contact B"
    case .input(.s): "the crown's switch"
    case .input(.up): "the key up"
    case .input(.down): "the key down"
    case .input(.left): "the key left"
    case .input(.right): "the key right"
    case .input(.select): "the key select"
    case .input(.back): "the key back"
    case .input(.play): "the key play"
    case .output(let role): "the output \(role.rawValue)"
    }
  }
}

/// Every chip of this machine, as `timerbox devices` lists it.
public struct GPIOSurvey: Sendable {
  /// One chip and its lines in their order.
  public struct Entry: Sendable {
    /// The chip.
    public let chip: GPIOChip
    /// Its lines, and what the wiring uses each for.
    public let lines: [(line: GPIOLine, use: LineUse?)]
  }

  /// The chips that could be opened, `gpiochip2` before `gpiochip10`.
  public private(set) var entries: [Entry] = []
  /// Why other chips could not be opened, and what is wrong with the wiring.
  public private(set) var faults: [GPIOError] = []

  /// Looks at every chip. Nothing is taken.
  /// - Parameters:
  ///   - wiring: whose uses are told; nil tells none.
  ///   - folder: where the devices are.
  public init(of wiring: Wiring?, folder: String = "/dev") {
    do throws(GPIOError) {
      try GPIOLibrary.requireRightGeneration()
    } catch {
      faults = [error]
      return
    }
    var (chosen, uses) = ("", [(offset: UInt32, use: LineUse)]())
    if let wiring, wiring.needsChip {
      do throws(GPIOError) {
        let chip = try ChipSearch(wiring, folder: folder).find()
        let layout = Layout(wiring, on: chip)
        (chosen, uses) = (chip.path, layout.offsets)
        faults = layout.faults
      } catch {
        faults = [error]
      }
    }
    for path in ChipSearch.paths(in: folder) {
      do throws(SystemError) {
        let chip = try Chip(path: path)
        let used = path == chosen ? uses : []
        entries.append(try Self.entry(chip, used))
      } catch {
        let fault = GPIOError(opening: path, error)
        if !faults.contains(fault) { faults.append(fault) }
      }
    }
  }

  private static func entry(
    _ chip: borrowing Chip, _ uses: [(offset: UInt32, use: LineUse)]
  ) throws(SystemError) -> Entry {
    var lines: [(line: GPIOLine, use: LineUse?)] = []
    for offset in 0..<chip.lineCount {
      let use = uses.first { $0.offset == offset }?.use
      lines.append((try chip.line(offset), use))
    }
    return Entry(chip: chip.identity, lines: lines)
  }
}
