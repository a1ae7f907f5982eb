import LinuxIO
import Testing

@testable import StoreFiles

/// Something that is done to a disk in steps, each of which is told to the data's owner as saved,
/// and what must hold of every disk that a power cut can leave.
struct CrashTrial: Sendable {
  let name: String
  /// What is there before, durable.
  var before: @Sendable (DurableFolder) throws -> Void = { _ in }
  /// Each can be made again when it failed.
  let steps: [@Sendable (ModelFolder) throws -> Void]
  /// What is wrong with a disk after so many steps were acknowledged, by the reading code; nil
  /// where nothing is. It starts as a box does after a power cut.
  let fault: @Sendable (ModelFolder, _ acknowledged: Int) throws -> String?

  /// A machine on which the ground of the trial is laid.
  func machine(without missing: [String: Errno] = [:]) throws -> ModelMachine {
    let machine = ModelMachine()
    machine.missing = missing
    try before(DurableFolder("state", creating: true, from: machine.root))
    machine.settle()
    return machine
  }

  /// Makes the steps, each again where it failed, with what ails the disk gone.
  /// - Returns: how many failed.
  func run(on machine: ModelMachine) throws -> Int {
    var failures = 0
    for (number, step) in steps.enumerated() {
      do { try step(machine.root) } catch {
        failures += 1
        machine.failsFrom = nil
        try step(machine.root)
      }
      machine.acknowledge(number + 1)
    }
    return failures
  }

  /// What is wrong with the disks that a power cut at any moment of a run leaves.
  /// - Parameters:
  ///   - depth: how often the power goes again while a start puts things right.
  ///   - from: the number of the call before which nothing is looked at.
  func faults(
    _ machine: ModelMachine, _ rules: ModelDisk.Rules, _ seen: inout CrashStates,
    depth: Int = 0, from: Int = 0
  ) throws -> [String] {
    var faults: [String] = []
    for moment in machine.moments where moment.number >= from {
      let before = CrashStates.State(disk: moment.disk, acknowledged: moment.acknowledged)
      guard seen.moments.insert(before).inserted else { continue }
      for disk in moment.disk.afterPowerCut(rules) {
        let state = CrashStates.State(disk: disk, acknowledged: moment.acknowledged)
        guard seen.states.insert(state).inserted else { continue }
        let after = ModelMachine(disk, acknowledged: moment.acknowledged)
        after.missing = machine.missing
        if let fault = try fault(after.root, moment.acknowledged) {
          faults.append("\(name), after \(moment.call): \(fault)")
        } else if depth > 0 {
          faults += try self.faults(after, rules, &seen, depth: depth - 1)
        }
      }
    }
    return faults
  }
}

/// What was looked at: each once.
struct CrashStates {
  struct State: Hashable {
    let disk: ModelDisk
    let acknowledged: Int
  }

  /// With the cached layers.
  var moments: Set<State> = []
  /// After the power cut.
  var states: Set<State> = []
}

/// A file that holds a set of months, as bits, and shows whether it is whole.
enum Page {
  static func of(_ months: Int) -> [UInt8] {
    Array((String(repeating: "months \(months)\n", count: 14) + "end \(months)\n").utf8)
  }

  /// The same with a flipped byte; its lines can still be read.
  static func damaged(_ months: Int) -> [UInt8] {
    var bytes = of(months)
    bytes[bytes.count - 1] ^= 1
    return bytes
  }

  /// The months of a whole page; nil where it is missing or damaged.
  static func months(_ bytes: [UInt8]?) -> Int? { (0..<32).first { of($0) == bytes } }

  /// What can be read of a page, whole or with its last byte flipped.
  static func salvaged(_ bytes: [UInt8]?) -> Int {
    (0..<32).first { of($0) == bytes || damaged($0) == bytes } ?? 0
  }
}

extension DurableFolder {
  /// The months of a file; nil where it is missing or damaged.
  func months(_ name: String) throws -> Int? { Page.months(try read(name, limit: 1_000)) }

  /// Whether something stands there that is not whole.
  func isDamaged(_ name: String) throws -> Bool {
    guard let bytes = try read(name, limit: 1_000) else { return false }
    return Page.months(bytes) == nil
  }
}
