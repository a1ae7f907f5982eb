import CLinux
import Glibc

/// Another program that runs beside this one until it ends by itself, or because its standard input
/// does: the kernel ends that with this process, however this one dies.
///
/// It is never waited for. What it prints goes nowhere, and it has no part in the terminal.
public struct ChildProcess: ~Copyable {
  private let process: Int32
  private let life: OwnedDescriptor
  private var input: OwnedDescriptor?
  /// Its exit status, or 128 and the number of the signal that ended it, once that was asked for.
  public private(set) var status: Int32?

  /// Starts a program.
  /// - Parameters:
  ///   - program: its name, looked for on PATH, or its path.
  ///   - arguments: without the program's own name.
  public static func start(
    _ program: String, _ arguments: [String]
  ) throws(SystemError) -> ChildProcess {
    // Safety: the copies live until the child has them, and are freed once.
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var input: Int32 = -1
    var life: Int32 = -1
    let process = try checked(
      clinux_child_start(program, words, &input, &life), "posix_spawn", program)
    return ChildProcess(process, input: input, life: life)
  }

  private init(_ process: Int32, input: Int32, life: Int32) {
    self.process = process
    self.input = OwnedDescriptor(owning: input)
    self.life = OwnedDescriptor(owning: life)
  }

  /// Readable once it has ended; for an event loop, which must forget it before this owner's end.
  public var ending: LentDescriptor { life.lent }

  /// Whether it was asked to end.
  public var hasBeenAsked: Bool { input == nil }

  /// Ends its standard input, by which it is asked to end.
  public mutating func closeInput() { input = nil }

  /// Takes its exit status over, without waiting, so that the kernel keeps nothing of it.
  /// - Returns: whether it has ended.
  public mutating func reap() -> Bool {
    if status != nil { return true }
    let result = clinux_child_reap(process)
    if result == -clinux_eagain { return false }
    // A child that is not there any more was reaped behind our back; its status is not known.
    status = max(result, 0)
    return true
  }

  // One that still runs ends with its input, and its remains belong to whoever inherits them.
  deinit { if status == nil { _ = clinux_child_reap(process) } }
}
