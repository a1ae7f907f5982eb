/// Words that the code of some rooms must not use, and why. One row a reason.
struct WordRule: Sendable {
  var scope: Scope
  var words: [String]
  var reason: String
}

let wordRules: [WordRule] = [
  WordRule(
    scope: .pure,
    words: [
      "ContinuousClock", "SuspendingClock", "clock_gettime", "gettimeofday", "DispatchTime",
    ],
    reason: "a pure room reads no clock; instants come with the events"),
  WordRule(
    scope: .pure,
    words: [
      "SystemRandomNumberGenerator", "random(", "randomElement(", "shuffled(", "shuffle(",
    ],
    reason: "a pure room knows no chance but a SeededGenerator"),
  WordRule(
    scope: .pure, words: ["print(", "debugPrint(", "dump("],
    reason: "a pure room returns its work; it prints nothing"),
  WordRule(
    scope: .pure,
    words: ["Set<", "Set(", "Dictionary<", "Dictionary(", "Hasher(", "hashValue", "[:]"],
    reason: "hashed collections have a random order; use an array or a sorted table"),
  WordRule(
    scope: .swift, words: ["== (try", "!= (try"],
    reason: "the macros of Swift 6.0's Testing refuse a `try` on the right; name the value first"),
  WordRule(
    scope: .pure, words: ["any"],
    reason: "Embedded Swift has no existentials; use a generic or a closed enum"),
  WordRule(
    scope: .integerTime, words: ["Double", "Float", "Float16", "Float32", "Float64", "CGFloat"],
    reason: "time is whole nanoseconds"),
  WordRule(
    scope: .product,
    words: [
      "async", "await", "actor", "Task", "TaskGroup", "MainActor", "Dispatch", "DispatchQueue",
    ],
    reason: "the house has three threads of its own and no other concurrency"),
  WordRule(
    scope: .product, words: ["any Error"],
    reason: "throws are typed: one error enum a room"),
  WordRule(
    scope: .product, words: ["try!", "as!", "fatalError("],
    reason: "misuse is a precondition, a fault is a typed error"),
  WordRule(
    scope: .pureOrShared, words: ["@unchecked", "nonisolated(unsafe)", "@preconcurrency"],
    reason: "only a shell room may vouch for what the compiler cannot see"),
  WordRule(
    scope: .swift, words: ["import Foundation"],
    reason: "the whole of Foundation is never linked; FoundationEssentials is"),
  WordRule(
    scope: .swift,
    words: [
      "InlineArray", "Span<", "MutableSpan", "RawSpan", "MutableRawSpan", "OutputSpan", "UTF8Span",
      "@c", "@inline(always)", "weak let", "isolated deinit", "nonisolated struct",
      "nonisolated class", "nonisolated enum", "~Escapable", "@section",
    ],
    reason: "newer than Swift 6.0"),
]

extension WordRule {
  /// Every breach of this rule in a file.
  func findings(in file: SourceText, _ house: House) -> [Finding] {
    guard scope.holds(file.path, house) else { return [] }
    return words.flatMap { word in
      file.lines(ofCode: word).map {
        Finding(path: file.path, line: $0, message: "`\(word)`: \(reason)")
      }
    }
  }
}
