import LinuxIO
import Settings

extension Verb {
  static let run = Verb(
    "run", "[--board NAME|FILE|auto]", "run the box in the foreground",
    details: """
      The board is simulated, a shipped one by its name, a board file, or auto: the one that this
      machine is. On a terminal with the simulated board the keyboard is the knob: left and right
      arrows or the mouse wheel turn it, space or enter press it (hold for a long press), q ends.
      SIGTERM ends a running sit, keeps it, and exits. A sit that cannot
      be written by then is printed on standard error, and the exit status is 74.
      """
  ) { options throws(VerbError) in
    let configuration = try Places.configuration(options)
    let board = try Places.board(options)
    for warning in Places.warnings(of: board) { Output.complain("timerbox: \(warning)") }
    let folders = ServiceFolders(
      state: Places.stateFolder(options), store: Places.storeFolder(options, configuration))
    var service = try Service(configuration, board, folders)
    let faults = service.run()
    for fault in faults { Output.complain("timerbox: \(fault)") }
    // At once: a thread that hangs in a disk or a driver would hold up an orderly return.
    Machine.exit((faults.isEmpty ? ExitStatus.done : .inputOutput).rawValue)
  }
}
