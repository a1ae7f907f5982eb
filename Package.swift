// swift-tools-version: 6.0
import PackageDescription

/// One row a room: its name and what it may import. The arrows of ARCHITECTURE.md are this table,
/// and an import that is not in it does not build
/// (`--explicit-target-dependency-import-check error`).
let pureRooms: [(name: String, imports: [String])] = [
  ("Ticks", []),
  ("TimerMachine", ["Ticks"]),
  ("Controls", ["Ticks", "TimerMachine"]),
  ("CrownFront", ["Ticks", "TimerMachine", "Controls"]),
  ("RemoteFront", ["Ticks", "TimerMachine", "Controls"]),
  ("Bells", ["Ticks"]),
  ("Zones", []),
  ("Appliance", ["Ticks", "TimerMachine", "Controls", "CrownFront", "RemoteFront", "Bells"]),
]

let sharedRooms: [(name: String, imports: [String])] = [
  ("Sessions", ["Ticks", "Zones"]),
  ("Pictures", ["Zones", "Sessions"]),
  ("Exchange", ["Sessions", "Zones"]),
  ("Box", ["Ticks", "TimerMachine", "Controls", "Bells", "Zones", "Appliance", "Sessions"]),
]

let shellRooms: [(name: String, imports: [String])] = [
  ("LinuxIO", ["CLinux", "Ticks"]),
  ("ALSAOutput", ["CALSA", "LinuxIO", "Bells", "Ticks"]),
  ("StoreFiles", ["LinuxIO", "Sessions", "Ticks"]),
  ("SoundFiles", ["LinuxIO", "Bells"]),
  (
    "Settings",
    [
      "Ticks", "TimerMachine", "Controls", "CrownFront", "RemoteFront", "Bells", "Appliance",
      "Sessions", "Box",
    ]
  ),
  ("GPIOInput", ["CGPIO", "LinuxIO", "Settings", "Controls", "Ticks"]),
  ("InputDevices", ["CEvdev", "LinuxIO", "Settings", "Controls", "Ticks"]),
  ("ControlSocket", ["LinuxIO", "Box", "Settings", "Ticks"]),
  ("TerminalFace", ["Box", "Ticks"]),
  (
    "Simulation",
    [
      "Ticks", "TimerMachine", "Controls", "Bells", "Zones", "Appliance", "Sessions", "Box",
      "Settings",
    ]
  ),
]

let everyRoom = (pureRooms + sharedRooms + shellRooms).map(\.name)

let swiftSettings: [SwiftSetting] = [
  // `any` must be written where an existential is meant, so that none slips in (SE-0335).
  .enableUpcomingFeature("ExistentialAny")
]

/// What runs on the audio thread is optimised also where the rest is not: the standard library's
/// generic code allocates otherwise, and a test proves that the audio thread does not. The laws of
/// the store and of the sit are tried on hundreds of thousands of states and on ten thousand lives,
/// which takes minutes where it is not.
let optimisedRooms = [
  "Ticks", "TimerMachine", "Bells", "Zones", "Appliance", "Sessions", "Box", "ALSAOutput",
]

func room(_ row: (name: String, imports: [String])) -> Target {
  .target(
    name: row.name,
    dependencies: row.imports.map { .byName(name: $0) },
    swiftSettings: swiftSettings
      + (optimisedRooms.contains(row.name)
        ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : []))
}

func tests(_ name: String, _ imports: [String]) -> Target {
  .testTarget(
    name: name,
    dependencies: imports.map { .byName(name: $0) },
    swiftSettings: swiftSettings)
}

/// A room's tests may import what the room imports, but never its C library: that belongs to the
/// room alone.
let cLibraries = ["CLinux", "CGPIO", "CALSA", "CEvdev", "CSndfile", "CSoxr", "CEbur128"]
/// What stands in for a part of the system in a room's tests.
let standIns = [
  "InputDevices": ["EvdevStandIn"], "GPIOInput": ["timerbox-lines"],
  "ALSAOutput": ["TimedCard", "Witness"], "Zones": ["SystemZone"], "Sessions": ["SystemZone"],
]
let roomTests: [Target] = (pureRooms + sharedRooms + shellRooms).map { row in
  let imports = row.imports.filter { !cLibraries.contains($0) }
  return tests(row.name + "Tests", [row.name] + imports + standIns[row.name, default: []])
}

let package = Package(
  name: "timerbox",
  products: [
    .executable(name: "timerbox", targets: ["timerbox"]),
    .executable(name: "timerbox-import", targets: ["timerbox-import"]),
  ],
  targets: (pureRooms + sharedRooms + shellRooms).map(room) + roomTests + [
    .target(name: "CLinux", cSettings: [.define("_GNU_SOURCE")]),
    .target(name: "CGPIO", linkerSettings: [.linkedLibrary("gpiod")]),
    .target(name: "CEvdev", linkerSettings: [.linkedLibrary("evdev")]),
    .target(name: "CALSA", linkerSettings: [.linkedLibrary("asound")]),
    .target(name: "TimedCard", path: "Tests/alsa-card", exclude: ["plugin", "witness"]),
    .target(
      name: "Witness", path: "Tests/alsa-card/witness",
      linkerSettings: [.linkedLibrary("asound")]),
    .target(name: "SystemZone", path: "Tests/system-zone", cSettings: [.define("_GNU_SOURCE")]),
    .target(name: "CSndfile", linkerSettings: [.linkedLibrary("sndfile")]),
    .target(name: "CSoxr", linkerSettings: [.linkedLibrary("soxr")]),
    .target(name: "CEbur128", linkerSettings: [.linkedLibrary("ebur128")]),
    .target(name: "EvdevStandIn", path: "Tests/standins-evdev"),
    // Writes the recordings that tests read, in every format.
    .target(
      name: "RecordingMaker", path: "Tests/recording-maker",
      linkerSettings: [.linkedLibrary("sndfile")]),
    .executableTarget(
      name: "timerbox",
      dependencies: everyRoom.map { .byName(name: $0) },
      swiftSettings: swiftSettings),
    // Recordings to the box's own form. What decodes strange files is a process of its own.
    .executableTarget(
      name: "timerbox-import",
      dependencies: ["CSndfile", "CSoxr", "CEbur128", "LinuxIO", "Bells", "SoundFiles"].map {
        .byName(name: $0)
      },
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "timerbox-bench",
      dependencies: [
        "Ticks", "Controls", "Bells", "Zones", "Box", "Sessions", "LinuxIO", "StoreFiles",
        "Simulation", "ALSAOutput", "TimedCard",
      ].map { .byName(name: $0) },
      path: "Tests/bench", swiftSettings: swiftSettings),
    // What the stand-ins for libgpiod are tried with.
    .executableTarget(
      name: "timerbox-lines",
      dependencies: ["GPIOInput", "LinuxIO", "Settings", "Controls", "Ticks"].map {
        .byName(name: $0)
      },
      path: "Tests/standins/lines", swiftSettings: swiftSettings),
    tests(
      "TimerboxTests",
      [
        "timerbox", "timerbox-import", "RecordingMaker", "TimedCard", "ALSAOutput", "Appliance",
        "Bells", "ControlSocket", "Sessions", "Settings", "Ticks", "TimerMachine", "Zones",
      ]),
    tests(
      "TimerboxImportTests",
      ["timerbox-import", "RecordingMaker", "LinuxIO", "Bells", "SoundFiles"]),
    tests("TidyTests", []),
  ]
)
