import CALSA

/// What libasound this runs on.
public enum ALSALibrary {
  /// The version of the library that is loaded, as it says itself.
  public static var version: String {
    // Safety: the library gives a string constant of its own.
    String(cString: calsa_version())
  }
}
