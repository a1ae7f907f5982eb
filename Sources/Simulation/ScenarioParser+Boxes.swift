import Sessions
import Settings

// Statements about several boxes, the folder that they share, and the store.
extension ScenarioParser {
  /// `box NAME`: the first one names the box that there is anyway. A further one begins with what
  /// was set for all so far.
  mutating func namedBox(_ words: inout Words) throws(ScenarioError) {
    let word = try words.take("a name for the box")
    guard hasNamedBox else {
      hasNamedBox = true
      scenario.boxes[0].name = word.text
      return
    }
    if scenario.boxes.contains(where: { $0.name == word.text }) {
      throw words.wrong(word, "a name that no other box has")
    }
    scenario.boxes.append(Scenario.NamedBox(name: word.text, configuration: common))
  }

  func boxNamed(_ words: inout Words) throws(ScenarioError) -> Int {
    let names = scenario.boxes.map(\.name)
    let name = try choice(&words, names)
    return names.firstIndex(of: name) ?? 0
  }

  func peer(_ words: inout Words) throws(ScenarioError) -> Scenario.Action {
    let word = try words.take("a replica's file, such as kitchen.kv")
    let name = word.text.split(separator: "/").last.map(String.init) ?? ""
    guard name.hasSuffix(Volume.suffix) else {
      throw words.wrong(word, "a replica's file, such as kitchen.kv")
    }
    switch files(word.text) {
    case .success(let bytes): return .share(.peer(name: name, bytes: bytes))
    case .failure(let error): throw words.error(error.message, word.column)
    }
  }

  func copy(_ words: inout Words) throws(ScenarioError) -> Scenario.Action {
    switch try choice(&words, ["empty", "gone", "old"]) {
    case "empty": return .share(.copyEmpty)
    case "gone": return .share(.copyGone)
    default: return .share(.copyOld)
    }
  }

  /// `kv set KEY JSON` and `kv delete KEY`.
  func keyValue(_ words: inout Words) throws(ScenarioError) -> Scenario.Action {
    let isSet = try choice(&words, ["delete", "set"]) == "set"
    let key = try words.take("a key").text
    return .keyValue(key, isSet ? try json(&words) : nil)
  }

  /// `journey begin NAME [--days N]`, `journey end NAME` and `journey choose NAME`, or `none`.
  func journey(_ words: inout Words) throws(ScenarioError) -> JourneyChange {
    let verb = try choice(&words, ["begin", "choose", "end"])
    let word = try words.take("the name of a journey")
    if verb == "choose" && word.text == "none" { return .choose(nil) }
    guard Journey.isName(word.text) else {
      throw words.wrong(
        word, "a name of 1 to \(Journey.nameMax) characters other than none")
    }
    switch verb {
    case "choose": return .choose(word.text)
    case "end": return .end(word.text)
    default:
      let goals = Journey.goalRange
      let range = Int(goals.lowerBound)...Int(goals.upperBound)
      return .begin(
        word.text, goalDays: words.skip("--days") ? Int64(try number(&words, range)) : nil)
    }
  }

  /// The rest of the line as a value. Quotation marks belong to JSON here.
  func json(_ words: inout Words) throws(ScenarioError) -> JSONValue {
    let column = words.nextColumn
    do throws(JSONError) {
      return try JSONValue(parsing: Array(words.rawRest().utf8))
    } catch {
      throw words.error("found no JSON: \(error)", column)
    }
  }
}
