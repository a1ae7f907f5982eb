// Two boxes of one owner: where one sits, the other does not begin by itself.
import Glibc
import Sessions
import Testing

/// A box on a machine whose kernel vouches for its clock, whatever this one's does.
private struct Neighbour {
  let surroundings: Surroundings
  let service: Service

  /// - Parameters:
  ///   - store: the folder that both share.
  ///   - name: what it is called.
  init(sharing store: String, name: String? = nil) throws {
    surroundings = try Surroundings()
    let called = name.map { "[store]\ndevice-name = \($0)\n" } ?? ""
    try surroundings.write(quickSit + "[sound]\ndevice = null\n" + called, to: "box.conf")
    try surroundings.write(
      """
      #include <sys/timex.h>
      int adjtimex(struct timex *state) { *state = (struct timex){.maxerror = 1}; return 0; }

      """, to: "clock.c")
    let library = surroundings.path("clock.so")
    try Neighbour.compile(surroundings.path("clock.c"), to: library)
    service = try Service(
      surroundings, words: ["run", "--config", surroundings.path("box.conf"), "--store", store],
      environment: ["LD_PRELOAD=\(library)"])
  }

  private static func compile(_ source: String, to library: String) throws {
    let command = ["cc", "-D_GNU_SOURCE", "-shared", "-fPIC", "-o", library, source]
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    words.append(nil)
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    var status: Int32 = 0
    try #require(posix_spawnp(&process, "cc", nil, nil, words, environ) == 0)
    try #require(waitpid(process, &status, 0) == process && status == 0)
  }
}

@Test func start_whileAnotherBoxSits_isRefusedWithWhereAndSinceWhen() throws {
  let house = try Surroundings()
  let store = house.path("store")
  let first = try Neighbour(sharing: store, name: "kitchen")
  #expect(try first.surroundings.run("start", "20m").status == 0)
  try first.service.reach("running")
  let second = try Neighbour(sharing: store)
  try eventually("the second knows of the sit") {
    try second.service.state("activeElsewhere").stringValue != nil
  }
  let refused = try second.surroundings.run("start")
  #expect(refused.status == 75)
  #expect(
    refused.complaints.hasPrefix("timerbox: a sit runs on kitchen since ")
      && refused.complaints.hasSuffix("; --anyway begins one here all the same\n"),
    "\(refused.complaints)")
  #expect(try second.service.phase() == "idle")
  #expect(try second.surroundings.run("start", "--anyway").status == 0)
  try second.service.reach("running")
  // And once the first has ended, nothing speaks against another.
  #expect(try second.surroundings.run("stop").status == 0)
  #expect(try first.surroundings.run("stop").status == 0)
  try eventually("the claim is gone") {
    try second.service.state("activeElsewhere").stringValue == nil
  }
  #expect(try second.surroundings.run("start").status == 0)
}

@Test func sit_addedOverTheOneThatRuns_orAheadOfNow_isRefused() throws {
  let house = try Surroundings()
  let box = try Neighbour(sharing: house.path("store"))
  #expect(try box.surroundings.run("start", "20m").status == 0)
  try box.service.reach("running")
  func complaint(from seconds: Int, _ length: String) throws -> String {
    let start = WallInstant(milliseconds: Int64(time(nil) + seconds) * 1_000)
    let words = ["add", "--start", start.text(offsetSeconds: 0), "--duration", length]
    let end = try Program(words, in: box.surroundings).finish()
    return "\(end.status) \(end.complaints)"
  }
  #expect(
    try complaint(from: -60, "2m").hasPrefix(
      "1 timerbox: it overlaps the sit that runs here since "))
  #expect(try complaint(from: -60, "8m").hasPrefix("1 timerbox: it ends at "))
  #expect(try complaint(from: -7_200, "20m") == "0 ")
}

@Test func status_ofABoxWhoseClockIsKnown_saysByWhom() throws {
  let house = try Surroundings()
  let box = try Neighbour(sharing: house.path("store"))
  #expect(try box.service.state("clock").stringValue == "kernel")
  let words = try box.surroundings.run("status").output
  #expect(words.contains("\nthe time of day is known: the kernel vouches for it\n"), "\(words)")
  #expect(try box.service.degraded() == [])
}

@Test func start_untilATimeOfDay_endsWhenTheClockShowsIt() throws {
  let house = try Surroundings()
  let box = try Neighbour(sharing: house.path("store"))
  #expect(try box.surroundings.run("start", "--until", "12:34").status == 0)
  try box.service.reach("running")
  #expect(try box.service.state("endsAt").stringValue?.contains("T12:34:00") == true)
}
