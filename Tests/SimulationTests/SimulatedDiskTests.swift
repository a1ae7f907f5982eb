import Testing

@testable import Simulation

@Suite struct SimulatedDiskTests {
  @Test func disk_inError_listsNothing() {
    var disk = SimulatedDisk()
    disk.state = .error
    #expect(throws: SimulatedDiskError.self) { try disk.volumes() }
    disk.state = .readOnly
    #expect(throws: Never.self) { try disk.volumes() }
  }
}
