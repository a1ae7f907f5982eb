import ALSAOutput
import Appliance
import Bells
import Box
import ControlSocket
import LinuxIO
import Sessions
import Settings
import StoreFiles
import Ticks
import Zones

/// Everything a service is wired to, made in the order in which it must be: the loop takes its
/// signals before the first thread, and nothing is started that a later error would leave behind.
struct ServiceParts: ~Copyable {
  var loop: EventLoop
  let storage: StorageThread
  let journal: JournalThread
  let found: FoundJournal
  /// For which days reminders have called.
  let called: CalledDays
  let boot: Identity
  let audio: AudioThread
  let server: ControlServer?
  let zone: ZoneRules
  let seed: UInt64
  /// What is configured, and what was chosen on this device before.
  let appliance: ApplianceSettings
  let settings: LocalSettings
  let sound: SoundParts
  let soundCards: SoundCardWatch
  let surroundings: SurroundingsWatch
  let hands: Hands

  init(
    _ configuration: Configuration, _ board: Board, _ folders: ServiceFolders
  ) throws(VerbError) {
    // Everything is made before the first part is kept: a half-made owner cannot be unmade.
    let loop = try ServiceParts.system { () throws(SystemError) in try EventLoop() }
    let seed = try ServiceParts.seed()
    let inStore = LocalSettings.inStore(state: folders.state)
    let storage = try ServiceParts.storage(folders)
    // The storage thread holds the folder's lock by now.
    let settings = LocalSettings.open(state: folders.state, inStore: inStore)
    let found = FoundJournal(state: folders.state)
    let journal = try ServiceParts.journal(folders)
    let sound = SoundParts(configuration, board, state: folders.state)
    let appliance = ServiceParts.appliance(configuration, sound, settings)
    let audio = try sound.audio(device: settings.file.soundDevice, volumes: appliance.volumes)
    let hands = try Hands.open(board)
    try ServiceParts.register(loop, audio, storage, journal, hands)
    let boot = try ServiceParts.boot()
    let server = try ServiceParts.server(loop)
    self.appliance = appliance
    self.settings = settings
    self.sound = sound
    soundCards = SoundCardWatch(loop, token: Service.Token.cards.rawValue)
    surroundings = SurroundingsWatch(
      loop, token: Service.Token.surroundings.rawValue, at: Clock.bootTime())
    self.loop = loop
    self.seed = seed
    self.storage = storage
    self.journal = journal
    self.found = found
    called = ServiceParts.called(folders)
    self.boot = boot
    self.audio = audio
    self.hands = hands
    self.server = server
    zone = (try? Inputs.zone(Machine.zoneName())) ?? .utc
  }

  /// What is configured, and what was chosen on this device before.
  private static func appliance(
    _ configuration: Configuration, _ sound: SoundParts, _ settings: LocalSettings
  ) -> ApplianceSettings {
    for complaint in settings.complaints { Output.complain("timerbox: \(complaint)") }
    var appliance = configuration.appliance(sounds: sound.sounds)
    settings.file.apply(to: &appliance)
    return appliance
  }

  /// Where that cannot be read, a reminder of the last minutes may call again.
  private static func called(_ folders: ServiceFolders) -> CalledDays {
    let bytes = (try? StateFiles(folders.state).read(FolderDisk.calledName)) ?? nil
    return CalledDays(parsing: bytes ?? [])
  }

  private static func register(
    _ loop: borrowing EventLoop, _ audio: AudioThread, _ storage: StorageThread,
    _ journal: JournalThread, _ hands: borrowing Hands
  ) throws(VerbError) {
    do throws(SystemError) {
      if LentDescriptor.standardInput.isTerminal {
        try loop.register(.standardInput, token: Service.Token.keyboard.rawValue)
      }
      try loop.register(
        LentDescriptor(number: audio.reportDescriptor), token: Service.Token.audio.rawValue)
      try loop.register(storage.news, token: Service.Token.storage.rawValue)
      try loop.register(journal.news, token: Service.Token.journal.rawValue)
      try hands.register(loop, token: Service.Token.hands.rawValue)
    } catch {
      throw VerbError(status: .inputOutput, message: error.description)
    }
  }

  private static func storage(_ folders: ServiceFolders) throws(VerbError) -> StorageThread {
    do throws(StoreFileFault) {
      return try storage(folders, waitsForLock: false)
    } catch {
      guard case .locked(_, let process) = error else {
        throw VerbError(status: .inputOutput, message: error.description)
      }
      if isService(process) { throw VerbError(status: .tryAgain, message: error.description) }
    }
    // A verb is soon done, and the bell does not wait for it: till then sits are kept in memory.
    do throws(StoreFileFault) { return try storage(folders, waitsForLock: true) } catch {
      throw VerbError(status: .inputOutput, message: error.description)
    }
  }

  private static func storage(
    _ folders: ServiceFolders, waitsForLock: Bool
  ) throws(StoreFileFault) -> StorageThread {
    try StorageThread(state: folders.state, shared: folders.store, waitsForLock: waitsForLock)
  }

  private static func journal(_ folders: ServiceFolders) throws(VerbError) -> JournalThread {
    do throws(StoreFileFault) { return try JournalThread(state: folders.state) } catch {
      throw VerbError(status: .inputOutput, message: error.description)
    }
  }

  /// Which boot this is. Where the kernel does not say, it is one that no journal was written in.
  private static func boot() throws(VerbError) -> Identity {
    if let boot = (try? Machine.bootIdentity()).flatMap({ Identity($0) }) { return boot }
    do throws(StoreFileFault) { return try FolderDisk.randomIdentity() } catch {
      throw VerbError(status: .inputOutput, message: error.description)
    }
  }

  /// Whether the process that holds the lock is a service: one that answers at a control socket, or
  /// whose verb is `run`.
  private static func isService(_ process: Int32?) -> Bool {
    do throws(ControlError) {
      _ = try ControlClient(paths: ControlPath.forClient())
      return true
    } catch {
      if error != .notRunning { return true }
    }
    guard let process,
      let line = try? Files.readWhole("/proc/\(process)/cmdline", limit: 1 << 16)
    else { return false }
    let words = line.split(separator: 0, omittingEmptySubsequences: false)
    return words.count > 1 && words[1].elementsEqual("run".utf8)
  }

  /// A box that cannot be asked still rings; a second one on the same socket would not be asked.
  private static func server(_ loop: borrowing EventLoop) throws(VerbError) -> ControlServer? {
    var path = ""
    do throws(SystemError) {
      path = try ControlPath.forService()
      return try ControlServer(
        path: path, firstToken: Service.Token.control.rawValue, loop: loop)
    } catch {
      if error.errno == .addressInUse {
        throw VerbError(status: .tryAgain, message: "another timerbox is running, and answers at \(path)")
      }
      Output.complain("timerbox: no control socket: \(error)")
      return nil
    }
  }

  private static func seed() throws(VerbError) -> UInt64 {
    try system { () throws(SystemError) in
      try Machine.random(count: 8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
  }

  static func system<Value: ~Copyable>(
    _ call: () throws(SystemError) -> Value
  ) throws(VerbError) -> Value {
    do throws(SystemError) { return try call() } catch {
      throw VerbError(status: Inputs.status(of: error), message: error.description)
    }
  }
}
