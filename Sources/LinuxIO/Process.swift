import Glibc

extension Machine {
  /// Ends the program at once. The corresponding C function is `exit`.
  public static func exit(_ status: Int32) -> Never {
    Glibc.exit(status)
  }

  /// A reader that goes away becomes an error of the write (EPIPE) and not the end of the program.
  public static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }
}
