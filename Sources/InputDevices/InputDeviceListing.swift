import Controls
import LinuxIO
import Settings

/// One input device of the machine, as `devices` shows it.
public struct InputDeviceListing: Equatable, Sendable {
  /// Its node, such as `/dev/input/event0`.
  public var node: String
  /// Its name; nil where the kernel does not tell.
  public var name: String?
  /// The lines it would play; nil if no wiring means it.
  public var lines: LineSet?
  /// Whether it would turn the crown.
  public var turnsCrown: Bool
  /// Why it cannot be read; nil if it can.
  public var fault: InputDeviceFault?

  /// Every input device there is, in the order of the nodes' numbers. Each is opened for a moment,
  /// and none is grabbed.
  /// - Throws: names that the kernel does not have.
  public static func all(
    _ wirings: [InputDeviceWiring], folders: InputDeviceFolders = InputDeviceFolders()
  ) throws(InputDeviceError) -> [InputDeviceListing] {
    var roles: [DeviceRoles] = []
    for wiring in wirings { roles.append(try DeviceRoles(wiring)) }
    return folders.eventNodes().map { InputDeviceListing($0, roles, folders) }
  }

  private init(_ node: String, _ roles: [DeviceRoles], _ folders: InputDeviceFolders) {
    self.node = node
    turnsCrown = false
    do throws(SystemError) {
      let handle = try EvdevHandle.open(node)
      name = handle.name
      var played: DeviceRoles?
      for role in roles where played == nil { played = role.played(by: handle) }
      lines = played?.lines
      turnsCrown = played?.axis != nil
    } catch {
      name = folders.name(of: node)
      fault = InputDeviceFault(node, in: folders, error.errno)
    }
  }
}
