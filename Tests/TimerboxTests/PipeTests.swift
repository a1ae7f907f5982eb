// Readers that go away, and readers that do not read.
import Glibc
import Testing

/// The reading end of a pipe that has a name.
private final class Pipe {
  let path: String
  private(set) var end: Int32

  init(in surroundings: Surroundings) throws {
    path = surroundings.path("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    end = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try #require(end >= 0)
  }

  deinit { close() }

  func close() {
    if end >= 0 { Glibc.close(end) }
    end = -1
  }

  /// Waits until there is something to read, and reads at most so many bytes of it.
  func read(_ count: Int) throws -> String {
    var bytes = [UInt8](repeating: 0, count: count)
    var taken = 0
    try eventually("something is printed") {
      taken = Glibc.read(self.end, &bytes, count)
      return taken > 0
    }
    return String(decoding: bytes.prefix(taken), as: UTF8.self)
  }
}

@Test func trace_toStandardOutput_isJSONLinesAndMayBeLeft() throws {
  let surroundings = try Surroundings()
  try surroundings.write("at 0 start 10h\nend 11h\n", to: "long")
  let long = surroundings.path("long")
  let whole = try surroundings.run("simulate", long, "--ticks", "--trace", "-")
  #expect(whole.status == 0 && whole.complaints == "")
  let lines = whole.output.split(separator: "\n")
  #expect(lines.filter { $0.contains("\"kind\":\"tick\"") }.count >= 35_999)
  #expect(lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
  // A reader that has seen enough, as `head` has.
  let pipe = try Pipe(in: surroundings)
  let left = try Program(
    ["simulate", long, "--ticks", "--trace", "-"], in: surroundings, output: pipe.path)
  #expect(try pipe.read(100).hasPrefix("{"))
  pipe.close()
  let end = try left.finish()
  #expect(end.status == 0 && end.complaints == "")
}

@Test func watch_whoseReaderGoes_endsQuietly() throws {
  let service = try box(try Surroundings())
  let pipe = try Pipe(in: service.surroundings)
  let watcher = try Program(
    ["watch", "--json"], in: service.surroundings, output: pipe.path)
  #expect(try pipe.read(4_096).contains("\"phase\":\"idle\""))
  pipe.close()
  // The next change is what it cannot print.
  #expect(try service.surroundings.run("start").status == 0)
  let end = try watcher.finish()
  #expect(end.status == 0 && end.complaints == "")
  #expect(try service.phase() != "idle")
}

@Test func box_whoseOutputNobodyReads_isNotHeldUp() throws {
  let surroundings = try Surroundings()
  let pipe = try Pipe(in: surroundings)
  // Full to the last byte before the box says its first word.
  let filler = open(pipe.path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
  var byte: UInt8 = 0x20
  while write(filler, &byte, 1) == 1 {}
  #expect(errno == EAGAIN)
  try surroundings.write(quickSit, to: "box.conf")
  let service = try Service(
    surroundings, words: ["run", "--config", surroundings.path("box.conf")], output: pipe.path)
  #expect(try surroundings.run("start").status == 0)
  try service.reach("running")
  #expect(try surroundings.run("stop").status == 0)
  try service.reach("ended")
  // Once there is room again the newest state is told, and none of those that nobody could read.
  var text = ""
  try eventually("the newest state is told") {
    text += try pipe.read(65_536)
    return text.hasSuffix("\n")
  }
  let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
  #expect(lines.first?.hasPrefix("Ready") == true)
  #expect(lines.last?.hasPrefix("Done") == true)
  Glibc.close(filler)
  let end = try service.program.finish(SIGTERM)
  #expect(end.status == 0 && end.seconds < 2)
}
