import CEvdev
import Controls
import LinuxIO
import Settings
import Ticks

/// Where the kernel shows its input devices.
public struct InputDeviceFolders: Equatable, Sendable {
  /// The folder of the nodes `event0`, `event1` and so on.
  public var nodes: String
  /// The folder with `event0/device/name`, which anybody may read.
  public var names: String

  /// Names both folders; without arguments the kernel's own.
  public init(nodes: String = "/dev/input", names: String = "/sys/class/input") {
    self.nodes = nodes
    self.names = names
  }

  /// The nodes that are there, in the order of their numbers.
  func eventNodes() -> [String] {
    guard let folder = try? Files.open(nodes, [.folder]), let found = try? Files.names(in: folder)
    else { return [] }
    return found.compactMap { name -> UInt32? in
      name.hasPrefix("event") ? UInt32(name.dropFirst(5)) : nil
    }.sorted().map { "\(nodes)/event\($0)" }
  }

  /// The name of a device that cannot be opened.
  func name(of node: String) -> String? {
    let path = names + "/" + (node.split(separator: "/").last ?? "") + "/device/name"
    guard let bytes = try? Files.readWhole(path, limit: 4_096) else { return nil }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}

/// The input devices that play parts of the panel: remotes, keypads, the kernel's own encoders.
///
/// A device is used when its name fits a wiring and it has one of the wiring's keys or its axis;
/// the first such wiring counts. It is grabbed, so that no console and no desktop sees its keys.
///
/// One thing is not taken from the system: the power key. Nearly every remote of HDMI-CEC or
/// infrared has KEY_POWER among its keys, systemd-logind reads it from the same node, and a grab
/// would silence it there too; the kernel grabs devices, not keys. So a device with a power key
/// that the wiring does not map is read without a grab. Its other keys then reach a console as
/// well, which is the smaller harm. Who wants the grab maps the power key.
///
/// - One descriptor stands for all: it is readable while anything waits to be read, and only then.
/// - Edges and turns come in the order of their stamps, over all devices and all turns of the loop.
/// - A line is low while any key of any device holds it low: it goes high with the last of them.
/// - A turn of the loop takes at most 128 events of a device; what is left makes the descriptor
///   readable at once, and what other devices did meanwhile is held back so that the order holds.
/// - A node that cannot be opened is a fault a second after it was first seen so: when a device is
///   plugged in, its node is there before udev has set its permissions. Nodes whose devices no
///   wiring means are none. The fault ends when the node can be opened or goes.
/// - A device that another program holds is asked for again when its keys come all the same, and
///   when nodes change.
public struct InputDevices: ~Copyable {
  private let folders: InputDeviceFolders
  private let roles: [DeviceRoles]
  private let gathering: OwnedDescriptor
  private let timer: OwnedDescriptor
  private let watch: OwnedDescriptor

  private var devices: [InputDevice] = []
  /// Nodes that could not be opened; `fault`: once patience with them has ended, at `due`.
  private var failures: [String: (errno: Errno, due: Instant, fault: InputDeviceFault?)] = [:]
  private var watchFault: InputDeviceFault?
  /// The names of devices that went and were not found again; one that two had is there twice.
  private var gone: [String] = []
  private var mustScan = true
  /// What is held back, in the order of stamps.
  private var waiting: [DeviceChange] = []
  /// How many keys hold each line low, by the line's place.
  private var holds = [Int](repeating: 0, count: Line.allCases.count)
  /// From CLOCK_MONOTONIC to the boot-time clock.
  private var offset = SleepOffset()
  /// No edge before this instant is still to come.
  private var told = Instant.zero

  /// How many events of a device one turn of the loop takes. libevdev reads 256 at once, so that
  /// the rest may be in its own queue, where no descriptor tells of it.
  static let eventsPerTurn = 128
  /// How long udev has to set the permissions of a node.
  static let patience = Span.seconds(1)

  private init(
    folders: InputDeviceFolders, roles: [DeviceRoles], gathering: consuming OwnedDescriptor,
    timer: consuming OwnedDescriptor, watch: consuming OwnedDescriptor
  ) {
    self.folders = folders
    self.roles = roles
    self.gathering = gathering
    self.timer = timer
    self.watch = watch
  }

  /// Prepares to read devices. The first `read(at:)` looks for them; the descriptor is readable
  /// from the start.
  /// - Throws: names that the kernel does not have, or a kernel that has no descriptor left.
  ///   Devices that cannot be read are faults, not errors.
  public static func open(
    _ wirings: [InputDeviceWiring], folders: InputDeviceFolders = InputDeviceFolders()
  ) throws(InputDeviceError) -> InputDevices {
    var roles: [DeviceRoles] = []
    for wiring in wirings { roles.append(try DeviceRoles(wiring)) }
    let gathering = OwnedDescriptor(owning: try made(cevdev_gathering(), "epoll_create"))
    let timer = OwnedDescriptor(owning: try made(cevdev_timer(), "timerfd_create"))
    let watch = OwnedDescriptor(owning: try made(cevdev_watch(), "inotify_init"))
    try made(cevdev_gather(gathering.number, timer.number), "epoll_ctl")
    try made(cevdev_gather(gathering.number, watch.number), "epoll_ctl")
    try made(cevdev_timer_arm(timer.number, 1), "timerfd_settime")
    return InputDevices(
      folders: folders, roles: roles, gathering: gathering, timer: timer, watch: watch)
  }

  @discardableResult
  private static func made(_ result: Int32, _ call: String) throws(InputDeviceError) -> Int32 {
    if result >= 0 { return result }
    throw .system(SystemError(call: call, errno: Errno(number: -result)))
  }

  /// What the loop waits for.
  public var descriptor: LentDescriptor { gathering.lent }

  /// Everything that is wrong now; `read(at:)` changes it. A device that is back, but may not be
  /// read, is not gone.
  public var faults: [InputDeviceFault] {
    var faults = watchFault.map { [$0] } ?? []
    faults += failures.sorted { $0.key < $1.key }.compactMap(\.value.fault)
    for device in devices {
      guard let errno = device.refusal else { continue }
      faults.append(.notGrabbed(node: device.node, name: device.name, errno: errno))
    }
    let named = faults.map(\.subject)
    return faults + gone.map { .gone(name: $0) }.filter { !named.contains($0.subject) }
  }

  /// The lines that the devices read now have.
  public var lines: LineSet { devices.reduce(into: []) { $0.formUnion($1.roles.lines) } }

  /// The levels of some lines, as all news until the last `read(at:)` left them; so read first.
  /// - Returns: those of the lines that a device has and of which no edge is held back.
  public func levels(of wanted: LineSet) -> LevelReading {
    var levels = LineLevels.rest
    for line in Line.allCases where holds[Int(line.rawValue)] > 0 { levels[line] = .low }
    let known = waiting.reduce(into: lines) { lines, change in
      if let line = change.line { lines.remove(LineSet(line)) }
    }
    return LevelReading(lines: wanted.intersection(known), levels: levels, at: told)
  }

  /// Takes what happened since. It never waits.
  /// - Parameter now: this turn's instant; never earlier than in the turn before.
  public mutating func read(at now: Instant) -> [InputDeviceNews] {
    var news: [InputDeviceNews] = []
    let (horizon, isLimited) = drain(at: now)
    handOut(until: horizon ?? now, isWhole: horizon == nil, &news)
    dropLost(at: now, &news)
    // Drained in any case: unread news would keep the descriptor readable.
    let watched = folders.nodes.split(separator: "/").last.map { String($0) } ?? ""
    if cevdev_watch_drain(watch.number, watched) != 0 || mustScan { scan(at: now, &news) }
    endPatience(at: now)
    arm(at: isLimited ? .zero : failures.values.filter { $0.fault == nil }.map(\.due).min())
    return news
  }

  // MARK: Reading

  /// Takes the events of all devices.
  /// - Returns: the instant up to which they are whole, nil if no news is to be held back; and
  ///   whether something may be left to read.
  private mutating func drain(at now: Instant) -> (horizon: Instant?, isLimited: Bool) {
    offset.update { Clock.bootTime(ofMonotonic: 0) - .zero }
    var horizon: Instant?
    for device in devices {
      let before = waiting.count
      let end = device.drain(
        limit: Self.eventsPerTurn, offset: offset.span, at: now, into: &waiting)
      if end == .limit { horizon = min(horizon ?? device.last, device.last) }
      if waiting.count > before { device.grabRefused() }
    }
    // What a lost device did comes before its end, and its end is told now.
    return (devices.contains(where: \.isGone) ? nil : horizon, horizon != nil)
  }

  private mutating func handOut(
    until horizon: Instant, isWhole: Bool, _ news: inout [InputDeviceNews]
  ) {
    // By stamp, and as they came where stamps are equal: the sort alone does not promise that.
    let ordered = waiting.enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }.map(\.element)
    let count = isWhole ? ordered.count : ordered.prefix { $0.at <= horizon }.count
    waiting = Array(ordered[count...])
    for change in ordered[..<count] { tell(change, &news) }
    told = max(told, horizon)
  }

  private mutating func tell(_ change: DeviceChange, _ news: inout [InputDeviceNews]) {
    // Two processors can stamp a microsecond across two of our turns; time still never goes back.
    told = max(told, change.at)
    switch change.kind {
    case .turned(let detents): news.append(.turned(detents, at: told))
    case .pressed(let line):
      holds[Int(line.rawValue)] += 1
      if holds[Int(line.rawValue)] == 1 {
        news.append(.edge(Edge(line: line, level: .low, at: told)))
      }
    case .released(let line):
      holds[Int(line.rawValue)] -= 1
      if holds[Int(line.rawValue)] == 0 {
        news.append(.edge(Edge(line: line, level: .high, at: told)))
      }
    }
  }

  private mutating func dropLost(at now: Instant, _ news: inout [InputDeviceNews]) {
    for device in devices where device.isGone {
      var released: LineSet = []
      for line in device.linesDown {
        tell(DeviceChange(kind: .released(line), at: now), &news)
        if holds[Int(line.rawValue)] == 0 { released.insert(LineSet(line)) }
      }
      news.append(.lost(device.name, released: released))
      gone.append(device.name)
      // Its number may be another device's already.
      mustScan = true
    }
    devices.removeAll(where: \.isGone)
  }

  // MARK: Finding

  private mutating func scan(at now: Instant, _ news: inout [InputDeviceNews]) {
    mustScan = false
    if roles.isEmpty { return }
    // First the watch and then the look, so that what appears in between is not missed.
    watchFolders()
    for device in devices { device.grabRefused() }
    let nodes = folders.eventNodes()
    for node in failures.keys where !nodes.contains(node) { failures[node] = nil }
    for node in nodes where !devices.contains(where: { $0.node == node }) {
      do throws(SystemError) {
        let handle = try EvdevHandle.open(node)
        failures[node] = nil
        take(handle, node: node, at: now, &news)
      } catch {
        if failures[node]?.errno != error.errno, isMeant(node) {
          failures[node] = (error.errno, now + Self.patience, nil)
        }
      }
    }
  }

  /// The kernel takes the folder away with the last device, so the one above is watched too.
  private mutating func watchFolders() {
    watchFault = nil
    let above = folders.nodes.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
    for path in [above.isEmpty ? "/" : above, folders.nodes] {
      let result = cevdev_watch_folder(watch.number, path)
      guard result < 0 else { continue }
      let errno = Errno(number: -result)
      if errno != .noSuchFile { watchFault = .notWatched(folder: path, errno: errno) }
    }
  }

  private func isMeant(_ node: String) -> Bool {
    guard let name = folders.name(of: node) else { return true }
    return roles.contains { NamePattern.fits(name, $0.pattern) }
  }

  private mutating func take(
    _ handle: consuming EvdevHandle, node: String, at now: Instant,
    _ news: inout [InputDeviceNews]
  ) {
    var played: DeviceRoles?
    for role in roles where played == nil { played = role.played(by: handle) }
    guard let played else { return }
    let device = InputDevice(node: node, roles: played, taking: handle, at: now)
    if !device.hasForeignPowerKey { device.grab() }
    let result = cevdev_gather(gathering.number, device.descriptor.number)
    guard result >= 0 else {
      failures[node] = (Errno(number: -result), now, nil)
      return
    }
    for line in device.linesDown { holds[Int(line.rawValue)] += 1 }
    devices.append(device)
    if let index = gone.firstIndex(of: device.name) { gone.remove(at: index) }
    news.append(.found(device.name, lines: played.lines))
  }

  private mutating func endPatience(at now: Instant) {
    for (node, failure) in failures where failure.fault == nil && failure.due <= now {
      failures[node]?.fault = InputDeviceFault(node, in: folders, failure.errno)
    }
  }

  private func arm(at deadline: Instant?) {
    // Zero would disarm; the first nanosecond after boot is as past. It cannot fail with a
    // descriptor of ours and a time that is not negative.
    let result = cevdev_timer_arm(timer.number, deadline.map { max($0.nanoseconds, 1) } ?? 0)
    assert(result == 0, "the timer of input devices is not armed")
  }
}

extension InputDeviceFault {
  /// Says why a node could not be opened.
  init(_ node: String, in folders: InputDeviceFolders, _ errno: Errno) {
    let name = folders.name(of: node)
    guard errno == .permissionDenied || errno == .notPermitted, let owner = NodeOwner(of: node)
    else {
      self = .unusable(node: node, name: name, errno: errno)
      return
    }
    self = .refused(
      node: node, name: name, owner: owner.user, group: owner.group,
      permissions: owner.permissions)
  }
}

/// Whose a node is.
struct NodeOwner: Equatable {
  var user: String
  var group: String
  var permissions: UInt32

  init?(of node: String) {
    let capacity = 256
    var user = [CChar](repeating: 0, count: capacity)
    var group = [CChar](repeating: 0, count: capacity)
    var permissions: UInt32 = 0
    guard cevdev_owner(node, &permissions, &user, &group, capacity) == 0 else { return nil }
    self.user = Self.text(user)
    self.group = Self.text(group)
    self.permissions = permissions
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
