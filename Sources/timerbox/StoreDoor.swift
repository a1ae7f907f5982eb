import ControlSocket
import LinuxIO
import Sessions
import Settings
import StoreFiles
import Ticks

/// A verb's way to write the store: under its lock, or through the service that holds it.
enum StoreDoor {
  typealias Keeper = Storekeeper<FolderDisk, SharedFolder>

  /// How long a verb waits for another short-lived process to let go of the lock.
  private static let patienceSpan = Span.seconds(10)
  /// How long the service's disk may take.
  private static let answerMilliseconds: Int32 = 60_000
  /// What a service answers that is another than the one that holds the lock.
  static let otherProcess = "this is not the process that was asked for"

  /// Does something to the store.
  /// - Parameters:
  ///   - request: what the service is asked where it holds the lock.
  ///   - body: what is done where nobody does.
  static func write(
    _ options: Options, asking request: ControlRequest, _ body: (inout Keeper) -> StoreOutcome
  ) throws(VerbError) -> StoreOutcome {
    let configuration = try Places.configuration(options)
    let (state, store) = (
      Places.stateFolder(options), Places.storeFolder(options, configuration)
    )
    let end = Clock.bootTime() + patienceSpan
    while true {
      do throws(StoreFileFault) {
        var keeper = try keeper(state, store)
        return body(&keeper)
      } catch {
        guard case .locked(_, let process) = error else { throw verbError(error) }
        if let outcome = try ask(request, process) { return outcome }
        if Clock.bootTime() >= end { throw verbError(error) }
      }
    }
  }

  /// How many bytes of changes one request to a service has; a request has a bound.
  private static let requestBytes = 1 << 20

  /// Changes sits: all in one write under the lock, or through the service that holds it, in as
  /// many requests as they need.
  static func change(
    _ changes: [SitChange], _ options: Options
  ) throws(VerbError) -> StoreOutcome {
    var outcome = StoreOutcome([])
    var next = 0
    while next < changes.count, outcome.status == .done {
      let rest = changes[next...]
      let batch = batch(of: rest)
      var done = batch.count
      var request = ControlRequest(.sits)
      request.value = batch.text
      let part = try write(options, asking: request) { keeper in
        done = rest.count
        let opened = keeper.open().filter { if case .salvaged = $0 { true } else { false } }
        let changed = keeper.change(Array(rest), at: time())
        return StoreOutcome(opened + changed.reports, changed.tally)
      }
      outcome.add(part, from: next)
      next += done
    }
    return outcome
  }

  /// As many changes as fit into a request, one at least.
  private static func batch(of changes: ArraySlice<SitChange>) -> (text: String, count: Int) {
    var bytes = Array("[".utf8)
    var count = 0
    for change in changes {
      let text = change.json.encoded()
      if count > 0 && bytes.count + text.count > requestBytes { break }
      if count > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += text
      count += 1
    }
    bytes.append(UInt8(ascii: "]"))
    return (String(decoding: bytes, as: UTF8.self), count)
  }

  /// Now, as a stamp needs it.
  static func time() -> WriteTime {
    WriteTime(WallInstant(nanoseconds: Clock.wall()), isKnown: Clock.wallIsKnown())
  }

  private static func keeper(_ state: String, _ store: String) throws(StoreFileFault) -> Keeper {
    let disk = try FolderDisk.taking(state)
    for line in LocalSettings.move(state: state) { Output.complain("timerbox: \(line)") }
    let device = disk.device
    let owner = try FolderDisk.randomIdentity()
    let folder = SharedFolder(store, device: device, state: state)
    return Storekeeper(disk: disk, folder: folder, owner: owner, device: device)
  }

  static func verbError(_ fault: StoreFileFault) -> VerbError {
    if case .locked = fault { return VerbError(status: .tryAgain, message: fault.description) }
    let isForbidden = fault.description.hasPrefix("no permission for ")
    return VerbError(
      status: isForbidden ? .noPermission : .inputOutput, message: fault.description)
  }

  /// Asks the service that is the process which holds the lock.
  /// - Returns: nil where that process is no service: another verb, which is done soon.
  /// - Throws: where a service took the request and gave no answer, also: it may have done it, and
  ///   is not asked again.
  private static func ask(
    _ request: ControlRequest, _ process: Int32?
  ) throws(VerbError) -> StoreOutcome? {
    guard let process else { return nil }
    var request = request
    request.process = "\(process)"
    for path in ControlPath.forClient() {
      guard let answer = try answer(to: request, at: path) else { continue }
      switch answer {
      case .data(let text): if let outcome = StoreOutcome(text) { return outcome }
      case .refused(let reason), .elsewhere(let reason):
        throw VerbError(status: .tryAgain, message: reason)
      case .error(let message):
        if message != otherProcess { throw VerbError(status: .inputOutput, message: message) }
      case .ok, .state: break
      }
    }
    return nil
  }

  /// - Returns: nil where nobody listens, and the lock will tell.
  private static func answer(
    to request: ControlRequest, at path: String
  ) throws(VerbError) -> ControlAnswer? {
    var isAsked = false
    do throws(ControlError) {
      var client = try ControlClient(paths: [path])
      isAsked = true
      return try client.ask(request, timeoutMilliseconds: answerMilliseconds)
    } catch {
      switch error {
      case .notPermitted, .timedOut: throw Client.verbError(error)
      case .notRunning, .closed, .failed:
        guard isAsked else { return nil }
        throw VerbError(
          status: .inputOutput,
          message: "\(error) before it answered; whether it did what was asked is not known")
      }
    }
  }
}
