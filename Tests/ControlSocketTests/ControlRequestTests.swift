import Box
import Testing

@testable import ControlSocket

private func message(_ line: String) -> String? {
  do throws(RequestError) {
    _ = try ControlRequest(line: Array(line.utf8))
    return nil
  } catch {
    return error.description
  }
}

@Suite struct ControlRequestTests {
  @Test(arguments: ControlRequest.Command.allCases)
  func request_encoded_isReadBack(command: ControlRequest.Command) throws {
    var request = ControlRequest(command)
    switch command {
    case .start:
      request.programme = "아침 \"좌선\"\n"
      request.until = "07:00"
      request.open = true
      request.anyway = true
    case .set: (request.key, request.value) = ("volume", "")
    case .unset: request.key = "volume"
    case .ring: request.sound = "large-bowl"
    case .sync: (request.folder, request.adopt, request.process) = ("/media/stick", true, "12")
    case .sits: (request.value, request.process) = ("[]", "12")
    case .keySet: (request.key, request.value, request.process) = ("a b", "[1]", "12")
    case .keyDelete: (request.key, request.process) = ("a b", "12")
    default: break
    }
    let line = request.encoded()
    #expect(line.last == 10 && line.filter { $0 == 10 }.count == 1)
    #expect(try ControlRequest(line: Array(line.dropLast())) == request)
  }

  @Test(arguments: [
    ("", "a request is one JSON object a line"),
    ("[1]", "a request is one JSON object a line"),
    ("{\"command\":\"stop\"", "a request is one JSON object a line"),
    ("{}", "\"command\" is missing"),
    ("{\"command\":1}", "\"command\" must be a string"),
    ("{\"command\":null}", "\"command\" must be a string"),
    ("{\"command\":\"strat\"}", "unknown command \"strat\"; did you mean \"start\"?"),
    ("{\"command\":\"Start\"}", "unknown command \"Start\"; did you mean \"start\"?"),
    ("{\"command\":\"explode\"}", "unknown command \"explode\""),
    (
      "{\"command\":\"start\",\"lenght\":\"20m\"}",
      "\"start\" has no field \"lenght\"; did you mean \"length\"?"
    ),
    ("{\"command\":\"pause\",\"length\":\"20m\"}", "\"pause\" has no field \"length\""),
    ("{\"command\":\"start\",\"length\":20}", "\"length\" must be a string"),
    ("{\"command\":\"start\",\"open\":\"yes\"}", "\"open\" must be true or false"),
    ("{\"command\":\"set\",\"key\":\"volume\"}", "\"set\" needs \"value\""),
    ("{\"command\":\"unset\"}", "\"unset\" needs \"key\""),
  ])
  func request_wrong_saysWhatAndWhichNameIsNear(line: String, expected: String) {
    #expect(message(line) == expected)
  }

  @Test func request_deeplyNestedOrNotText_isRefused() {
    #expect(message(String(repeating: "[", count: 60_000)) == "a request is one JSON object a line")
    #expect(throws: RequestError.self) { _ = try ControlRequest(line: [0xFF, 0xFE, 0x00]) }
    let long = String(repeating: "s", count: 60_000)
    #expect(message("{\"command\":\"\(long)\"}") == "unknown command \"\(long)\"")
  }
}

@Suite struct ControlAnswerTests {
  @Test func stateLine_withoutValues_writesNullsInOrder() {
    let line = String(decoding: JSONLine.encode(StateLine()), as: UTF8.self)
    #expect(
      line == """
        {"activeElsewhere":null,"degraded":[],"elapsedSeconds":0,"endsAt":null,"overtimeSeconds":0,\
        "panel":{"bell":"large-bowl","blackout":false,"dialog":null,"dimmed":false,"focus":null,\
        "interval":"none","intervals":[],"kept":null,"length":"20m","picture":"fire",\
        "preparation":"10s","rating":null,"reminder":null,"segments":[],"timeHidden":false},\
        "phase":"idle",\
        "plannedSeconds":null,"programme":"simple","remainingSeconds":null,"roleVolumes":{},\
        "segment":null,"setSeconds":1200,"volume":60}

        """)
  }

  @Test func answer_ofEachKind_isReadBack() {
    var state = StateLine()
    state.phase = "running"
    state.endsAt = "2026-11-30T07:25:00+09:00"
    state.degraded = ["No sound card. The timer goes on."]
    let answers: [ControlAnswer] = [
      .ok, .refused(reason: "a \"b\"\n/"), .error(message: ""), .state(state), .data("[\n]"),
    ]
    for answer in answers {
      let line = answer.encoded()
      #expect(line.filter { $0 == 10 }.count == 1)
      #expect(ControlAnswer(line: Array(line.dropLast())) == answer)
    }
    #expect(ControlAnswer(line: Array("{\"answer\":\"maybe\"}".utf8)) == nil)
    #expect(ControlAnswer(line: []) == nil)
  }
}

@Test func answer_thatASitRunsElsewhere_isARefusalWithItsCause() {
  let answer = ControlAnswer.elsewhere(reason: "a sit runs on box 1 since 06:00")
  let line =
    #"{"answer":"refused","cause":"elsewhere","reason":"a sit runs on box 1 since 06:00"}"#
  #expect(answer.encoded() == Array((line + "\n").utf8))
  #expect(ControlAnswer(line: Array(line.utf8)) == answer)
}
