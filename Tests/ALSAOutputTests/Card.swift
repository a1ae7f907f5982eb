import Bells
import Glibc
import Testing
import Ticks
import TimedCard

@testable import ALSAOutput

/// A card of Tests/alsa-card: libasound plays on it as `hw:CARD=ID` and, with conversion in front,
/// as `plughw:CARD=ID`.
final class Card {
  let id: String
  /// What the test sets and the card tells.
  let state: UnsafeMutablePointer<timed_card>
  private let path: String
  private static let soundBytes = 48_000 * 2 * 4 * 40

  /// - Parameter id: no two tests use the same.
  init(_ id: String) {
    self.id = id
    path = Recorder.folder + "/\(id).card"
    guard let state = timed_card_make(path, Int64(Card.soundBytes)) else {
      fatalError("\(path) cannot be made")
    }
    self.state = state
  }

  deinit {
    timed_card_release(state, Int64(Card.soundBytes))
    unlink(path)
  }

  var output: OutputRequest { output() }

  func output(leadIn: Span = .milliseconds(50)) -> OutputRequest {
    OutputRequest(name: "hw:CARD=\(id)", leadIn: leadIn)
  }

  /// What was heard on a channel.
  func heard(_ channel: Int = 0) -> [Int32] {
    let channels = max(1, Int(state.pointee.channels))
    let count = min(Int(state.pointee.heard_frames), Card.soundBytes / 4 / channels)
    guard let samples = timed_card_heard(state) else { return [] }
    return (0..<count).map { samples[$0 * channels + channel] }
  }

  /// When each sound that follows 20 ms of silence began to be heard, on the boot-time clock.
  var onsets: [Instant] {
    var found: [Instant] = []
    var last = -1_000_000
    for (frame, sample) in heard().enumerated() where sample != 0 {
      // The first frame of a strike is zero.
      if frame - last > state.pointee.rate / 50 { found.append(time(of: frame - 1)) }
      last = frame
    }
    return found
  }

  func time(of frame: Int) -> Instant {
    Instant(nanoseconds: timed_card_time(state, Int64(frame))) + bootTimeLead
  }
}

let bootTimeLead: Span = {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return bootTime()
    - Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
}()

func monotonic(_ instant: Instant) -> Int64 { (instant - bootTimeLead).nanoseconds }

/// The plug-in, made with the compiler that the build uses too.
enum CardLibrary {
  static func make(in products: String) {
    let root = #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 }
    let folder = root + "/Tests/alsa-card/plugin"
    let status = run([
      "cc", "-std=gnu11", "-shared", "-fPIC", "-DPIC", "-Wall", "-Wextra", "-Werror",
      // Its controls keep what they are set to also while nobody has the library open.
      "-Wl,-z,nodelete", "-o",
      products + "/card.so", folder + "/card.c", folder + "/controls.c", "-lasound", "-lm",
    ])
    guard status == 0 else { fatalError("the card cannot be made: cc ended with \(status)") }
  }

  /// Runs a program to its end.
  static func run(_ command: [String]) -> Int32 {
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    words.append(nil)
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    guard posix_spawnp(&process, command[0], nil, nil, words, environ) == 0 else { return -1 }
    var status: Int32 = 0
    guard waitpid(process, &status, 0) == process else { return -1 }
    return status & 0x7f == 0 ? status >> 8 : 128 + status & 0x7f
  }
}

/// How long a thread of this process has worked.
func workingTime(of thread: Int64) -> Span {
  guard let file = fopen("/proc/self/task/\(thread)/schedstat", "r") else { return .zero }
  defer { fclose(file) }
  var line = Array(repeating: CChar(0), count: 128)
  guard fgets(&line, 128, file) != nil else { return .zero }
  return Span(nanoseconds: Int64(strtoll(line, nil, 10)))
}

/// Waits until something holds, or the time is over.
func wait(within span: Span, until holds: () -> Bool) -> Bool {
  let end = bootTime() + span
  while !holds() {
    if bootTime() > end { return false }
    usleep(2_000)
  }
  return true
}

func strike(_ number: UInt32, at due: Instant, sound: Int = 0) -> Strike {
  Strike(number: number, sound: sound, due: due, gain: 1)
}

let brief = PlaybackSettings(hold: .milliseconds(100))
