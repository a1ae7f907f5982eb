import CLinux
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

extension Machine {
  /// Runs another program to its end; it has this process's standard input, output and error.
  /// - Parameters:
  ///   - path: of the program; nothing is searched.
  ///   - arguments: without the program's own name.
  /// - Returns: its exit status, or 128 and the number of the signal that ended it.
  /// - Throws: `timedOut` when the time was over and it was killed.
  public static func run(
    _ path: String, _ arguments: [String], timeoutMilliseconds: Int32
  ) throws(SystemError) -> Int32 {
    // Safety: the copies live until the child has them, and are freed once.
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    return try checked(clinux_run(path, words, timeoutMilliseconds), "posix_spawn", path)
  }

  /// Allows this process no more memory and processor time than that. A lower limit that there is
  /// already stays.
  public static func limit(memoryBytes: Int64, processorSeconds: Int64) {
    clinux_limit(memoryBytes, processorSeconds)
  }

  /// Does something while standard error leads nowhere: some libraries write to it whatever one
  /// does. It is the whole process's, so no other thread may need it meanwhile.
  public static func withoutStandardError<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let kept = fcntl(2, F_DUPFD_CLOEXEC, 3)
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    if kept >= 0 && nowhere >= 0 { dup2(nowhere, 2) }
    if nowhere >= 0 { close(nowhere) }
    defer {
      if kept >= 0 {
        dup2(kept, 2)
        close(kept)
      }
    }
    return try body()
  }
}
