import Glibc

extension Machine {
  /// Ends the program at once. The corresponding C function is `exit`.
  public static func exit(_ status: Int32) -> Never {
    Glibc.exit(status)
  }

  /// Opens `/dev/null` in place of standard input, output and error where they were closed, so that
  /// no file of ours takes their number.
  public static func openMissingStandardDescriptors() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is the missing one, since those below it are open.
      _ = open("/dev/null", O_RDWR)
    }
  }

  /// A reader that goes away becomes an error of the write (EPIPE) and not the end of the program.
  public static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }
}
