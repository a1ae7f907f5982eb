import Controls
import Settings
import Ticks
import Zones

/// The names that may stand at a place, in words.
func oneOf(_ names: [String]) -> String {
  "one of: " + names.joined(separator: ", ")
}

// Values that several statements use.
extension ScenarioParser {
  func length(_ words: inout Words) throws(ScenarioError) -> Span {
    try length(try words.take("a length such as 1m30s"), dropping: 0, words)
  }

  func length(
    _ word: Word, dropping count: Int, _ words: Words
  ) throws(ScenarioError) -> Span {
    let span: Span
    do throws(LengthError) {
      span = try Span(length: word.text.dropFirst(count))
    } catch {
      throw words.wrong(word, "\(error.expected)", column: word.column + count + error.column - 1)
    }
    // Sums of lengths stay far within 63 bits.
    guard span <= .hours(87_600) else { throw words.wrong(word, "a length up to 3650d") }
    return span
  }

  func number(
    _ words: inout Words, _ range: ClosedRange<Int>
  ) throws(ScenarioError) -> Int {
    let expected = "a number from \(range.lowerBound) to \(range.upperBound)"
    let word = try words.take(expected)
    let digits = word.text.first == "+" ? word.text.dropFirst() : word.text[...]
    guard let value = Int(digits), range.contains(value) else {
      throw words.wrong(word, expected)
    }
    return value
  }

  /// One of a few names.
  func choice(_ words: inout Words, _ names: [String]) throws(ScenarioError) -> String {
    let word = try words.take(oneOf(names))
    guard names.contains(word.text) else {
      throw words.wrong(word, oneOf(names) + suggestion(for: word.text, among: names))
    }
    return word.text
  }

  func button(_ words: inout Words) throws(ScenarioError) -> Button {
    let name = try choice(&words, Button.allCases.map(\.name.description))
    return Button.allCases.first { $0.name.description == name } ?? .crown
  }

  func timestamp(_ words: inout Words) throws(ScenarioError) -> Timestamp {
    let word = try words.take("an instant such as 2026-11-30T06:00:00+09:00")
    let timestamp: Timestamp
    do throws(TimestampError) {
      timestamp = try Timestamp(text: word.text)
    } catch {
      throw words.wrong(word, error.expected, column: word.column + error.column - 1)
    }
    guard Scenario.wallRange.contains(timestamp.unixNanoseconds) else {
      throw words.wrong(word, "an instant of the years 1970 to 2199")
    }
    return timestamp
  }

  func zone(_ words: inout Words) throws(ScenarioError) -> ZoneRules {
    let word = try words.take("a zone such as Asia/Seoul")
    switch zones(word.text) {
    case .success(let rules): return rules
    case .failure(let error): throw words.error(error.message, word.column)
    }
  }

  func seed(_ words: inout Words) throws(ScenarioError) -> UInt64 {
    let expected = "a number from 0 to 18446744073709551615"
    let word = try words.take(expected)
    guard let seed = UInt64(word.text) else { throw words.wrong(word, expected) }
    return seed
  }
}
