import LinuxIO

@testable import StoreFiles

/// What goes wrong at one call of a model disk.
enum ModelFault: Equatable {
  /// It does nothing and says so.
  case fails(Errno)
  /// It is done, and the answer is lost: the caller is told this.
  case doneButSays(Errno)
  /// A write takes one byte; another call is as ever.
  case short
  /// It says that it is done and does nothing.
  case lies
}

/// A machine with a model disk: counts the calls, fails at those that it is told to, and keeps what
/// the disk was after each.
// Each test makes its own and uses it on one thread.
final class ModelMachine: @unchecked Sendable {
  struct Handle {
    let inode: Int
    var position = 0
  }

  /// The disk after a call, and how much was acknowledged by then.
  struct Moment {
    let disk: ModelDisk
    let acknowledged: Int
    let call: String
    /// How many calls had been made.
    let number: Int
  }

  var disk: ModelDisk
  /// The calls so far, such as `fsync a`.
  private(set) var calls: [String] = []
  /// What goes wrong, by the number of the call, counted from zero.
  var faults: [Int: ModelFault] = [:]
  /// From this call on each that would change something fails.
  var failsFrom: (call: Int, errno: Errno)?
  /// Calls that fail wherever they are made, such as `link` on vfat.
  var missing: [String: Errno] = [:]
  private(set) var moments: [Moment] = []
  private(set) var pausedMilliseconds = 0
  private var acknowledged: Int
  private var interruption: (name: String, turns: Int, act: (ModelMachine) -> Void)?
  fileprivate var handles: [Int32: Handle] = [:]

  init(_ disk: ModelDisk = ModelDisk(), acknowledged: Int = 0) {
    self.disk = disk
    self.acknowledged = acknowledged
    moments = [Moment(disk: disk, acknowledged: acknowledged, call: "start", number: 0)]
  }

  var root: ModelFolder { ModelFolder(machine: self, number: 0, path: "") }

  /// What was done before is the ground of the test: durable, and not looked at.
  func settle() {
    for number in disk.files.keys { disk.sync(file: number) }
    for number in disk.folders.keys {
      disk.sync(folder: number)
      disk.folders[number]?.stale = []
    }
    calls = []
    acknowledged = 0
    moments = [Moment(disk: disk, acknowledged: 0, call: "start", number: 0)]
  }

  /// The owner of the data was told that so many of its changes are saved.
  func acknowledge(_ count: Int) {
    acknowledged = count
    keep("acknowledged \(count)")
  }

  /// The device never had what was written to a file; the memory still has it.
  func forgetPages(of name: String) {
    for folder in disk.folders.values {
      guard let inode = folder.names[name] else { continue }
      disk.files[inode]?.hasLostPages = true
      disk.files[inode]?.synced = nil
    }
  }

  /// Whether the device acknowledges what is written and drops it.
  var forgetsWrites: Bool {
    get { disk.forgetsWrites }
    set { disk.forgetsWrites = newValue }
  }

  /// Does something to the disk, as another program would, before the next calls of a name.
  func before(_ name: String, turns: Int, _ act: @escaping (ModelMachine) -> Void) {
    interruption = (name, turns, act)
  }

  /// Another program writes to the end of a file.
  func grow(_ name: String, by bytes: [UInt8]) {
    for folder in disk.folders.values {
      guard let inode = folder.names[name] else { continue }
      disk.files[inode]?.bytes += bytes
      disk.files[inode]?.time += 1
    }
  }

  /// Another program removes a name.
  func forget(_ name: String) {
    for number in disk.folders.keys { disk.folders[number]?.names[name] = nil }
  }

  private func interrupt(_ name: String) {
    guard let now = interruption, now.name == name, now.turns > 0 else { return }
    interruption = (now.name, now.turns - 1, now.act)
    now.act(self)
  }

  fileprivate func pause(_ milliseconds: Int32) { pausedMilliseconds += Int(milliseconds) }

  /// One call. `body` does it.
  fileprivate func call<Value>(
    _ name: String, _ subject: String, changes: Bool = true, lie: Value? = nil,
    _ body: (_ isShort: Bool) throws(SystemError) -> Value
  ) throws(SystemError) -> Value {
    interrupt(name)
    let number = calls.count
    calls.append("\(name) \(subject)")
    if let errno = missing[name] { throw SystemError(call: name, errno: errno) }
    if changes, let from = failsFrom, number >= from.call {
      throw SystemError(call: name, errno: from.errno)
    }
    switch faults[number] {
    case .fails(let errno): throw SystemError(call: name, errno: errno)
    case .doneButSays(let errno):
      _ = try body(false)
      if changes { keep(calls[number]) }
      throw SystemError(call: name, errno: errno)
    case .lies:
      if let lie { return lie }
      let before = disk
      defer { disk = before }
      return try body(false)
    case let fault:
      let value = try body(fault == .short)
      if changes { keep(calls[number]) }
      return value
    }
  }

  private func keep(_ call: String) {
    moments.append(
      Moment(disk: disk, acknowledged: acknowledged, call: call, number: calls.count))
  }
}

/// One folder of a model disk.
struct ModelFolder: FolderCalls {
  let machine: ModelMachine
  let number: Int
  let path: String

  private var names: [String: Int] { machine.disk.folders[number]?.names ?? [:] }

  private func inode(_ name: String, _ call: String) throws(SystemError) -> Int {
    if let inode = names[name] { return inode }
    throw SystemError(call: call, errno: .noSuchFile)
  }

  private func handle(_ file: borrowing OwnedDescriptor) -> ModelMachine.Handle {
    guard let handle = machine.handles[file.number] else {
      preconditionFailure("a descriptor of another machine")
    }
    return handle
  }

  private func subject(_ file: borrowing OwnedDescriptor) -> String {
    let inode = handle(file).inode
    return names.first { $0.value == inode }.map { "\(path)\($0.key)" } ?? "(removed)"
  }

  func open(_ name: String, _ flags: OpenFlags) throws(SystemError) -> OwnedDescriptor {
    let inode = try machine.call("open", path + name, changes: flags.contains(.create)) {
      _ throws(SystemError) -> Int in
      if let inode = names[name] {
        if flags.contains(.exclusive) { throw SystemError(call: "open", errno: .exists) }
        let isWritten = flags.contains(.writeOnly) || flags.contains(.readWrite)
        if isWritten && machine.disk.files[inode] == nil {
          throw SystemError(call: "open", errno: .isFolder)
        }
        return inode
      }
      guard flags.contains(.create) else { throw SystemError(call: "open", errno: .noSuchFile) }
      let inode = machine.disk.nextInode
      machine.disk.nextInode += 1
      machine.disk.files[inode] = ModelDisk.File()
      machine.disk.change(number, ModelDisk.Change(name: name, inode: inode))
      return inode
    }
    // A real descriptor, so that its owner's life is the real one too.
    let descriptor = try Files.open("/dev/null", .readWrite)
    machine.handles[descriptor.number] = ModelMachine.Handle(inode: inode)
    return descriptor
  }

  func read(_ file: borrowing OwnedDescriptor, limit: Int) throws(SystemError) -> [UInt8] {
    let handle = handle(file)
    let part = try machine.call("read", subject(file), changes: false) {
      isShort throws(SystemError) -> [UInt8] in
      guard let known = machine.disk.files[handle.inode] else {
        throw SystemError(call: "read", errno: .isFolder)
      }
      return Array(known.bytes.dropFirst(handle.position).prefix(isShort ? 1 : limit))
    }
    machine.handles[file.number]?.position += part.count
    return part
  }

  func write(
    _ file: borrowing OwnedDescriptor, _ bytes: ArraySlice<UInt8>
  ) throws(SystemError) -> Int {
    let inode = handle(file).inode
    return try machine.call("write", subject(file)) { isShort throws(SystemError) in
      let part = isShort ? bytes.prefix(1) : bytes
      machine.disk.files[inode]?.bytes += part
      machine.disk.files[inode]?.time += 1
      return part.count
    }
  }

  func status(_ file: borrowing OwnedDescriptor) throws(SystemError) -> FileStatus {
    let inode = handle(file).inode
    return try machine.call("fstat", subject(file), changes: false) { _ throws(SystemError) in
      status(inode)
    }
  }

  private func status(_ inode: Int) -> FileStatus {
    guard let file = machine.disk.files[inode] else {
      return FileStatus(kind: .folder, size: 0, inode: UInt64(inode))
    }
    return FileStatus(
      kind: .file, size: Int64(max(file.bytes.count, file.reserved)), inode: UInt64(inode),
      modifiedNanoseconds: Int64(file.time))
  }

  func sync(_ file: borrowing OwnedDescriptor) throws(SystemError) {
    let inode = handle(file).inode
    do throws(SystemError) {
      try machine.call("fsync", subject(file), lie: ()) { _ throws(SystemError) in
        machine.disk.sync(file: inode)
      }
    } catch {
      machine.disk.files[inode]?.hasLostPages = true
      throw error
    }
  }

  func truncate(_ file: borrowing OwnedDescriptor, to size: Int64) throws(SystemError) {
    let inode = handle(file).inode
    try machine.call("ftruncate", subject(file)) { _ throws(SystemError) in
      guard let bytes = machine.disk.files[inode]?.bytes else { return }
      machine.disk.files[inode]?.bytes = Array(bytes.prefix(Int(size)))
      machine.disk.files[inode]?.time += 1
    }
  }

  func allocate(_ file: borrowing OwnedDescriptor, _ size: Int64) throws(SystemError) {
    let inode = handle(file).inode
    try machine.call("posix_fallocate", subject(file)) { _ throws(SystemError) in
      machine.disk.files[inode]?.reserved = Int(size)
    }
  }

  func dropCache(_ file: borrowing OwnedDescriptor) throws(SystemError) {
    let inode = handle(file).inode
    try machine.call("posix_fadvise", subject(file), changes: false) { _ throws(SystemError) in
      guard let file = machine.disk.files[inode], file.hasLostPages else { return }
      // The kernel takes the pages for written, and gives what the device has.
      machine.disk.files[inode]?.bytes = file.synced ?? []
    }
  }

  func tryLock(_ file: borrowing OwnedDescriptor) throws(SystemError) -> Bool {
    try machine.call("flock", subject(file), changes: false) { _ throws(SystemError) in true }
  }

  func close(_ file: consuming OwnedDescriptor) throws(SystemError) {
    try machine.call("close", subject(file), changes: false) { _ throws(SystemError) in () }
    machine.handles[file.number] = nil
    try file.close()
  }

  func link(_ name: String, to second: String) throws(SystemError) {
    try machine.call("link", "\(path)\(name) \(second)") { _ throws(SystemError) in
      let inode = try inode(name, "link")
      if machine.disk.files[inode] == nil {
        // linkat(2) looks whether the new name is free before it looks at what is to get it.
        throw SystemError(call: "link", errno: names[second] == nil ? .notPermitted : .exists)
      }
      if names[second] != nil { throw SystemError(call: "link", errno: .exists) }
      machine.disk.change(number, ModelDisk.Change(name: second, inode: inode))
    }
  }

  func rename(_ name: String, to other: String) throws(SystemError) {
    try machine.call("rename", "\(path)\(name) \(other)") { _ throws(SystemError) in
      let inode = try inode(name, "rename")
      if let there = names[other] {
        // rename(2): two names of one file stay as they are.
        if there == inode { return }
        let isFolder = machine.disk.files[inode] == nil
        if (machine.disk.files[there] == nil) != isFolder {
          throw SystemError(call: "rename", errno: isFolder ? .notFolder : .isFolder)
        }
      }
      machine.disk.change(
        number, ModelDisk.Change(removed: name, name: other, inode: inode))
    }
  }

  func unlink(_ name: String) throws(SystemError) {
    try machine.call("unlink", path + name) { _ throws(SystemError) in
      if machine.disk.files[try inode(name, "unlink")] == nil {
        throw SystemError(call: "unlink", errno: .isFolder)
      }
      machine.disk.change(number, ModelDisk.Change(removed: name))
    }
  }

  func status(_ name: String) throws(SystemError) -> FileStatus {
    try machine.call("stat", path + name, changes: false) { _ throws(SystemError) in
      status(try found(name, "stat"))
    }
  }

  func names(limit: Int) throws(SystemError) -> FolderNames {
    try machine.call("readdir", path, changes: false) { _ throws(SystemError) in
      let sorted = names.keys.sorted()
      return FolderNames(
        names: Array(sorted.prefix(limit)), unreadable: 0, isCut: sorted.count > limit)
    }
  }

  func syncFolder() throws(SystemError) {
    try machine.call("fsync", path.isEmpty ? "/" : path, lie: ()) { _ throws(SystemError) in
      machine.disk.sync(folder: number)
    }
  }

  /// What a path of several names leads to.
  private func found(_ path: String, _ call: String) throws(SystemError) -> Int {
    var inode = number
    for part in path.split(separator: "/") where part != "." {
      guard let names = machine.disk.folders[inode]?.names else {
        throw SystemError(call: call, errno: .notFolder)
      }
      guard let next = names[String(part)] else {
        throw SystemError(call: call, errno: .noSuchFile)
      }
      inode = next
    }
    return inode
  }

  func makeFolder(_ path: String) throws(SystemError) {
    try machine.call("mkdir", self.path + path) { _ throws(SystemError) in
      let parts = path.split(separator: "/").map(String.init)
      let parent = try found(parts.dropLast().joined(separator: "/"), "mkdir")
      guard let name = parts.last, machine.disk.folders[parent]?.names[name] == nil else {
        throw SystemError(call: "mkdir", errno: .exists)
      }
      let inode = machine.disk.nextInode
      machine.disk.nextInode += 1
      machine.disk.folders[inode] = ModelDisk.Folder()
      machine.disk.change(parent, ModelDisk.Change(name: name, inode: inode))
    }
  }

  func folder(_ path: String, followingLink: Bool) throws(SystemError) -> any FolderCalls {
    let inode = try machine.call("open", self.path + path, changes: false) {
      _ throws(SystemError) -> Int in
      let inode = try found(path, "open")
      if machine.disk.folders[inode] == nil { throw SystemError(call: "open", errno: .notFolder) }
      return inode
    }
    let inner = inode == number ? self.path : "\(self.path)\(path)/"
    return ModelFolder(machine: machine, number: inode, path: inner)
  }

  func freeBytes() throws(SystemError) -> UInt64 {
    try machine.call("fstatfs", path, changes: false) { _ throws(SystemError) in 1 << 30 }
  }

  func pause(milliseconds: Int32) { machine.pause(milliseconds) }
}
