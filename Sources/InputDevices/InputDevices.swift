import CEvdev

/// Names of keys and axes, as the kernel gives them.
public enum KernelName {
  /// Whether there is a key or an axis of this name (`KEY_UP`, `REL_DIAL`).
  public static func isKnown(_ name: String) -> Bool { cevdev_code(name) >= 0 }
}
