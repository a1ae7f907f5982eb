// A change of the output on cards that only one stream can have at a time (Tests/alsa-card).
import Glibc
import Testing
import TimedCard

/// Cards that each have a name of their own, and no conversion in front.
final class Cards {
  static let soundBytes: Int64 = 48_000 * 8 * 60
  let surroundings: Surroundings
  let states: [UnsafeMutablePointer<timed_card>]

  init(_ names: [String]) throws {
    let devices = names.map { "pcm.\($0) { type timed state \"FOLDER/\($0).card\" }\n" }
    let surroundings = try Surroundings(
      sound: "pcm_type.timed { lib \"FOLDER/card.so\" }\n" + devices.joined())
    let root = #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 }
    let source = root + "/Tests/alsa-card/plugin/"
    let command = [
      "cc", "-std=gnu11", "-shared", "-fPIC", "-DPIC", "-Wl,-z,nodelete", "-o",
      surroundings.path("card.so"), source + "card.c", source + "controls.c", "-lasound", "-lm",
    ]
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    words.append(nil)
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    try #require(posix_spawnp(&process, command[0], nil, nil, words, environ) == 0)
    var status: Int32 = 0
    try #require(waitpid(process, &status, 0) == process && status == 0)
    let made = names.map { name in
      timed_card_make(surroundings.path(name + ".card"), Cards.soundBytes)
    }
    self.surroundings = surroundings
    states = made.compactMap { $0 }
    try #require(states.count == names.count)
  }

  deinit { for state in states { timed_card_release(state, Cards.soundBytes) } }

  func isOpen(_ index: Int) -> Bool { states[index].pointee.is_open != 0 }
}

@Test func device_chosenThatIsNotThere_fallsBackOnTheOneThatWasLeft() throws {
  let cards = try Cards(["one", "two", "three"])
  // What was written ahead is heard late, as on a television: letting go takes its time.
  cards.states[1].pointee.fifo_frames = 19_200
  let surroundings = cards.surroundings
  try surroundings.write(
    "[sit]\npreparation = 0s\n[sound]\ndevice = one\nfallback = two, three\nambient = rain\n",
    to: "box.conf")
  let service = try Service(
    surroundings, words: ["run", "--config", surroundings.path("box.conf")])
  #expect(try surroundings.run("start", "5m").status == 0)
  try eventually("the first plays") { cards.isOpen(0) }
  #expect(try surroundings.run("set", "sound.device", "two").status == 0)
  try eventually("the second plays alone") { cards.isOpen(1) && !cards.isOpen(0) }
  #expect(try surroundings.run("set", "sound.device", "nosuch").status == 0)
  let fallback = ". Bells ring on the fallback "
  try eventually("a fallback is told") {
    try service.degraded().contains { $0.contains(fallback) }
  }
  #expect(try service.degraded().contains { $0.hasSuffix(fallback + "two.") })
  #expect(cards.isOpen(1) && cards.states[2].pointee.opening_attempts == 0)
  #expect(try service.program.finish(SIGTERM).status == 0)
}
