import CEvdev
import Controls
import LinuxIO
import Settings
import Ticks

/// What a device's events mean, in the kernel's numbers.
struct DeviceRoles {
  var pattern: String
  var keys: [(code: Int32, line: Line)]
  var axis: Int32?

  /// Translates the names of a wiring.
  init(_ wiring: InputDeviceWiring) throws(InputDeviceError) {
    pattern = wiring.name
    keys = []
    // Sorted, since a dictionary has a new order in each process, and messages should not.
    for (name, line) in wiring.keys.sorted(by: { $0.key < $1.key }) {
      guard KernelName.isKey(name) else {
        throw InputDeviceError.unknownKey(name, device: wiring.name)
      }
      keys.append((cevdev_code(name), line))
    }
    if let name = wiring.axis, !KernelName.isAxis(name) {
      throw InputDeviceError.unknownAxis(name, device: wiring.name)
    }
    axis = wiring.axis.map { cevdev_code($0) }
  }

  /// The part of these roles that a device can play; nil if its name does not fit, or if it has
  /// none of the keys nor the axis.
  func played(by device: borrowing EvdevHandle) -> DeviceRoles? {
    guard NamePattern.fits(device.name, pattern) else { return nil }
    var roles = self
    roles.keys = []
    for key in keys where device.has(key: key.code) { roles.keys.append(key) }
    if let code = axis, !device.has(axis: code) { roles.axis = nil }
    return roles.keys.isEmpty && roles.axis == nil ? nil : roles
  }

  /// Whether such a device has a power key beside its roles.
  func hasForeignPowerKey(of device: borrowing EvdevHandle) -> Bool {
    for name in ["KEY_POWER", "KEY_POWER2"] {
      let code = cevdev_code(name)
      if device.has(key: code), !keys.contains(where: { $0.code == code }) { return true }
    }
    return false
  }

  var lines: LineSet {
    keys.reduce(into: []) { $0.formUnion(LineSet($1.line)) }
  }
}

/// Something that a device did.
struct DeviceChange {
  enum Kind {
    case pressed(Line)
    case released(Line)
    case turned(Int)
  }
  var kind: Kind
  var at: Instant

  var line: Line? {
    switch kind {
    case .pressed(let line), .released(let line): line
    case .turned: nil
    }
  }
}

/// A device that is read.
///
/// - Presses and releases of a key alternate, whatever the kernel sends.
/// - Its stamps never go back.
final class InputDevice {
  let node: String
  let name: String
  let roles: DeviceRoles
  private let handle: EvdevHandle
  /// Which of the roles' keys are down.
  private var isDown: [Bool]
  private(set) var last: Instant
  private(set) var isGone = false
  /// Why the device is not this program's alone, though it was asked for.
  private(set) var refusal: Errno?

  /// A dial reports in a byte; a larger step is a broken device, and no reason to turn for hours.
  static let detentsMax: Int32 = 127

  init(node: String, roles: DeviceRoles, taking handle: consuming EvdevHandle, at now: Instant) {
    self.node = node
    self.roles = roles
    var isDown: [Bool] = []
    for key in roles.keys { isDown.append(handle.isDown(key.code)) }
    self.isDown = isDown
    name = handle.name
    last = now
    self.handle = handle
  }

  var descriptor: LentDescriptor { handle.lent }

  /// Asks for the device alone.
  func grab() { refusal = handle.grab() }

  /// Asks again where it was refused: who held it may have let go.
  func grabRefused() {
    if refusal != nil { grab() }
  }

  var hasForeignPowerKey: Bool { roles.hasForeignPowerKey(of: handle) }

  /// The line of each key that is down; a line that two of them hold is there twice.
  var linesDown: [Line] {
    roles.keys.indices.filter { isDown[$0] }.map { roles.keys[$0].line }
  }

  enum End {
    /// Nothing is left.
    case drained
    /// There was enough for one turn.
    case limit
    /// The device has gone.
    case gone
  }

  /// Takes what the device did, `limit` events at most.
  /// - Parameter offset: from CLOCK_MONOTONIC to the boot-time clock.
  func drain(
    limit: Int, offset: Span, at now: Instant, into changes: inout [DeviceChange]
  ) -> End {
    for _ in 0..<limit {
      switch handle.next() {
      case .none: return .drained
      case .gone:
        isGone = true
        return .gone
      case .event(let event):
        let stamp = Instant(nanoseconds: event.monotonic_ns) + offset
        // What was lost has no stamp; that it differs is known now.
        last = max(last, event.is_resynced != 0 ? now : stamp)
        if let kind = meaning(of: event) { changes.append(DeviceChange(kind: kind, at: last)) }
      }
    }
    return .limit
  }

  private func meaning(of event: cevdev_event) -> DeviceChange.Kind? {
    if event.kind == cevdev_axis, event.code == roles.axis {
      return .turned(Int(max(-Self.detentsMax, min(event.value, Self.detentsMax))))
    }
    guard event.kind == cevdev_key,
      let key = roles.keys.firstIndex(where: { $0.code == event.code })
    else { return nil }
    // A value of 2 is the kernel's own repeat of a held key. Controls repeats by itself, with the
    // box's delay and rate.
    switch (event.value, isDown[key]) {
    case (1, false):
      isDown[key] = true
      return .pressed(roles.keys[key].line)
    case (0, true):
      isDown[key] = false
      return .released(roles.keys[key].line)
    default: return nil
    }
  }
}
