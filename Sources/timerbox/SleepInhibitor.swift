import LinuxIO

/// Keeps the machine from falling asleep by itself while somebody sits, through logind, as long as
/// it runs here. Where it does not, or does not permit it, nothing keeps the machine awake, and the
/// sit deals with a sleep as it comes.
///
/// The lock is held by a program of logind's own, `systemd-inhibit`, which holds it for as long as
/// the one that it runs: a `cat` of a pipe from this process. The kernel closes that pipe however
/// this process ends, so that no lock is left behind.
///
/// To start a program takes as long as a strike may be late, so it is done once all else is
/// (`settle`). Where logind refuses, the program ends at once; what it says of that goes nowhere.
struct SleepInhibitor: ~Copyable {
  private static let program = "systemd-inhibit"
  private static let arguments = [
    "--what=sleep", "--who=timerbox", "--why=A sit is running", "--mode=block", "cat",
  ]

  private let token: Int
  private var isWanted = false
  /// Whether one is to be started.
  private var isDue = false
  private var child: ChildProcess?

  /// Nothing is held yet.
  /// - Parameter token: under which the end of the program wakes the loop.
  init(token: Int) { self.token = token }

  /// Whether the program runs.
  var isRunning: Bool { child != nil }

  /// Holds sleep off from the next `settle` on, or lets it come at once.
  mutating func set(_ isWanted: Bool) {
    guard isWanted != self.isWanted else { return }
    self.isWanted = isWanted
    isDue = isWanted
    if !isWanted { child?.closeInput() }
  }

  /// Starts the program where it is due. One that is still ending is waited for: its end wakes the
  /// loop.
  mutating func settle(_ loop: borrowing EventLoop) {
    guard isDue && child == nil else { return }
    isDue = false
    do throws(SystemError) {
      let child = try ChildProcess.start(SleepInhibitor.program, SleepInhibitor.arguments)
      try loop.register(child.ending, token: token)
      self.child = consume child
    } catch {
      // There is no such program here, or no room for one.
    }
  }

  /// The program has ended: because it was asked to, or because logind refused. Only in the first
  /// case it may be wanted anew; one that was refused is not asked again in this sit.
  mutating func takeEnd(_ loop: borrowing EventLoop) {
    guard child?.reap() == true, let ended = child.take() else { return }
    try? loop.forget(ended.ending)
    isDue = isWanted && ended.hasBeenAsked
  }
}
