import Sessions
import Testing
import Zones

@testable import Pictures

/// What of a text is no well-formed XML, as far as pictures use it: elements, attributes in quotes,
/// the five entities. Nil where nothing is.
private func fault(in text: String) -> String? {
  var open: [String] = []
  var rest = Substring(text)
  if rest.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") { rest = rest.dropFirst(39) }
  while let character = rest.first {
    guard character == "<" else {
      if character == "&" {
        let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"]
        if !known.contains(where: { rest.hasPrefix($0) }) {
          return "an ampersand at \(rest.prefix(20))"
        }
      }
      rest = rest.dropFirst()
      continue
    }
    guard let end = rest.firstIndex(of: ">") else { return "an element without an end" }
    let element = rest[rest.index(after: rest.startIndex)..<end]
    if element.hasPrefix("/") {
      guard open.popLast() == String(element.dropFirst()) else {
        return "\(element) closes another"
      }
    } else {
      let quotes = element.utf8.count { $0 == UInt8(ascii: "\"") }
      if quotes % 2 == 1 || element.contains("<") { return "attributes of \(element)" }
      if !element.hasSuffix("/") { open.append(String(element.prefix { $0 != " " })) }
    }
    rest = rest[rest.index(after: end)...]
  }
  return open.isEmpty ? nil : "\(open) stays open"
}

/// The contrast of a colour on black by WCAG 2.2: (L + 0.05) / 0.05.
private func contrastOnBlack(_ hexadecimal: Substring) -> Double {
  let weights = [0.2126, 0.7152, 0.0722]
  let digits = Array(hexadecimal)
  let parts = [0, 2, 4].map { Double(Int(String(digits[$0...$0 + 1]), radix: 16) ?? 0) / 255 }
  let light = zip(weights, parts).reduce(0.0) { sum, pair in
    // ((c + 0.055) / 1.055) to the power of 2.4.
    let base = (pair.1 + 0.055) / 1.055
    return sum + pair.0
      * (pair.1 <= 0.04045 ? pair.1 / 12.92 : base * base * fifthRootOfSquare(base))
  }
  return (light + 0.05) / 0.05
}

/// A number to the power of 0.4, by Newton's method on x⁵ = a².
private func fifthRootOfSquare(_ number: Double) -> Double {
  var root = number
  for _ in 0..<60 {
    let fourth = root * root * root * root
    root -= (fourth * root - number * number) / (5 * fourth)
  }
  return root
}

@Suite struct YearPictureTests {
  private func picture(
    _ statistics: SessionStatistics, caption: String = ""
  ) -> String {
    text(YearPicture(statistics, lastDate: lastDate, caption: caption).svg)
  }

  @Test func picture_isWellFormed() {
    #expect(fault(in: "<a><b></a>") == "/a closes another")
    #expect(fault(in: "<a>&nbsp;</a>") != nil && fault(in: "<a>") != nil)
    for days in [0, 1, 40, 400] { #expect(fault(in: picture(statistics(days: days))) == nil) }
  }

  @Test func textFromOutside_isEscaped() {
    let caption = "programme <b>\"a\" & 'b'</b>\u{1B}[2J\u{0}\u{FFFF}\u{85}]]>"
    let drawn = picture(statistics(days: 3), caption: caption)
    #expect(fault(in: drawn) == nil)
    let escaped =
      "programme &lt;b&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/b&gt;\u{FFFD}[2J\u{FFFD}\u{FFFD}"
      + "\u{FFFD}]]&gt;"
    #expect(drawn.contains(">" + escaped + "</text>"))
  }

  @Test func sameSits_inAnyOrder_giveTheSameBytes() {
    let some = statistics(days: 300) { $0 % 5 != 2 }
    #expect(picture(some) == picture(statistics(days: 300) { $0 % 5 != 2 }))
  }

  @Test func everyText_hasEnoughContrast() {
    let drawn = picture(statistics(days: 20), caption: "programme zazen")
    var colours: Set<Substring> = []
    for line in drawn.split(separator: "\n") where line.hasPrefix("<text") {
      guard let mark = line.firstIndex(of: "#") else { continue }
      colours.insert(line[line.index(after: mark)...].prefix(6))
    }
    #expect(colours.count == 3)
    for colour in colours { #expect(contrastOnBlack(colour) >= 4.5, "\(colour)") }
    #expect(abs(contrastOnBlack("ffffff") - 21) < 0.01)
    #expect(abs(contrastOnBlack("767676") - 4.62) < 0.02)
  }

  @Test func liveStreak_isTheOneLargeThingAndEmber() {
    let alive = picture(statistics(days: 12))
    #expect(alive.contains("fill=\"#e8a25c\">Day 12</text>"))
    #expect(!alive.contains("Today is not sat yet"))
    let due = picture(statistics(days: 12, today: lastDate.adding(days: 1)))
    #expect(due.contains(">Day 12</text>") && due.contains(">Today is not sat yet</text>"))
    let over = picture(statistics(days: 12, today: lastDate.adding(days: 2)))
    #expect(over.contains("fill=\"#f4ede4\">4 h 48 min</text>") && !over.contains("#e8a25c"))
  }

  @Test func withoutStreaks_nothingTellsOfOne() {
    let drawn = picture(statistics(days: 12, showsStreaks: false))
    #expect(drawn.contains("fill=\"#f4ede4\">4 h 48 min</text>"))
    for word in ["Day 12", "streak", "#e8a25c"] { #expect(!drawn.contains(word), "\(word)") }
  }

  @Test func words_addUpWhatIsDrawn_andCountTheStreakWhole() {
    let drawn = picture(statistics(days: 400))
    #expect(drawn.contains(">Day 400</text>"))
    let words = "365 sits · 146 h · 24 min on average · 365 days · longest streak ever 400 days"
    #expect(drawn.components(of: words) == 2)
  }

  @Test func eachDay_isTheCellOfItsDate() {
    let drawn = picture(statistics(days: 2) { $0 == 1 })
    #expect(drawn.contains("<title>2026-11-29: 24 min</title>"))
    #expect(drawn.contains("<title>2026-11-30: none</title>"))
    #expect(drawn.components(of: ": none</title>") == 364)
    #expect(drawn.contains("<title>Week of 2026-11-23: 24 min</title>"))
  }

  @Test func bars_standOnTheLineAndStayUnderTheScale() {
    for minutes: Int64 in [1, 8, 9, 60, 600, 1_440] {
      let drawn = picture(
        statistics(days: 30) { _ in
          true
        } minutes: { _ in
          minutes
        })
      for line in drawn.split(separator: "\n") where line.contains("<title>Week") {
        let numbers = line.split(separator: "\"").compactMap { Int($0) }
        // x, y, width, height and the corner.
        #expect(numbers.count == 5 && numbers[1] + numbers[3] == 634, "\(line)")
        #expect((1...160).contains(numbers[3]), "\(line)")
      }
    }
  }
}
