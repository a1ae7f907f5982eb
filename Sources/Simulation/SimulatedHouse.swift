import Bells
import Box
import Sessions
import Settings
import Ticks
import Zones

/// All boxes of a scenario with the folder that they share, in one virtual time.
///
/// Invariants:
/// - Of all that is due at one instant the boxes do one round each in turn, in the order in which
///   they are named.
/// - What a box writes into the shared folder is seen by the others at the same instant.
struct SimulatedHouse {
  /// A box in a place of its own: an array holds no value that cannot be copied.
  private final class Room {
    var box: SimulatedBox
    let configuration: Configuration

    init(_ box: consuming SimulatedBox, _ configuration: Configuration) {
      self.box = box
      self.configuration = configuration
    }
  }

  /// What the strikes of the first box sound, by position.
  let sounds: [Sound]
  private let rooms: [Room]
  let share: SimulatedShare

  /// Makes the boxes, each with what it finds at its start.
  init(
    _ scenario: Scenario, seed: UInt64, ticks: Bool,
    trace: @escaping (String) -> Void
  ) {
    share = SimulatedShare(boxes: scenario.boxes.count)
    sounds = Sound.catalogue(for: scenario.boxes[0].configuration.sound.speaker)
    var owners = SeededGenerator(seed: ~seed &+ 1)
    let owner = Identity(randomHigh: owners.next(), low: owners.next())
    var seeds = SeededGenerator(seed: seed)
    var rooms: [Room] = []
    for (index, named) in scenario.boxes.enumerated() {
      let configuration = named.configuration
      let sounds = Sound.catalogue(for: configuration.sound.speaker)
      var settings = BoxSettings(
        appliance: configuration.appliance(sounds: sounds), seed: index == 0 ? seed : seeds.next())
      settings.lineNames = scenario.board.lineNames
      configuration.apply(to: &settings)
      let output = SimulatedOutput(
        outputs: SimulatedHouse.outputs(configuration), sounds: sounds,
        settings: PlaybackSettings(latest: configuration.sound.latest, queue: .immediate))
      let box = SimulatedBox(
        name: named.name, settings: settings, configuration: configuration,
        wired: scenario.board.lines, output: output, folder: SimulatedFolder(share: share, box: index), owner: owner, zone: scenario.zone,
        wall: SimulatedWall(
          unixNanoseconds: scenario.wall.unixNanoseconds, hasBattery: scenario.hasBatteryClock),
        ticks: ticks, trace: trace)
      rooms.append(Room(box, configuration))
    }
    self.rooms = rooms
    for room in rooms { room.box.begin() }
    spread(at: .zero)
  }

  /// What the first box played.
  var rendering: [Rendering.Event] { rooms[0].box.rendering }

  /// Does everything that is due up to an instant, in the order of time.
  mutating func advance(to instant: Instant) {
    while let due = rooms.compactMap({ $0.box.nextDeadline }).min(), due <= instant {
      for room in rooms {
        if room.box.step(to: due) { spread(at: due) }
      }
    }
    for room in rooms { _ = room.box.step(to: instant) }
  }

  /// Has a statement's box, or all of them, do what it says.
  mutating func perform(_ action: Scenario.Action, on box: Int?, at instant: Instant) {
    for (index, room) in rooms.enumerated() where box ?? index == index {
      room.box.perform(action)
    }
    spread(at: instant)
  }

  /// What does not hold of a box, or of the first of all of which it does not.
  func check(_ expectation: Expectation, of box: Int?, at instant: Instant) -> String? {
    for (index, room) in rooms.enumerated() where box ?? index == index {
      let neighbours = rooms.map {
        (name: $0.box.name, device: $0.box.storage.keeper.store.device)
      }
      guard
        let message = expectation.check(
          room.box, at: instant, room.configuration, neighbours: neighbours)
      else { continue }
      return rooms.count == 1 ? message : "\(message) on \(room.box.name)"
    }
    return nil
  }

  /// Tells the boxes of what others have changed in the shared folder.
  private func spread(at instant: Instant) {
    for (index, room) in rooms.enumerated() where share.takeNews(of: index) {
      room.box.look(at: instant)
    }
  }

  /// The outputs that the settings name. They need no lead-in and are let go after the last tail,
  /// unless the settings say otherwise.
  private static func outputs(
    _ configuration: Configuration
  ) -> [(name: String, traits: OutputTraits)] {
    let sound = configuration.sound
    return ([sound.device] + sound.fallback).map { name in
      let traits = OutputTraits(
        leadIn: sound.leadIn ?? .zero, offset: sound.offsets[name],
        keepAlive: sound.keepAlive ?? .never)
      return (name, traits)
    }
  }
}
