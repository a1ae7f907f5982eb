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

  /// The interface of the library that is loaded. Where it is not the one that this was built for,
  /// no line can be had, and that is a fault and no crash.
  public static var loadedGeneration: Int { Int(cgpio_loaded_generation()) }

  static func requireRightGeneration() throws(GPIOError) {
    guard loadedGeneration == generation else {
      throw .wrongLibrary(builtFor: generation, loaded: loadedGeneration)
    }
  }
}
