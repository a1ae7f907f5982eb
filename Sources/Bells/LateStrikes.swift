import Ticks

/// Which strikes began late, lately: what was overdue beside one of them is not struck as well.
///
/// Strikes that an output was away for would all fall on the frame at which it takes the first of
/// them, and be as loud as all of them together.
struct LateStrikes {
  private struct Late {
    var sound: Int
    var channel: UInt8
    var started: Instant
  }

  // As many as can be overdue together. Walked by index: over a private type the library's
  // iterators allocate in a debug build.
  private var strikes: [Late]
  private var oldest = 0

  init() {
    let none = Late(sound: 0, channel: 0, started: Instant(nanoseconds: .min))
    strikes = Array(repeating: none, count: StrikeSchedule.capacity)
  }

  /// A strike began late.
  mutating func add(_ strike: Strike, startedAt started: Instant) {
    strikes[oldest] = Late(sound: strike.sound, channel: strike.channel, started: started)
    oldest = (oldest + 1) % strikes.count
  }

  /// Whether one of the same sound and channel began late when this one was due already.
  func stand(for strike: Strike) -> Bool {
    for index in 0..<strikes.count {
      let late = strikes[index]
      if late.sound == strike.sound, late.channel == strike.channel, strike.due <= late.started {
        return true
      }
    }
    return false
  }
}
