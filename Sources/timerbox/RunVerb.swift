import LinuxIO
import Settings

extension Verb {
  static let run = Verb(
    "run", "[--board NAME|FILE|auto]", "run the box in the foreground",
    details: """
      The board is simulated, a shipped one by its name, a board file, or auto: the one that this
      machine is. On a terminal with the simulated board the keyboard is the knob: left and right
      arrows or the mouse wheel turn it, space or enter press it (hold for a long press), q ends.
      Ended so, or by Ctrl-C, the box ends a running sit and keeps it. SIGTERM, as a service gets it
      at an upgrade, leaves it: started again within 10 minutes the box goes on with it, and its
      bells ring when they are due. A sit that cannot be written at the end is printed on standard
      error, and the exit status is 74.
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
