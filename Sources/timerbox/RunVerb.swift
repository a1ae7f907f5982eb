import LinuxIO
import Settings

extension Verb {
  static let run = Verb(
    "run", "[--board simulated]", "run the box in the foreground",
    details: """
      On a terminal the keyboard is the knob: left and right arrows or the mouse wheel turn it,
      space or enter press it (hold for a long press), q ends. Without a terminal the control
      socket is the only front. SIGTERM ends a running sit, keeps it, and exits.
      """
  ) { options throws(VerbError) in
    let configuration = try Places.configuration(options)
    let folders = ServiceFolders(
      state: Places.stateFolder(options), store: Places.storeFolder(options, configuration))
    var service = try Service(configuration, folders)
    let isSaved = service.run()
    if !isSaved { Output.complain("timerbox: a sit could not be written to \(folders.state)") }
    // At once: a thread that hangs in a disk or a driver would hold up an orderly return.
    Machine.exit((isSaved ? ExitStatus.done : .inputOutput).rawValue)
  }
}
