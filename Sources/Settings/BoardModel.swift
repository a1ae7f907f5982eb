/// What a machine says it is, by the texts of its device tree, and the shipped board that fits it.
public struct BoardModel: Equatable, Sendable {
  /// `/proc/device-tree/model`: `Raspberry Pi 4 Model B Rev 1.5`; empty where there is none.
  public let model: String
  /// `/proc/device-tree/compatible`: the board first, its chip last.
  public let compatible: [String]

  /// Takes the two files' bytes, in which each text ends with a zero byte.
  public init(model: [UInt8], compatible: [UInt8]) {
    self.model = BoardModel.texts(model).first ?? ""
    self.compatible = BoardModel.texts(compatible)
  }

  /// The name of the shipped board; nil if there is none for this machine. The board's own entry
  /// decides before that of its chip.
  public var boardName: String? {
    for entry in compatible {
      if let row = BoardModel.boards.first(where: { $0.compatible.contains(entry) }) {
        return row.board
      }
    }
    return nil
  }

  /// The machine in words, for messages.
  public var text: String {
    if model.isEmpty && compatible.isEmpty { return "no device tree" }
    let names = compatible.isEmpty ? "" : " (\(compatible.joined(separator: ", ")))"
    return quoted(model) + names
  }

  private static func texts(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Models with the 40-pin header; the first two generations' 26 pins have other lines. The chip's
  /// entry stands for models that came later.
  private static let boards: [(board: String, compatible: [String])] = [
    ("raspberry-pi-5", ["raspberrypi,5-model-b", "brcm,bcm2712"]),
    ("raspberry-pi-4", ["raspberrypi,4-model-b", "raspberrypi,400", "brcm,bcm2711"]),
    (
      "raspberry-pi-zero-2",
      [
        "raspberrypi,model-zero-2-w", "raspberrypi,model-zero-2", "raspberrypi,model-zero-w",
        "raspberrypi,model-zero",
      ]
    ),
    (
      "raspberry-pi-3",
      [
        "raspberrypi,3-model-b", "raspberrypi,2-model-b", "raspberrypi,model-b-plus",
        "raspberrypi,model-a-plus", "brcm,bcm2837", "brcm,bcm2836",
      ]
    ),
    (
      "orange-pi-pc",
      [
        "xunlong,orangepi-pc", "xunlong,orangepi-pc-plus", "xunlong,orangepi-one",
        "xunlong,orangepi-lite", "xunlong,orangepi-plus2e",
      ]
    ),
    ("orange-pi-3", ["xunlong,orangepi-3"]),
    ("radxa-zero", ["radxa,zero"]),
    ("radxa-rock-4c-plus", ["radxa,rock-4c-plus", "radxa,rockpi4c-plus"]),
  ]
}
