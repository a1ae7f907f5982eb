import CEvdev

/// Names of keys and axes, as the kernel gives them.
public enum KernelName {
  /// Whether there is a key or an axis of this name (`KEY_UP`, `REL_DIAL`).
  public static func isKnown(_ name: String) -> Bool { cevdev_code(name) >= 0 }

  /// Whether this names a key or a button (`KEY_UP`, `BTN_0`).
  public static func isKey(_ name: String) -> Bool { cevdev_kind(name) == cevdev_key }

  /// Whether this names a relative axis (`REL_DIAL`, `REL_WHEEL`).
  public static func isAxis(_ name: String) -> Bool { cevdev_kind(name) == cevdev_axis }
}

/// Names of devices with `*` in them.
enum NamePattern {
  /// Whether a name fits a pattern, in which `*` stands for any characters, also none.
  static func fits(_ name: String, _ pattern: String) -> Bool {
    let text = Array(name.utf8)
    let wanted = Array(pattern.utf8)
    let star = UInt8(ascii: "*")
    var (here, there) = (0, 0)
    // Where to go on when what follows the last star does not fit: one character later.
    var retry: (here: Int, there: Int)?
    while here < text.count {
      if there < wanted.count, wanted[there] == star {
        there += 1
        retry = (here + 1, there)
      } else if there < wanted.count, wanted[there] == text[here] {
        (here, there) = (here + 1, there + 1)
      } else if let last = retry {
        (here, there) = last
        retry = (last.here + 1, last.there)
      } else {
        return false
      }
    }
    return wanted[there...].allSatisfy { $0 == star }
  }
}
