/// Where a rule holds.
enum Scope: Sendable {
  /// Everything a compiler reads: sources, tests and the manifest.
  case swift
  /// All of Sources.
  case product
  /// Sources, but for the shell rooms and the binary.
  case pureOrShared
  case pure
  /// The rooms where time is reckoned, in integers only.
  case integerTime

  /// Whether a file is in it.
  func holds(_ path: String, _ house: House) -> Bool {
    guard path.hasSuffix(".swift") else { return false }
    let names = path.split(separator: "/")
    guard names.first == "Sources", names.count > 2 else {
      if case .swift = self { return true }
      return false
    }
    let room = String(names[1])
    let isPure = house.pure.contains { $0.name == room }
    switch self {
    case .swift, .product: return true
    case .pureOrShared: return isPure || house.shared.contains { $0.name == room }
    case .pure: return isPure
    case .integerTime: return room == "Ticks" || room == "TimerMachine"
    }
  }
}
