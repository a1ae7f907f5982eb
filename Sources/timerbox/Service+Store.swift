import Box
import ControlSocket
import LinuxIO
import Sessions
import Settings
import StoreFiles
import Ticks

// What clients ask of the store. The storage thread does it, and its answer is the client's.
extension Service {
  /// Takes a call of the store.
  /// - Returns: what is answered at once; nil where the storage thread will answer.
  mutating func askStore(_ call: ControlCall) -> ControlAnswer? {
    let request = call.request
    guard request.process == "\(Machine.process)" else {
      return .error(message: StoreDoor.otherProcess)
    }
    if request.command == .keySet, let reason = LocalName.refusal(of: request.key ?? "") {
      return .refused(reason: reason)
    }
    if request.command == .keySet, let key = request.key, let value = request.value,
      let reason = definitions.refusal(of: value, under: key, sound)
    {
      return .refused(reason: reason)
    }
    if let folder = request.folder, !folder.hasPrefix("/") {
      return .error(message: "found the folder \(quoted(folder)), expected a path from the root")
    }
    let token = nextStoreToken
    nextStoreToken += 1
    let (key, time) = (request.key ?? "", StoreDoor.time())
    let storageRequest: StorageRequest
    switch (request.command, request.value) {
    case (.sync, _):
      storageRequest = .sync(folder: request.folder, adopt: request.adopt, token: token)
    case (.sits, let text):
      storageRequest = .change(text ?? "", at: time, token: token)
    // A long value takes its time to be read, which is the storage thread's.
    case (_, let text?): storageRequest = .setText(key, to: text, at: time, token: token)
    case (_, nil): storageRequest = .set(key, to: nil, at: time, token: token)
    }
    guard storage.send(storageRequest) else { return .refused(reason: "the disk is busy") }
    storeCallers[token] = call.caller
    return nil
  }

  /// Hands what the storage thread did to whoever asked for it.
  mutating func answer(_ outcome: StoreOutcome, token: Int) {
    guard let caller = storeCallers.removeValue(forKey: token) else { return }
    let text = String(decoding: outcome.wire(), as: UTF8.self)
    server?.answer(caller, .data(text), loop: loop)
  }
}

extension ControlRequest.Command {
  /// Whether the storage thread answers it.
  var isOfStore: Bool { [.sync, .sits, .keySet, .keyDelete].contains(self) }
}
