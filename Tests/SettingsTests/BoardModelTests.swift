import Settings
import Testing

private func model(_ model: String, _ compatible: String...) -> BoardModel {
  BoardModel(
    model: Array(model.utf8) + [0], compatible: compatible.flatMap { Array($0.utf8) + [0] })
}

private let machines: [(machine: BoardModel, board: String)] = [
  (
    model("Raspberry Pi 5 Model B Rev 1.0", "raspberrypi,5-model-b", "brcm,bcm2712"),
    "raspberry-pi-5"
  ),
  (
    model("Raspberry Pi Compute Module 5", "raspberrypi,5-compute-module", "brcm,bcm2712"),
    "raspberry-pi-5"
  ),
  (
    model("Raspberry Pi 4 Model B Rev 1.5", "raspberrypi,4-model-b", "brcm,bcm2711"),
    "raspberry-pi-4"
  ),
  (model("Raspberry Pi 400 Rev 1.0", "raspberrypi,400", "brcm,bcm2711"), "raspberry-pi-4"),
  (
    model("Raspberry Pi 3 Model B Plus", "raspberrypi,3-model-b-plus", "brcm,bcm2837"),
    "raspberry-pi-3"
  ),
  (model("Raspberry Pi 2 Model B", "raspberrypi,2-model-b", "brcm,bcm2836"), "raspberry-pi-3"),
  (
    model("Raspberry Pi Model B Plus", "raspberrypi,model-b-plus", "brcm,bcm2835"),
    "raspberry-pi-3"
  ),
  (
    model("Raspberry Pi Zero 2 W Rev 1.0", "raspberrypi,model-zero-2-w", "brcm,bcm2837"),
    "raspberry-pi-zero-2"
  ),
  (
    model("Raspberry Pi Zero W", "raspberrypi,model-zero-w", "brcm,bcm2835"),
    "raspberry-pi-zero-2"
  ),
  (model("Xunlong Orange Pi PC", "xunlong,orangepi-pc", "allwinner,sun8i-h3"), "orange-pi-pc"),
  (model("OrangePi 3", "xunlong,orangepi-3", "allwinner,sun50i-h6"), "orange-pi-3"),
  (model("Radxa Zero", "radxa,zero", "amlogic,g12a"), "radxa-zero"),
  (model("Radxa ROCK 4C+", "radxa,rock-4c-plus", "rockchip,rk3399"), "radxa-rock-4c-plus"),
]

@Test(arguments: machines)
func model_ofAKnownMachine_hasAShippedBoard(machine: BoardModel, board: String) throws {
  #expect(machine.boardName == board)
  #expect(try shippedBoards().contains(board))
}

@Test func model_ofAnotherMachine_hasNone() {
  // 26 pins, on which the lines 5, 6, 12 and 13 are missing.
  #expect(model("Raspberry Pi Model B", "raspberrypi,model-b", "brcm,bcm2835").boardName == nil)
  let virtual = model("linux,dummy-virt", "linux,dummy-virt")
  #expect(virtual.boardName == nil)
  #expect(virtual.text == "\"linux,dummy-virt\" (linux,dummy-virt)")
  let rock = model("Radxa ROCK 5B", "radxa,rock-5b", "rockchip,rk3588")
  #expect(rock.boardName == nil)
  #expect(rock.text == "\"Radxa ROCK 5B\" (radxa,rock-5b, rockchip,rk3588)")
  let none = BoardModel(model: [], compatible: [])
  #expect(none.boardName == nil)
  #expect(none.text == "no device tree")
  #expect(BoardModel(model: [0xFF, 0], compatible: [0, 0, 0xFF]).boardName == nil)
}
