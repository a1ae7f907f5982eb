import FoundationEssentials
import LinuxIO
import Sessions
import StoreFiles

/// Ten years of two sits a day.
private let sitCount = 7_305
private let runs = 15

/// What ten years add up to, asked of the box and of SQLite's own shell, each a process from its
/// start to its end, the least of several runs. SQLite holds the same sits in one table; both give
/// each day's seconds, the totals and the longest streak, and both must say the same.
func measureStats(_ program: String) throws {
  let folder = try temporaryFolder()
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let places = ["--state", folder + "/state", "--store", folder + "/store"]
  try fill(folder)
  let ours = try least {
    try Child(program, ["stats", "--json"] + places, environment: ["TZ=UTC"]).output()
  }
  let theirs = try least { try Child("sqlite3", [folder + "/sits.db", question]).output() }
  try compare(ours.answer, theirs.answer)
  // The box reads and checks each line of its truth before it counts; a database looks up pages.
  let ratio = ours.seconds / theirs.seconds
  Row(
    name: "stats of \(sitCount) sits, the whole process",
    value: fixed(ours.seconds * 1_000, 1) + " ms", aim: ("under 100 ms", ours.seconds < 0.1)
  ).write()
  Row(
    name: "  the same of SQLite's shell", value: fixed(theirs.seconds * 1_000, 1) + " ms",
    aim: ("ours at most 3× as long, \(fixed(ratio, 1))×", ratio <= 3)
  ).write()
  let table = try least {
    try Child(program, ["stats", "--svg", folder + "/year.svg"] + places).output()
  }
  Row.write("  with both pictures of a year", fixed(table.seconds * 1_000, 1) + " ms", "-")
}

private func least(_ ask: () throws -> String) throws -> (seconds: Double, answer: String) {
  var seconds = Double.infinity
  var answer = ""
  for _ in 0..<runs {
    let begin = Clock.monotonic()
    answer = try ask()
    seconds = min(seconds, Double(Clock.monotonic() - begin) / 1e9)
  }
  return (seconds, answer)
}

/// A box's truth with the sits, and a database with the same ones.
private func fill(_ folder: String) throws {
  var disk = try FolderDisk.taking(folder + "/state")
  var store = SessionStore(owner: Identity(randomHigh: 3, low: 3), device: disk.device)
  for index in 0..<sitCount { try store.add(sit(index)) }
  for file in store.files() {
    try disk.replace(.truth(file.volume), with: file.bytes, keepingEarlier: false)
  }
  let json = SessionHistory(store.sessions).json
  guard FileManager.default.createFile(atPath: folder + "/sits.json", contents: Data(json)) else {
    throw Failure("\(folder) cannot be written")
  }
  let table = """
    create table sits (id text primary key, start integer, utcOffset integer, duration integer,
      planned integer, programme text) without rowid;
    insert into sits select value ->> 'id', unixepoch(value ->> 'startDate'),
      value ->> 'utcOffsetSeconds', value ->> 'durationSeconds', value ->> 'plannedSeconds',
      value ->> 'programme' from json_each(readfile('\(folder)/sits.json'));
    """
  _ = try Child("sqlite3", [folder + "/sits.db", table]).output()
}

private func sit(_ index: Int) -> MeditationSession {
  let start = 1_480_000_000_450 + Int64(index) * 43_200_000 + Int64(index * 7_919 % 600_000)
  let length = Int64(600 + index * 37 % 2_400)
  var sit = MeditationSession(
    id: Identity(
      randomHigh: UInt64(index) &* 0x9E37_79B9_7F4A_7C15,
      low: UInt64(index) &* 0xBF58_476D_1CE4_E5B9),
    startDate: WallInstant(milliseconds: start),
    endDate: WallInstant(milliseconds: start + length * 1_000), durationSeconds: length,
    plannedSeconds: length)
  sit.utcOffsetSeconds = 32_400
  sit.programme = "simple"
  return sit
}

/// Days, totals and streaks; a streak is a run of days whose number less their rank is one value.
private let question = """
  create temp view days as select date(start + utcOffset, 'unixepoch') as day,
    sum(duration) as seconds from sits group by day;
  create temp view streaks as select count(*) as length, max(day) as last from
    (select day, julianday(day) - row_number() over (order by day) as island from days)
    group by island;
  select day, seconds from days;
  select count(*), sum(duration), (select count(*) from days), (select max(length) from streaks),
    (select length from streaks where last >= date('now', '-1 day')) from sits;
  """

/// Both must have counted the same.
private func compare(_ ours: String, _ theirs: String) throws {
  let json = try JSONValue(parsing: Array(ours.utf8))
  let names = ["sits", "totalSeconds", "daysSat", "longestStreak"]
  let numbers = names.compactMap { json[$0]?.integerValue }
  let last = theirs.split(separator: "\n").last ?? ""
  let others = last.split(separator: "|").prefix(4).compactMap { Int64($0) }
  guard numbers == others, numbers.count == 4 else {
    throw Failure("the box counted \(numbers), SQLite \(others)")
  }
}
