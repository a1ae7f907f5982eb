/// When and by which device a value was written: the order in which values win.
///
/// The time is a hybrid one: the wall clock where that is later than what it replaces, else the
/// replaced stamp's time with the counter one higher. So a box whose clock runs ahead cannot keep a
/// value for ever, and only the value that follows it takes its time, not the whole box.
public struct Stamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970, up to the end of the year 9999.
  public let milliseconds: Int64
  /// Counts writes that the clock cannot tell apart, or that the clock is behind of.
  public let counter: Int64
  /// The device that wrote.
  public let device: Identity

  private static let lastMillisecond = WallInstant.range.upperBound
  private static let lastCounter = Int64.max - 1

  init(milliseconds: Int64, counter: Int64, device: Identity) {
    self.milliseconds = milliseconds
    self.counter = counter
    self.device = device
  }

  /// The stamp of a write that follows `earlier`. Nothing follows the last counter of the last
  /// millisecond; it is a value that only a forger writes.
  init(at wall: WallInstant, device: Identity, after earlier: Stamp?) {
    let now = min(max(wall.milliseconds, 0), Stamp.lastMillisecond)
    guard let earlier, earlier.milliseconds >= now else {
      self.init(milliseconds: now, counter: 0, device: device)
      return
    }
    if earlier.counter < Stamp.lastCounter {
      self.init(milliseconds: earlier.milliseconds, counter: earlier.counter + 1, device: device)
    } else {
      let next = min(earlier.milliseconds + 1, Stamp.lastMillisecond)
      self.init(
        milliseconds: next, counter: next > earlier.milliseconds ? 0 : Stamp.lastCounter,
        device: device)
    }
  }

  /// Reads `MILLISECONDS.COUNTER@DEVICE`, without `.COUNTER` when it is zero. Only this one
  /// spelling is taken, the time must be one that can be shown, and the counter no greater than the
  /// last one: what follows that is in the next millisecond.
  init?(_ text: String) {
    var bytes = Array(text.utf8)[...]
    guard let milliseconds = Stamp.takeNumber(&bytes), milliseconds <= Stamp.lastMillisecond else {
      return nil
    }
    self.milliseconds = milliseconds
    if bytes.first == UInt8(ascii: ".") {
      bytes.removeFirst()
      guard let counter = Stamp.takeNumber(&bytes), (1...Stamp.lastCounter).contains(counter) else {
        return nil
      }
      self.counter = counter
    } else {
      counter = 0
    }
    guard bytes.first == UInt8(ascii: "@"), let device = Identity(compact: bytes.dropFirst()) else {
      return nil
    }
    self.device = device
  }

  /// Takes the digits of a number that begins with no needless zero.
  private static func takeNumber(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
    let first = bytes.startIndex
    var place = first
    var value: Int64 = 0
    while place < bytes.endIndex, (0x30...0x39).contains(bytes[place]) {
      let digit = Int64(bytes[place] - 0x30)
      let (shifted, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      if isTooLarge || shifted > .max - digit || place > first && value == 0 { return nil }
      value = shifted + digit
      place += 1
    }
    bytes = bytes[place...]
    return place == first ? nil : value
  }

  init?(_ value: JSONValue?) {
    guard let text = value?.stringValue else { return nil }
    self.init(text)
  }

  var text: String {
    "\(milliseconds)\(counter == 0 ? "" : ".\(counter)")@\(device.compact)"
  }

  /// The earlier one first; at one time, by device.
  public static func < (left: Stamp, right: Stamp) -> Bool {
    (left.milliseconds, left.counter, left.device)
      < (right.milliseconds, right.counter, right.device)
  }

  /// The later of two stamps; one that is not there is earlier than any.
  static func later(_ left: Stamp?, _ right: Stamp?) -> Stamp? {
    guard let left, let right else { return left ?? right }
    return max(left, right)
  }
}
