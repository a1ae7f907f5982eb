/// The exit statuses of the contract; those from 64 on are sysexits.h's.
enum ExitStatus: Int32, Error {
  case done = 0
  case notHeld = 1
  case usage = 64
  case badData = 65
  case serviceNotRunning = 69
  case inputOutput = 74
  case tryAgain = 75
  case noPermission = 77
  case configuration = 78
}

/// A verb that could not do its work: the sentence for stderr, and the exit status.
struct VerbError: Error {
  var status: ExitStatus
  var message: String
}
