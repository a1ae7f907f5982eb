import CEvdev
import LinuxIO
import Ticks

/// An open node of the kernel with libevdev's knowledge of it; closed at the end of its life.
struct EvdevHandle: ~Copyable {
  private let descriptor: OwnedDescriptor
  private let device: UnsafeMutableRawPointer

  private init(taking descriptor: consuming OwnedDescriptor, device: UnsafeMutableRawPointer) {
    self.descriptor = descriptor
    self.device = device
  }

  deinit { cevdev_close(device) }

  /// Opens a node. Nothing of it is grabbed yet.
  static func open(_ node: String) throws(SystemError) -> EvdevHandle {
    let descriptor = try Files.open(node, [.nonBlocking])
    var failure: Int32 = 0
    guard let device = cevdev_open(descriptor.number, &failure) else {
      throw SystemError(call: "ioctl", path: node, errno: Errno(number: -failure))
    }
    return EvdevHandle(taking: descriptor, device: device)
  }

  var lent: LentDescriptor { descriptor.lent }

  var name: String {
    // Safety: the text lives as long as the device, and is copied here.
    String(cString: cevdev_name(device))
  }

  func has(key: Int32) -> Bool { cevdev_has(device, cevdev_key, key) != 0 }
  func has(axis: Int32) -> Bool { cevdev_has(device, cevdev_axis, axis) != 0 }
  func isDown(_ key: Int32) -> Bool { cevdev_is_down(device, key) != 0 }

  func grab() -> Errno? {
    let result = cevdev_grab(device)
    return result < 0 ? Errno(number: -result) : nil
  }

  enum Next {
    case event(cevdev_event)
    case none
    case gone
  }

  func next() -> Next {
    var event = cevdev_event()
    switch cevdev_next(device, &event) {
    case 1: return .event(event)
    case 0: return .none
    default: return .gone
    }
  }
}
