// How soon the running box answers, on a card that keeps time (Tests/alsa-card): from the request
// on the control socket to the first frame of the cue that is heard.
import ControlSocket
import Glibc
import Testing
import TimedCard

private func monotonic() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// When each answer that follows 300 ms of silence began to be heard: two taps are one.
private func onsets(_ card: UnsafeMutablePointer<timed_card>) throws -> [Int64] {
  let channels = Int(card.pointee.channels)
  let heard = try #require(timed_card_heard(card))
  var found: [Int64] = []
  var last = -1_000_000
  for frame in 0..<Int(card.pointee.heard_frames) where heard[frame * channels] != 0 {
    if frame - last > 14_400 { found.append(timed_card_time(card, Int64(frame))) }
    last = frame
  }
  return found
}

@Test func command_refusedWhileTheOutputIsHeld_isAnsweredWithin120ms() throws {
  let cards = try Cards(["one"])
  let surroundings = cards.surroundings
  try surroundings.write("[sound]\ndevice = one\nkeep-alive = always\n", to: "box.conf")
  let service = try Service(
    surroundings, words: ["run", "--config", surroundings.path("box.conf")])
  try eventually("the card plays") { cards.isOpen(0) }
  sleep(2)
  var client = try ControlClient(paths: [surroundings.path("run/control.sock")])
  var orders: [Int64] = []
  for index in 0..<9 {
    usleep(1_000_000 + UInt32(index) * 7_300)
    orders.append(monotonic())
    try client.send(ControlRequest(.skip))
    let line = try #require(try client.readLine())
    #expect(String(decoding: line, as: UTF8.self).contains("no sit is running"))
  }
  sleep(1)
  let heard = try onsets(cards.states[0])
  try #require(heard.count == orders.count)
  for (onset, order) in zip(heard, orders) {
    #expect(onset > order && onset - order <= 120_000_000)
  }
  #expect(try service.program.finish(SIGTERM).status == 0)
}
