import Controls
import Settings
import Ticks

// Statements about the lines of the board and how they are read.
extension ScenarioParser {
  func loss(_ words: inout Words) throws(ScenarioError) -> EdgeLoss {
    let expected = "a share such as 2%, v1, v2 or none"
    let word = try words.take(expected)
    switch word.text {
    case "none": return .none
    case "v1": return .firstKernelQueue
    case "v2": return .secondKernelQueue
    default:
      guard word.text.last == "%", let percent = Int(word.text.dropLast()),
        (0...100).contains(percent)
      else { throw words.wrong(word, expected) }
      return .percent(percent)
    }
  }

  func reading(_ words: inout Words) throws(ScenarioError) -> EdgeReading {
    switch try choice(&words, ["every", "prompt", "stall"]) {
    case "every": return .every(try span(&words))
    case "stall": return .stall(try span(&words))
    default: return .prompt
    }
  }

  func lineCondition(_ words: inout Words) throws(ScenarioError) -> Scenario.Action {
    let letters = Line.allCases.map { String(Unicode.Scalar($0.letter)) }
    let letter = try choice(&words, letters)
    let line = letter.utf8.first.flatMap { Line(letter: $0) } ?? .a
    switch try choice(&words, ["busy", "gone", "noise", "ok", "stuck"]) {
    case "busy": return .line(line, .busy(try words.take("who holds it, as \"spi0 CS0\"").text))
    case "gone": return .line(line, .gone)
    case "noise": return .line(line, .noise)
    case "stuck":
      return .line(line, .stuck(try choice(&words, ["0", "1"]) == "0" ? .low : .high))
    default: return .line(line, .ok)
    }
  }

  func span(_ words: inout Words) throws(ScenarioError) -> Span {
    let expected = "a length from 1ms to 1h"
    let word = try words.take(expected)
    let span = try length(word, dropping: 0, words)
    guard (.milliseconds(1) ... .hours(1)).contains(span) else { throw words.wrong(word, expected) }
    return span
  }
}
