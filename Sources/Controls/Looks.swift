/// The questions for levels that wait to be fetched or to be answered.
struct Looks: Sendable {
  private var asked: LineSet = []
  private var fetched: LineSet = []

  var isAnswered: Bool { asked.isEmpty && fetched.isEmpty }

  mutating func ask(_ lines: LineSet) {
    asked.formUnion(lines)
  }

  mutating func next() -> LineSet? {
    guard !asked.isEmpty else { return nil }
    defer { asked = [] }
    fetched.formUnion(asked)
    return asked
  }

  mutating func answer() {
    (asked, fetched) = ([], [])
  }
}
