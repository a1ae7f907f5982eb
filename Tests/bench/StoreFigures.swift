import FoundationEssentials
import LinuxIO
import Sessions
import StoreFiles

/// A box's work at its start, and after each sit: read the truth, merge the copy of another box,
/// write what has changed, so that a power cut loses nothing. The peers do the same with the same
/// sits: SQLite in one table, and a JSON file as many programs keep one, both from Python.
func measureStore() throws {
  let folder = try temporaryFolder()
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let peers = try measurePeers(folder, sits: fullSits)
  let ours = try measureReplica(folder, sits: fullSits)
  Row.write("store of \(fullSits) sits, \(ours.bytes) bytes", ours.times.text, "-")
  for peer in peers {
    let ratio = peer.times.total / ours.times.total
    Row(
      name: "  \(peer.name)", value: peer.times.text,
      aim: ("at least as fast, \(fixed(ratio, 1))×", ratio >= 1)
    ).write()
  }
  let growth = try [10, 100, 1_000, 7_000].map { sits in
    "\(sits): \(milliseconds(try measureReplica(folder, sits: sits).times.total))"
  }
  Row.write("load, merge and save by sits", growth.joined(separator: ", "), "-")
  let boxes = try [1, 2, 4, 8, 16].map { count in
    "\(count): \(milliseconds(try measureLook(folder, boxes: count)))"
  }
  Row.write("first look by boxes of \(fullSits) sits", boxes.joined(separator: ", "), "-")
  let written = try measureWritten(folder)
  let aim = (text: "two files of the store", isReached: written < 2 * ours.bytes + 65_536)
  Row(name: "bytes written for one sit", value: "\(written)", aim: aim).write()
  for peer in peers { Row.write("  \(peer.name)", "\(peer.written)", "-") }
}

/// Sits of nine and a half years, two a day.
private let fullSits = 7_000
private let runs = 5

/// Seconds that the three steps take, each the least of several runs.
private struct StoreTimes {
  var load = Double.infinity
  var merge = Double.infinity
  var save = Double.infinity

  var total: Double { load + merge + save }
  var text: String {
    "load \(milliseconds(load)), merge \(milliseconds(merge)), save \(milliseconds(save))"
  }

  mutating func take(_ load: Double, _ merge: Double, _ save: Double) {
    self.load = min(self.load, load)
    self.merge = min(self.merge, merge)
    self.save = min(self.save, save)
  }
}

private func milliseconds(_ seconds: Double) -> String { fixed(seconds * 1_000, 1) + " ms" }

private let kitchen = Identity(randomHigh: 1, low: 1)
private let hall = Identity(randomHigh: 2, low: 2)
private let owner = Identity(randomHigh: 3, low: 3)

/// A sit as a box records one.
private func sit(_ index: Int) -> MeditationSession {
  let start = 1_500_000_000_450 + Int64(index) * 43_200_000 + Int64(index * 7_919 % 600_000)
  var sit = MeditationSession(
    id: Identity(
      randomHigh: UInt64(index) &* 0x9E37_79B9_7F4A_7C15,
      low: UInt64(index) &* 0xBF58_476D_1CE4_E5B9),
    startDate: WallInstant(milliseconds: start),
    endDate: WallInstant(milliseconds: start + 1_500_000), durationSeconds: 1_500,
    plannedSeconds: 1_500)
  sit.utcOffsetSeconds = 32_400
  sit.programme = "simple"
  return sit
}

/// A box's store: all sits but one in a hundred, which another box has alone.
private func store(of device: Identity, sits: Int) throws -> SessionStore {
  var store = SessionStore(owner: owner, device: device)
  for index in 0..<sits where device == kitchen ? index % 100 != 3 : index % 100 != 7 {
    try store.add(sit(index))
  }
  return store
}

private func measureReplica(_ folder: String, sits: Int) throws -> (times: StoreTimes, bytes: Int) {
  let own = try store(of: kitchen, sits: sits).encode()
  let other = try store(of: hall, sits: sits).encode()
  var disk = try FolderDisk.taking("\(folder)/state")
  var times = StoreTimes()
  for _ in 0..<runs {
    try disk.replace(.truth(.main), with: own, keepingEarlier: false)
    let begin = Clock.monotonic()
    var store = try SessionStore(parsing: disk.read(.truth(.main)) ?? [])
    let loaded = Clock.monotonic()
    store.merge(try SessionStore(parsing: other))
    let merged = Clock.monotonic()
    for file in store.files() {
      try disk.replace(.truth(file.volume), with: file.bytes, keepingEarlier: true)
    }
    let saved = Clock.monotonic()
    times.take(seconds(begin, loaded), seconds(loaded, merged), seconds(merged, saved))
  }
  return (times, own.count)
}

/// The first look at a folder with the full copies of so many other boxes.
private func measureLook(_ folder: String, boxes: Int) throws -> Double {
  let path = "\(folder)/look-\(boxes)"
  var shared = SharedFolder(path, device: kitchen, state: "\(folder)/look-state-\(boxes)")
  for index in 0..<boxes {
    let device = Identity(randomHigh: 100 + UInt64(index), low: 1)
    let bytes = try store(of: device, sits: fullSits).encode()
    try shared.replace(Volume.main.exchangePath(of: device), with: bytes)
  }
  var keeper = Storekeeper(
    disk: try FolderDisk.taking("\(folder)/look-state-\(boxes)"), folder: SharedFolder?.none,
    owner: owner, device: kitchen)
  _ = keeper.open()
  keeper.share(in: shared)
  let begin = Clock.monotonic()
  _ = keeper.look()
  let end = Clock.monotonic()
  guard keeper.store.usage.sits + keeper.store.usage.archivedSits >= fullSits - 70 else {
    throw Failure("the look brought \(keeper.store.usage.sits) sits")
  }
  return seconds(begin, end)
}

/// What a box with a full store hands to the kernel for one more sit, both copies together.
private func measureWritten(_ folder: String) throws -> Int {
  var disk = try FolderDisk.taking("\(folder)/written")
  let device = disk.device
  let full = try store(of: device, sits: fullSits).encode()
  try disk.replace(.truth(.main), with: full, keepingEarlier: false)
  let shared = SharedFolder(
    "\(folder)/written-shared", device: device, state: "\(folder)/written")
  var keeper = Storekeeper(disk: disk, folder: shared, owner: owner, device: device)
  _ = keeper.open()
  let before = try writtenBytes()
  let reports = keeper.add(sit(fullSits + 3))
  let after = try writtenBytes()
  guard !keeper.isBehind else { throw Failure("the sit was not saved: \(reports)") }
  return after - before
}

private func writtenBytes() throws -> Int {
  let text = String(decoding: try Files.readWhole("/proc/self/io", limit: 4_096), as: UTF8.self)
  let line = text.split(separator: "\n").first { $0.hasPrefix("wchar: ") }
  guard let count = line.flatMap({ Int($0.dropFirst(7)) }) else { throw Failure("no wchar") }
  return count
}

private func seconds(_ begin: Int64, _ end: Int64) -> Double { Double(end - begin) / 1e9 }

// MARK: - Peers

private struct Peer {
  var name: String
  var times: StoreTimes
  var written: Int
}

/// Both peers in one Python: their lines are NAME, seconds to load, merge and save, bytes written.
private let peerProgram = """
  import json, os, sqlite3, sys, time
  folder, runs = sys.argv[1], int(sys.argv[2])
  own, other = (json.load(open(f"{folder}/{n}.json")) for n in ("own", "other"))
  names = list(own[0])
  def wchar():
      return int(open("/proc/self/io").read().split("wchar: ")[1].split()[0])
  def durable(path, data):
      with open(path + ".tmp", "wb") as f:
          f.write(data); f.flush(); os.fsync(f.fileno())
      os.rename(path + ".tmp", path)
      d = os.open(folder, os.O_RDONLY); os.fsync(d); os.close(d)
  def rows(sits):
      return [[json.dumps(v) if isinstance(v, list) else v for v in s.values()] for s in sits]
  insert = f"insert or ignore into sits values ({','.join('?' * len(names))})"
  def table(path):
      if os.path.exists(path): os.remove(path)
      db = sqlite3.connect(path)
      db.execute("pragma synchronous = full")
      columns = ", ".join(n + (" primary key" if n == "id" else "") for n in names)
      db.execute(f"create table sits ({columns}) without rowid")
      db.executemany(insert, rows(own)); db.commit()
      return db
  def sqlite():
      db = table(folder + "/sits.db"); db.close()
      begin = time.perf_counter()
      db = sqlite3.connect(folder + "/sits.db")
      sits = db.execute("select * from sits order by startDate").fetchall()
      loaded = time.perf_counter()
      db.executemany(insert, rows(other))
      merged = time.perf_counter()
      db.commit()
      return begin, loaded, merged, time.perf_counter(), db
  def plain():
      durable(folder + "/sits.json", json.dumps(own).encode())
      begin = time.perf_counter()
      sits = {s["id"]: s for s in json.load(open(folder + "/sits.json"))}
      loaded = time.perf_counter()
      for s in json.load(open(folder + "/other.json")): sits.setdefault(s["id"], s)
      merged = time.perf_counter()
      durable(folder + "/sits.json", json.dumps(list(sits.values()), sort_keys=True).encode())
      return begin, loaded, merged, time.perf_counter(), sits
  for name, run in (("SQLite " + sqlite3.sqlite_version, sqlite), ("Python's json", plain)):
      times = [run() for _ in range(runs)]
      least = [min(t[i + 1] - t[i] for t in times) for i in range(3)]
      one = dict(own[0], id="one more")
      last = times[-1][4]
      before = wchar()
      if name.startswith("SQLite"):
          last.executemany(insert, rows([one])); last.commit()
      else:
          last["one more"] = one
          durable(folder + "/sits.json", json.dumps(list(last.values()), sort_keys=True).encode())
      print(name, *least, wchar() - before, sep="\\t")
  """

private func measurePeers(_ folder: String, sits: Int) throws -> [Peer] {
  for (name, device) in [("own", kitchen), ("other", hall)] {
    let json = SessionHistory(try store(of: device, sits: sits).sessions).json
    guard FileManager.default.createFile(atPath: "\(folder)/\(name).json", contents: Data(json))
    else { throw Failure("\(folder) cannot be written") }
  }
  let lines = try Child("python3", ["-c", peerProgram, folder, "\(runs)"]).output()
    .split(separator: "\n")
  return try lines.map { line in
    let words = line.split(separator: "\t").map(String.init)
    let numbers = words.dropFirst().compactMap { Double($0) }
    guard numbers.count == 4 else { throw Failure("the peers printed \(lines)") }
    var times = StoreTimes()
    times.take(numbers[0], numbers[1], numbers[2])
    return Peer(name: words[0], times: times, written: Int(numbers[3]))
  }
}
