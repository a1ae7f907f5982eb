import Sessions
import Testing

@Suite struct JSONTests {
  @Test(arguments: [
    #"{"a":1,"b":[true,false,null,"x"],"c":{"d":-0.50e+10}}"#,
    "123456789012345678901234567890", #""\b\t\n\f\r\u0001\u001f\"\\/""#, "[]", "{}", "0", "-1",
    #"{"":1,"\u0000":2}"#, "\"\u{1F514}e\u{301}\u{E9}\u{7F}\"", "{\"e\u{301}\":1,\"\u{E9}\":2}",
  ])
  func canonicalText_readAndWritten_keepsItsBytes(_ json: String) throws {
    #expect(text(try JSONValue(parsing: Array(json.utf8)).encoded()) == json)
  }

  @Test func otherText_readAndWritten_becomesCanonical() throws {
    let json = " {\"b\" : [ 1 , 2 ] , \"a\\u0042\" :\t\"\\u00e9\\ud83d\\udd14\\/\"\r\n} "
    let value = try JSONValue(parsing: Array(json.utf8))
    #expect(text(value.encoded()) == "{\"aB\":\"\u{E9}\u{1F514}/\",\"b\":[1,2]}")
  }

  @Test(arguments: [
    ("", "line 1, column 1: the text ends, expected a value"),
    ("{\"a\":1,\n \"a\":2}", "line 2, column 2: the name \"a\" is there twice"),
    ("[1,]", "line 1, column 4: found \"]\", expected a value"),
    ("{\"a\":1,}", "line 1, column 8: found \"}\", expected a name in quotes"),
    ("[1 2]", "line 1, column 4: found \"2\", expected \",\" or \"]\""),
    ("01", "line 1, column 2: found \"1\", expected the end"),
    ("-", "line 1, column 2: the text ends, expected a digit"),
    ("1.", "line 1, column 3: the text ends, expected a digit"),
    ("1e", "line 1, column 3: the text ends, expected a digit"),
    ("+1", "line 1, column 1: found \"+\", expected a value"),
    ("tru", "line 1, column 4: the text ends, expected true"),
    ("NaN", "line 1, column 1: found \"N\", expected a value"),
    ("\"a", "line 1, column 3: the text ends, expected the closing quote"),
    (
      "\"a\nb\"",
      "line 1, column 3: found byte 10, expected an escape: control characters do not stand in text"
    ),
    (#""\x""#, "line 1, column 3: found \"x\", expected an escape"),
    (#""\u12g4""#, "line 1, column 6: found \"g\", expected a hexadecimal digit"),
    (#""\ud800""#, "line 1, column 2: half of a surrogate pair"),
    (#""\ud800\u0041""#, "line 1, column 2: half of a surrogate pair"),
    (#""\udc00""#, "line 1, column 2: half of a surrogate pair"),
    ("\u{FEFF}1", "line 1, column 1: found byte 239, expected a value"),
  ])
  func wrongText_read_saysWhatAndWhere(_ json: String, _ message: String) {
    #expect(fault(Array(json.utf8)) == message)
  }

  @Test func bytesThatAreNotUTF8_read_areRefused() {
    #expect(fault([0x22, 0xC3, 0x22]) == "line 1, column 1: not UTF-8")
    #expect(fault([0x22, 0xED, 0xA0, 0x80, 0x22]) == "line 1, column 1: not UTF-8")
  }

  @Test func nesting_atTheLimitAndBeyond_isReadAndRefused() {
    func nested(_ depth: Int) -> [UInt8] {
      Array(repeating: UInt8(ascii: "["), count: depth)
        + Array(repeating: UInt8(ascii: "]"), count: depth)
    }
    #expect(fault(nested(64)) == nil)
    #expect(fault(nested(65)) == "line 1, column 65: nested deeper than 64")
  }

  @Test func values_comparedByBytes_tellSpellingsApart() {
    #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
    #expect(JSONValue.number("1.0") != .integer(1))
    #expect(JSONValue.object(of: [JSONMember("\u{212A}", .null)])["K"] == nil)
  }

  private func fault(_ bytes: [UInt8]) -> String? {
    do throws(JSONError) { _ = try JSONValue(parsing: bytes) } catch { return error.description }
    return nil
  }
}
