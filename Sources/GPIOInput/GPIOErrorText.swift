import LinuxIO
import Settings

/// Drivers of the kernel that take lines for keys and encoders, by how the names begin under which
/// they hold them.
private let overlays = ["rotary@", "rotary-encoder", "gpio-key", "gpio_key", "button@", "GPIO Key"]

extension GPIOError.Place: CustomStringConvertible {
  /// Such as `gpiochip0 line 8 (SPI_CE0_N), the crown's switch`.
  public var description: String {
    let name = name.isEmpty ? "" : " (\(name))"
    return "\(chip) line \(offset)\(name), \(use.text)"
  }
}

extension GPIOError: CustomStringConvertible {
  /// What is concerned, in a few words: a line, what has no line, or all of them.
  public var subject: String {
    switch self {
    case .busy(let place, _), .givenTwice(let place, _), .noInterrupts(let place),
      .failed(let place?, _):
      place.description
    case .lineMissing(_, _, _, let use, _), .lineAmbiguous(_, _, let use, _),
      .pastEnd(_, _, _, let use):
      use.text
    case .forbidden, .notAChip, .chipMissing, .chipAmbiguous, .gone, .noInterface, .wrongLibrary,
      .failed(nil, _):
      "GPIO chip"
    }
  }

  /// What is wrong and the cure, in one line.
  public var description: String {
    switch self {
    case .busy(let place, let consumer): return "\(place): \(Self.busy(by: consumer))"
    case .forbidden(let node, let owner, let group, let mode, let user):
      let octal = String(mode, radix: 8)
      let text = "\(node) belongs to \(owner):\(group) with mode 0\(octal) and may not be opened"
      return text + "; " + Self.cure(group: group, mode: mode, user: user)
    case .notAChip(let path): return "\(path) is no GPIO chip"
    case .chipMissing(let wanted, let folder, let seen):
      return "no GPIO chip \(Self.text(of: wanted)); " + Self.text(of: seen, in: folder)
    case .chipAmbiguous(let chips):
      return "\(chips.joined(separator: " and ")) have all lines of the board; name one of them"
    case .lineMissing(let name, let chip, let label, let use, let names):
      let hint = suggestion(for: name, among: names.filter { !$0.isEmpty })
      return "\(chip) (\(label)) has no line named \"\(name)\", for \(use.text)\(hint)"
    case .lineAmbiguous(let name, let chip, let use, let offsets):
      let places = offsets.map(String.init).joined(separator: " and ")
      return "\(chip) has lines \(places) named \"\(name)\", for \(use.text); give the offset"
    case .pastEnd(let offset, let chip, let lineCount, let use):
      return "\(chip) has lines 0 to \(Int(lineCount) - 1) and no line \(offset), for \(use.text)"
    case .givenTwice(let place, let other): return "\(place): given to \(other.text) too"
    case .noInterrupts(let place):
      return "\(place): it raises no interrupts, so it is looked at every 2 ms"
    case .gone(let chip, let label):
      return "\(chip) (\(label)) has gone; its lines are taken again when it returns"
    case .noInterface(let path, let generation):
      return "\(path) is a GPIO chip, but this kernel has not the interface that libgpiod "
        + "\(generation) uses (CONFIG_GPIO_CDEV_V\(generation)); use a kernel that has it, or a "
        + "system with the other libgpiod"
    case .wrongLibrary(let builtFor, let loaded):
      return "libgpiod \(loaded) is loaded, and this program was built for libgpiod \(builtFor); "
        + "install the package that was built for this system"
    case .failed(let place?, let error): return "\(place): \(error)"
    case .failed(nil, let error): return error.description
    }
  }

  private static func busy(by consumer: String) -> String {
    if consumer.isEmpty { return "in use by something that gives no name" }
    guard overlays.contains(where: { consumer.hasPrefix($0) }) else {
      return "in use by \"\(consumer)\"; choose another line, or end what uses it"
    }
    return "in use by \"\(consumer)\", a driver that a device-tree overlay has loaded; "
      + "wire it as an input device, or remove the overlay"
  }

  private static func cure(group: String, mode: UInt32, user: String) -> String {
    let join = "usermod --append --groups"
    if group != "root", mode & 0o060 == 0o060 {
      return "add the user to the group (\(join) \(group) \(user)), then start anew"
    }
    return "give it a group with a udev rule "
      + "(SUBSYSTEM==\"gpio\", GROUP=\"gpio\", MODE=\"0660\"), "
      + "add the user to that group (\(join) gpio \(user)), then start anew"
  }

  private static func text(of selector: ChipSelector) -> String {
    switch selector {
    case .simulated: return "is wanted"
    case .automatic: return "is that of a header, or has all lines of the board"
    case .label(let label): return "has the label \"\(label)\""
    case .name(let name): return "has the name \"\(name)\""
    case .path(let path): return "is at \(path)"
    }
  }

  private static func text(of seen: [Seen], in folder: String) -> String {
    if seen.isEmpty { return "there is none in \(folder)" }
    let texts = seen.map { one in
      switch one {
      case .chip(let chip): "\(chip.name) \"\(chip.label)\""
      case .refused(let error): error.description
      }
    }
    return "there are " + texts.joined(separator: ", ")
  }
}
