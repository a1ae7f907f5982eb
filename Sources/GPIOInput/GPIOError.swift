import CGPIO
import LinuxIO
import Settings

/// What keeps a line from being had, or makes it less than it should be.
public enum GPIOError: Error, Equatable, Sendable {
  /// A line of a board: which one on its chip, and what for.
  public struct Place: Equatable, Sendable {
    /// The kernel's name of the chip.
    public let chip: String
    /// The line's place on the chip.
    public let offset: UInt32
    /// The line's name in the device tree; empty where it has none.
    public let name: String
    /// What it is for.
    public let use: LineUse
  }

  /// A chip that was met in a search.
  public enum Seen: Equatable, Sendable {
    /// It could be opened, and was not the one.
    case chip(GPIOChip)
    /// It could not be opened.
    indirect case refused(GPIOError)
  }

  /// Another has the line. `consumer` is the name it gave; empty: none.
  case busy(Place, consumer: String)
  /// The chip's node may not be opened by this user.
  case forbidden(node: String, owner: String, group: String, mode: UInt32, user: String)
  /// There is a file, and it is no chip.
  case notAChip(path: String)
  /// No chip is what the wiring asks for.
  case chipMissing(wanted: ChipSelector, folder: String, seen: [Seen])
  /// Several chips have all lines that the wiring names.
  case chipAmbiguous(chips: [String])
  /// No line has the name; `names` are those of the chip.
  case lineMissing(name: String, chip: String, label: String, use: LineUse, names: [String])
  /// Several lines have the name.
  case lineAmbiguous(name: String, chip: String, use: LineUse, offsets: [UInt32])
  /// The chip has fewer lines.
  case pastEnd(offset: UInt32, chip: String, lineCount: UInt32, use: LineUse)
  /// Two parts are wired to one line.
  case givenTwice(Place, other: LineUse)
  /// The line raises no interrupts. It is had all the same, and looked at every 2 ms.
  case noInterrupts(Place)
  /// The chip was there and has gone.
  case gone(chip: String, label: String)
  /// The kernel has not the interface to lines that the library uses.
  case noInterface(path: String, generation: Int)
  /// The library that is loaded has the other interface.
  case wrongLibrary(builtFor: Int, loaded: Int)
  /// A call failed for a reason that has no case of its own.
  case failed(Place?, SystemError)

  /// Why a chip's node could not be opened.
  init(opening path: String, _ error: SystemError) {
    switch error.errno {
    case .permissionDenied, .notPermitted:
      var node = cgpio_node()
      guard cgpio_node_look(path, &node) == 0, let owner = node.owner, let group = node.group else {
        self = .failed(nil, error)
        return
      }
      // Safety: the texts live until the next call, and are copied here.
      self = .forbidden(
        node: path, owner: String(cString: owner), group: String(cString: group),
        mode: node.mode, user: String(cString: cgpio_user()))
    case .noSuchDevice, .notATerminal, .invalidArgument: self = .notAChip(path: path)
    case .notSupported:
      self = .noInterface(path: path, generation: GPIOLibrary.generation)
    default: self = .failed(nil, error)
    }
  }

  /// Whether it may pass without a change of the wiring or of this program, so that trying again
  /// makes sense.
  var mayPass: Bool {
    switch self {
    case .busy, .forbidden, .notAChip, .chipMissing, .gone, .failed: true
    case .chipAmbiguous, .lineMissing, .lineAmbiguous, .pastEnd, .givenTwice, .noInterrupts,
      .noInterface, .wrongLibrary:
      false
    }
  }
}

extension GPIOError {
  /// Whether the chip is not there.
  var isAbsence: Bool {
    switch self {
    case .chipMissing, .notAChip: true
    case .failed(nil, let error): error.errno == .noSuchFile
    default: false
    }
  }

  /// Whether another has it or does not allow it. Errors that do not pass count as well: they ask
  /// for no hurry.
  var isRefusal: Bool {
    switch self {
    case .busy, .forbidden: true
    default: !mayPass
    }
  }
}

extension GPIOError.Seen {
  var isRefused: Bool {
    if case .refused = self { true } else { false }
  }
}

extension Errno {
  /// The node takes no calls of a GPIO chip (ENOTTY, asm-generic/errno-base.h).
  static let notATerminal = Errno(number: 25)
  /// The kernel has no such interface (EOPNOTSUPP, asm-generic/errno.h).
  static let notSupported = Errno(number: 95)
}
