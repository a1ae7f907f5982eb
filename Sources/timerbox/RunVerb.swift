import LinuxIO
import Settings

extension Verb {
  static let run = Verb(
    "run", "[--board simulated]", "run the box in the foreground",
    details: """
      On a terminal the keyboard is the knob: left and right arrows or the mouse wheel turn it,
      space or enter press it (hold for a long press), q ends. Without a terminal the control
      socket is the only front. SIGTERM ends a running sit, keeps it, and exits. A sit that cannot
      be written by then is printed on standard error, and the exit status is 74.
      """
  ) { options throws(VerbError) in
    let configuration = try Places.configuration(options)
    let folders = ServiceFolders(
      state: Places.stateFolder(options), store: Places.storeFolder(options, configuration))
    var service = try Service(configuration, folders)
    let faults = service.run()
    for fault in faults { Output.complain("timerbox: \(fault)") }
    // At once: a thread that hangs in a disk or a driver would hold up an orderly return.
    Machine.exit((faults.isEmpty ? ExitStatus.done : .inputOutput).rawValue)
  }
}
