import LinuxIO
import Testing

@testable import ControlSocket

@Suite struct ControlPathTests {
  @Test func folders_areTriedInTheirOrder() {
    func folders(_ user: UInt32, _ environment: [String: String]) -> [String] {
      ControlPath.folders(user: user) { environment[$0] }
    }
    #expect(folders(0, [:]) == ["/run/timerbox", "/tmp/timerbox-0"])
    #expect(folders(7, [:]) == ["/tmp/timerbox-7"])
    #expect(
      folders(7, ["XDG_RUNTIME_DIR": "/run/user/7"])
        == ["/run/user/7/timerbox", "/tmp/timerbox-7"])
    #expect(folders(0, ["RUNTIME_DIRECTORY": "/run/a:/run/b"]) == ["/run/a"])
  }

  @Test func client_triesItsOwnServiceThenTheSystems() {
    let paths = ControlPath.forClient(user: 7) { _ in nil }
    #expect(paths == ["/tmp/timerbox-7/control.sock", "/run/timerbox/control.sock"])
    #expect(ControlPath.forClient(option: "/x", user: 7) { _ in nil } == ["/x"])
    let named = ControlPath.forClient(user: 0) { $0 == "RUNTIME_DIRECTORY" ? "/run/a" : nil }
    #expect(named == ["/run/a/control.sock"])
  }

  @Test func folder_thatCannotBeMade_isPassedOver() throws {
    let name = try Machine.random(count: 6).map { String($0, radix: 16) }.joined()
    let folder = "/tmp/timerbox-path-\(name)"
    defer { try? Files.removeFolder(folder) }
    try ControlPath.prepare(folder, user: Machine.user)
    #expect(try Files.status(folder).permissions == 0o700)
    let environment = ["XDG_RUNTIME_DIR": "/proc/none"]
    #expect(throws: SystemError.self) {
      try ControlPath.prepare("/proc/none/timerbox", user: Machine.user)
    }
    #expect(ControlPath.folders(user: 7) { environment[$0] }.last == "/tmp/timerbox-7")
  }

  @Test func folder_underTmpThatOthersCanEnter_isRefused() throws {
    let name = try Machine.random(count: 6).map { String($0, radix: 16) }.joined()
    let folder = "/tmp/timerbox-path-\(name)"
    defer { try? Files.removeFolder(folder) }
    try Files.makeFolder(folder, permissions: 0o755)
    let error = SystemError(call: "mkdir", path: folder, errno: .notPermitted)
    #expect(throws: error) { try ControlPath.prepare(folder, user: Machine.user) }
    #expect(throws: error) { try ControlPath.prepare(folder, user: Machine.user + 1) }
  }
}
