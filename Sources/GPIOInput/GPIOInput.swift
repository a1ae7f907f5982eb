import CGPIO

/// What libgpiod this runs on.
public enum GPIOLibrary {
  /// The version of the library that is loaded, as it says itself.
  public static var version: String {
    // Safety: the library gives a string constant of its own.
    String(cString: cgpio_version())
  }

  /// Which of the library's two interfaces this was built for: 1 or 2.
  public static var generation: Int { Int(cgpio_generation) }
}
