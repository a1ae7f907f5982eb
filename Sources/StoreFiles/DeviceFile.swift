import Sessions

/// The file `device` of a state folder: who this device is, and which machine it was made on.
///
/// The first line is the UUID, the second, where it is there, `hardware` and the machine's number.
struct DeviceFile: Equatable {
  /// The file's name.
  static let name = "device"
  private static let hardwareWord = "hardware "

  var device: Identity
  var hardware: String?

  init(device: Identity, hardware: String?) {
    self.device = device
    self.hardware = hardware
  }

  /// Reads the file; nil where it does not begin with a UUID.
  init?(_ bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard let first = lines.first, let device = Identity(String(first)) else { return nil }
    self.device = device
    hardware = lines.dropFirst().first { $0.hasPrefix(DeviceFile.hardwareWord) }.map {
      String($0.dropFirst(DeviceFile.hardwareWord.utf8.count))
    }
  }

  var bytes: [UInt8] {
    let second = hardware.map { "\(DeviceFile.hardwareWord)\($0)\n" } ?? ""
    return Array("\(device)\n\(second)".utf8)
  }

  /// Whether a state folder with this file has come to another machine. A number that is not known,
  /// then or now, says nothing.
  func isCloned(on hardware: String?) -> Bool {
    guard let before = self.hardware, let hardware else { return false }
    return before != hardware
  }
}
