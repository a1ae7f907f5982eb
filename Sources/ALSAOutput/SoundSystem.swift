import Bells
import CALSA
import LinuxIO

/// Where the kernel shows its sound cards.
public struct SoundSystem: Equatable, Sendable {
  /// The folder of processes and of `asound`, `/proc` outside of tests.
  public var processes: String
  /// The folder of the cards' nodes, `/dev/snd` outside of tests.
  public var nodes: String

  /// Names the folders.
  public init(processes: String = "/proc", nodes: String = "/dev/snd") {
    self.processes = processes
    self.nodes = nodes
  }

  /// The cards there are, by their numbers, which may have gaps.
  public var cards: [ALSACard] {
    guard let text = text(processes + "/asound/cards") else { return [] }
    return ALSACard.parse(text)
  }

  /// A node that this process may not use, if there is one: cards are there, but not for us.
  var forbiddenNode: String? {
    names(in: nodes).first {
      ($0.hasPrefix("control") || $0.hasPrefix("pcm")) && calsa_may_use(nodes + "/" + $0) == -EACCES
    }
  }

  /// Whoever plays on a card: the name of the program and its number.
  public func holder(of card: ALSACard) -> String? {
    let folder = "\(processes)/asound/card\(card.number)"
    for device in names(in: folder) where device.hasPrefix("pcm") && device.hasSuffix("p") {
      for part in names(in: "\(folder)/\(device)") where part.hasPrefix("sub") {
        guard let status = text("\(folder)/\(device)/\(part)/status"),
          let line = status.split(separator: "\n").first(where: { $0.hasPrefix("owner_pid") }),
          let number = line.split(separator: " ").last.flatMap({ Int($0) })
        else { continue }
        // The kernel names the thread that opened it, and any thread has a folder of this kind.
        let name = text("\(processes)/\(number)/comm").map { $0.filter { $0 != "\n" } }
        return name.map { "\($0) (process \(number))" } ?? "process \(number)"
      }
    }
    return nil
  }

  private func text(_ path: String) -> String? {
    (try? Files.readWhole(path, limit: 1 << 16)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func names(in path: String) -> [String] {
    guard let folder = try? Files.open(path, .folder) else { return [] }
    return (try? Files.names(in: folder)) ?? []
  }
}
