import Appliance
import Settings
import Ticks

// The verbs of control.
extension ScenarioParser {
  /// `start [LENGTH|PROGRAMME] [--until HH:MM] [--open] [--anyway]`.
  func start(_ words: inout Words) throws(ScenarioError) -> Scenario.Action {
    var length: SitLength?
    var until: Span?
    var isAnyway = false
    while let word = words.take() {
      switch word.text {
      case "--anyway": isAnyway = true
      case _ where length != nil || until != nil:
        throw words.wrong(word, "one length, or --anyway")
      case "--until": until = try timeOfDay(&words)
      case "--open": length = .open
      // A length begins with a digit, and no programme does.
      case _ where word.text.first?.isNumber == true:
        length = .fixed(try fixedLength(word, words))
      // No programme is called so.
      case "open", "until":
        throw words.wrong(
          word, "a length, a programme or an option; did you mean \"--\(word.text)\"?")
      default: length = .programme(word.text)
      }
    }
    if let until { return .startUntil(until, anyway: isAnyway) }
    return .command(.start(length ?? .set, anyway: isAnyway))
  }

  private func timeOfDay(_ words: inout Words) throws(ScenarioError) -> Span {
    let expected = "a time of day such as 07:00"
    let word = try words.take(expected)
    let parts = word.text.split(separator: ":", omittingEmptySubsequences: false)
    guard word.text.utf8.count == 5, parts.count == 2, let hours = UInt8(parts[0]),
      let minutes = UInt8(parts[1]), hours < 24, minutes < 60
    else { throw words.wrong(word, expected) }
    return .hours(Int64(hours)) + .minutes(Int64(minutes))
  }

  private func fixedLength(_ word: Word, _ words: Words) throws(ScenarioError) -> Span {
    let span = try self.length(word, dropping: 0, words)
    guard (.minutes(1)...(.hours(168))).contains(span) else {
      throw words.wrong(word, "a length from 1m to 7d")
    }
    return span
  }
}
