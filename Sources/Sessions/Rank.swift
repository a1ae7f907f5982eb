/// Where a definition stands in its list: programmes are sorted by rank, then by id. A rank between
/// two others can always be made, so that moving one programme writes one field, and two boxes can
/// reorder at once without numbering anything anew.
///
/// A rank is text. Those made here are digits of `alphabet`, read as a fraction of base 62: `V` is
/// one half, `V1` a little more. Ranks that others wrote may be anything, and are sorted by bytes
/// like the rest.
///
/// Invariants:
/// - The order is that of the UTF-8 bytes, and no other: no locale, and no Unicode equivalence, in
///   which two spellings of one letter are equal on one box and sorted on another.
/// - A rank made here does not end in the lowest digit (nothing fits between `V` and `V0`), and is
///   at most `lengthMax` long.
/// - The same neighbours give the same rank on every box. Two boxes that insert at one place at
///   once give equal ranks, and the ids decide; who inserts between those first repairs them.
///   What two boxes insert at one place as blocks may come to stand interleaved.
///
/// The rules are those of "fractional indexing" as its users' reports ask for them: never end in
/// the lowest digit, compare bytes (kvandake/lexorank-dotnet#2, alexcrawford/lexorank-php#2), step
/// at the ends in place of halving (amborle/featmap#64), repair equals on demand
/// (rocicorp/fractional-indexing#14).
public struct Rank: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The digits, lowest first, which is also the order of their bytes.
  public static let alphabet = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
  /// No rank made here has more bytes. Halving one gap needs a digit for five insertions, so 1,200
  /// of them at one place fit; the next one repairs its neighbours.
  public static let lengthMax = 256

  private static let base = alphabet.count
  /// A step at an end of the list is one in the last of two digits: from the middle 1,800 steps
  /// either way fit into two digits, and each further 3,700 take two more.
  private static let blockDigits = 2

  private let bytes: [UInt8]

  /// A rank as it is written; any text is one.
  public init(_ text: String) {
    bytes = Array(text.utf8)
  }

  private init(digits: [Int]) {
    bytes = digits.map { Rank.alphabet[$0] }
  }

  /// The rank as it is written.
  public var description: String { String(decoding: bytes, as: UTF8.self) }

  /// In the order of their bytes.
  public static func < (left: Rank, right: Rank) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

// MARK: - Between

extension Rank {
  /// A rank after one and before another.
  /// - Parameters:
  ///   - lower: the one before; nil at the beginning of the list.
  ///   - upper: the one after; nil at the end.
  /// - Returns: nil where there is no room: the two are equal or in the wrong order, or what others
  ///   wrote leaves none, or only a rank over `lengthMax` would fit. `placement` repairs that.
  public static func between(_ lower: Rank?, _ upper: Rank?) -> Rank? {
    if let lower, let upper, lower >= upper { return nil }
    guard let low = lower == nil ? [] : lower?.digitsAtLeast else { return nil }
    let high = upper?.digitsAtMost
    let digits: [Int]
    switch (low.isEmpty, high) {
    case (true, nil): digits = [base / 2]
    case (false, nil): digits = step(after: low)
    case (true, let high?) where !high.isEmpty: digits = step(before: high)
    case (_, let high?):
      guard low.lexicographicallyPrecedes(high) else { return nil }
      digits = middle(low, high)
    }
    return digits.count <= lengthMax ? Rank(digits: digits) : nil
  }

  /// Digits of which whatever is greater, and does not end in the lowest, is greater than this rank
  /// too: its own, where it is of digits. Nil where no digits are.
  private var digitsAtLeast: [Int]? {
    var (digits, foreign) = leadingDigits
    if var next = foreign {
      while next == Rank.base {
        guard let last = digits.popLast() else { return nil }
        next = last + 1
      }
      digits.append(next)
    }
    return Rank.withoutLowest(digits)
  }

  /// Digits of which whatever is less is less than this rank too: its own, where it is of digits.
  private var digitsAtMost: [Int] {
    let (digits, foreign) = leadingDigits
    if let foreign, foreign > 0 { return Rank.withoutLowest(digits + [foreign - 1]) }
    return Rank.withoutLowest(digits)
  }

  /// The digits that this rank begins with and, if a foreign byte ends them, how many digits are
  /// less than that.
  private var leadingDigits: (digits: [Int], foreign: Int?) {
    var digits: [Int] = []
    for byte in bytes {
      let index = Rank.alphabet.firstIndex { $0 >= byte } ?? Rank.base
      if index == Rank.base || Rank.alphabet[index] != byte { return (digits, index) }
      digits.append(index)
    }
    return (digits, nil)
  }

  private static func withoutLowest(_ digits: [Int]) -> [Int] {
    Array(digits[..<((digits.lastIndex { $0 != 0 } ?? -1) + 1)])
  }

  /// The next step up. Halving would use up the digits of an end that everything is appended to.
  private static func step(after low: [Int]) -> [Int] {
    var head = 0
    while block(of: low, at: head) == base * base - 1 { head += blockDigits }
    var value = block(of: low, at: head) + 1
    if value % base == 0 { value += 1 }
    return low.prefix(head) + [value / base, value % base]
  }

  /// The next step down.
  /// - Precondition: `high` does not end in the lowest digit, and so is more than nothing.
  private static func step(before high: [Int]) -> [Int] {
    var head = 0
    while block(of: high, at: head) == 0 { head += blockDigits }
    var value = block(of: high, at: head) - 1
    if value % base == 0 { value -= 1 }
    // Below the first step a block of nothing is followed by the last one.
    if value < 0 { return high.prefix(head) + [0, 0, base - 1, base - 1] }
    return high.prefix(head) + [value / base, value % base]
  }

  /// Two digits as a number; behind the last digit come the lowest.
  private static func block(of digits: [Int], at index: Int) -> Int {
    digit(digits, index) * base + digit(digits, index + 1)
  }

  private static func digit(_ digits: [Int], _ index: Int) -> Int {
    index < digits.count ? digits[index] : 0
  }

  /// The middle of the first digit at which there is one between the two.
  /// - Precondition: `low` is less than `high`, and neither ends in the lowest digit.
  private static func middle(_ low: [Int], _ high: [Int]) -> [Int] {
    var digits: [Int] = []
    // Once the digits are below those of `high`, whatever follows is.
    var isBelowHigh = false
    while true {
      let from = digit(low, digits.count)
      let to = isBelowHigh ? base : digit(high, digits.count)
      if to - from > 1 { return digits + [(from + to) / 2] }
      isBelowHigh = isBelowHigh || to > from
      digits.append(from)
    }
  }
}

// MARK: - Repair

extension Rank {
  /// A place in a list, made where there is none by the fewest new ranks for its neighbours.
  ///
  /// It is the only occasion on which ranks of others change, and each is a field of its own that
  /// is merged like any other: of a list that was ranked anew everywhere, the moves that another
  /// box made meanwhile would be lost.
  /// - Parameters:
  ///   - order: the list as it is shown, sorted by rank, then id. Equals may stay equal elsewhere.
  ///   - gap: how many of the list stand before the new one.
  /// - Returns: the rank of the new one, and the new ranks of those around it. With them the list
  ///   keeps its order, and both neighbours differ from the new one by rank alone.
  /// - Precondition: the ranks are in order, and the gap is in the list or at an end.
  public static func repaired<ID>(
    _ order: [(rank: Rank, id: ID)], insertingAt gap: Int
  ) -> (rank: Rank, repairs: [(id: ID, rank: Rank)]) {
    precondition((0...order.count).contains(gap), "a place outside of the list")
    precondition(
      zip(order, order.dropFirst()).allSatisfy { $0.rank <= $1.rank }, "a list that is not sorted")
    for count in 0...order.count {
      // Of equally many the later ones: an append leaves what stands before it.
      for start in (max(0, gap - count)...min(gap, order.count - count)).reversed() {
        let end = start + count
        let lower = start == 0 ? nil : order[start - 1].rank
        let upper = end == order.count ? nil : order[end].rank
        guard var ranks = spread(count + 1, between: lower, upper) else { continue }
        let rank = ranks.remove(at: gap - start)
        return (rank, zip(order[start..<end], ranks).map { ($0.id, $1) })
      }
    }
    preconditionFailure("a whole list has always room")
  }

  /// So many ranks in order between two; nil where they have no room. Between two neighbours they
  /// are halved, at an end of the list they are steps.
  private static func spread(_ count: Int, between lower: Rank?, _ upper: Rank?) -> [Rank]? {
    if count == 0 { return [] }
    guard let rank = between(lower, upper) else { return nil }
    let before = upper == nil ? 0 : lower == nil ? count - 1 : (count - 1) / 2
    guard let left = spread(before, between: lower, rank),
      let right = spread(count - 1 - before, between: rank, upper)
    else { return nil }
    return left + [rank] + right
  }
}
