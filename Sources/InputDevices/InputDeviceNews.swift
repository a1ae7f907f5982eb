import Controls
import LinuxIO
import Ticks

/// What input devices told.
public enum InputDeviceNews: Equatable, Sendable {
  /// A mapped key went down (`.low`) or up (`.high`).
  case edge(Edge)
  /// The mapped axis turned by so many detents; positive is clockwise.
  case turned(Int, at: Instant)
  /// A device is read from now on, and these lines are its. Keys that are down already make no
  /// edges: `levels(of:)` tells them.
  case found(String, lines: LineSet)
  /// A device has gone. `released`: the lines that it held, whose edges to `.high` came just before
  /// this. No hand let them go.
  case lost(String, released: LineSet)
}

/// What can be wrong with an input device. None of it stops the others.
public enum InputDeviceFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The node may not be read. Owner and group are names, or numbers where they have none.
  case refused(node: String, name: String?, owner: String, group: String, permissions: UInt32)
  /// The node cannot be read for another reason.
  case unusable(node: String, name: String?, errno: Errno)
  /// Another program holds the device. Keys come here too once that one lets go.
  case notGrabbed(node: String, name: String, errno: Errno)
  /// It was read and has gone.
  case gone(name: String)
  /// Devices that are plugged in later go unnoticed.
  case notWatched(folder: String, errno: Errno)

  /// What is concerned, in a few words; the description begins with them. Devices of one name have
  /// one subject.
  public var subject: String {
    switch self {
    case .refused(let node, let name, _, _, _), .unusable(let node, let name, _):
      "input device " + (name.map { "\"\($0)\"" } ?? node)
    case .notGrabbed(_, let name, _), .gone(let name): "input device \"\(name)\""
    case .notWatched(let folder, _): folder
    }
  }

  /// A sentence for a log line, with the cure where there is one.
  public var description: String {
    switch self {
    case .refused(let node, let name, let owner, let group, let permissions):
      "\(Self.title(node, name)) may not be read: its owner is \(owner), its group \(group), its "
        + "permissions 0\(String(permissions, radix: 8)); "
        + Self.cure(node, group: group, permissions: permissions)
    case .unusable(let node, let name, let errno):
      "\(Self.title(node, name)) cannot be used: \(errno.text)"
    case .notGrabbed(let node, let name, .busy):
      "\(Self.title(node, name)) is held by another program, and its keys come only once that one "
        + "lets go"
    case .notGrabbed(let node, let name, let errno):
      "\(Self.title(node, name)) could not be taken for timerbox alone, and its keys reach other "
        + "programs too: \(errno.text)"
    case .gone: "\(subject) is gone"
    case .notWatched(let folder, let errno):
      "\(folder) cannot be watched, and input devices plugged in later go unnoticed: \(errno.text)"
    }
  }

  private static func title(_ node: String, _ name: String?) -> String {
    "input device " + (name.map { "\"\($0)\" (\(node))" } ?? node)
  }

  /// A group that may read it and is not root's own can be joined; else udev has to be told.
  private static func cure(_ node: String, group: String, permissions: UInt32) -> String {
    if permissions & 0o040 != 0, group != "root", group != "0" {
      return "add the user that runs timerbox to that group: usermod -aG \(group) USER"
    }
    return "let udev give it to a group: SUBSYSTEM==\"input\", GROUP=\"input\", MODE=\"0660\""
  }
}

/// A wiring that names what the kernel does not have, or a system without the means to wait.
public enum InputDeviceError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No key has this name.
  case unknownKey(String, device: String)
  /// No relative axis has this name.
  case unknownAxis(String, device: String)
  /// The kernel refused a descriptor to wait with.
  case system(SystemError)

  /// A sentence that names what was found and what was expected.
  public var description: String {
    switch self {
    case .unknownKey(let name, let device):
      "input device \"\(device)\": found \"\(name)\", expected a key of the kernel such as KEY_UP"
    case .unknownAxis(let name, let device):
      "input device \"\(device)\": found \"\(name)\", expected a relative axis of the kernel such "
        + "as REL_DIAL"
    case .system(let error):
      "input devices cannot be waited for: \(error)"
    }
  }
}
