import LinuxIO
import Pictures
import Sessions
import Settings
import StoreFiles
import TerminalFace
import Zones

extension Verb {
  static let history = Verb(
    "history", ChosenSits.usage,
    "list the sits that are kept, those of the archive too, oldest first",
    details: ChosenSits.details, options: ChosenSits.options, run: StatsVerb.history)

  static let stats = Verb(
    "stats", "[--svg FILE] " + ChosenSits.usage,
    "say what the sits add up to, and show a year of them",
    details: ChosenSits.details + """

      A sit counts with the time it is credited, whether it was completed or not. A streak counts
      the days sat in a row; it is alive until the day is over ("due" says that today is not sat
      yet), and day.grace missed days in a row keep it and add nothing. Streaks are those of the
      sits that are chosen. day.streak = no leaves them out here.
      """,
    options: [
      Option(name: "--svg", value: "FILE", help: "write the year as a picture, days and weeks")
    ] + ChosenSits.options, run: StatsVerb.stats)
}

enum StatsVerb {
  static func history(_ options: Options) throws(VerbError) -> ExitStatus {
    let sits = try ChosenSits(options, of: .history)
    if options.has("--json") {
      Output.write(sits.history.json)
    } else {
      sits.warnOfNames()
      Output.write(sits.history.table)
    }
    return try sits.status()
  }

  static func stats(_ options: Options) throws(VerbError) -> ExitStatus {
    if let path = options.value("--svg") { try PictureFile.check(path) }
    let sits = try ChosenSits(options, of: .stats)
    let statistics = sits.statistics
    if let path = options.value("--svg") {
      let picture = YearPicture(
        statistics, lastDate: sits.lastDate, caption: sits.filter.names)
      try PictureFile.write(picture.svg, to: path)
    }
    if options.has("--json") {
      Output.write(statistics.json)
    } else {
      sits.warnOfNames()
      let heatmap = TerminalHeatmap(
        statistics, lastDate: sits.lastDate, colours: sits.colours)
      Output.write(statistics.text + "\n" + heatmap.text)
    }
    return try sits.status()
  }
}

/// The sits that a verb's options choose, and the days by which they count.
struct ChosenSits {
  static let usage =
    "[--from DAY] [--to DAY] [--programme NAME] [--journey NAME] [--device KIND] [--json]"
  static let options = [
    Option(name: "--from", value: "DAY", help: "from this day on, as 2026-11-30"),
    Option(name: "--to", value: "DAY", help: "up to this day, which is among them"),
    Option(name: "--programme", value: "NAME", help: "sits of this programme"),
    Option(name: "--journey", value: "NAME", help: "sits of this journey, by its name or its id"),
    Option(name: "--device", value: "KIND", help: "sits of this kind of device, as timerBox"),
  ]
  static let details = """
    The day of a sit is the local date on which it began, where it began; before day.starts it is
    the day before.
    """

  let filter: SessionFilter
  let history: SessionHistory
  private let all: [MeditationSession]
  private let isWhole: Bool
  private let showsStreaks: Bool
  /// The day of practice now, and how far local time is ahead of UTC.
  private let today: LocalDate
  private let utcOffsetSeconds: Int64

  init(_ options: Options, of verb: Verb) throws(VerbError) {
    let configuration = try Places.configuration(options)
    let file = try StoreFile(options)
    do throws(SessionFilterError) {
      filter = try SessionFilter(in: file.store) { options.value($0) }
    } catch {
      throw verb.usageError(error.description)
    }
    let rule = file.store.dayRule(or: configuration.dayRule)
    all = file.store.sessions
    history = SessionHistory(all, rule: rule).filtered(by: filter)
    isWhole = file.isWhole
    showsStreaks = configuration.day.showsStreaks
    let now = WallInstant(nanoseconds: Clock.wall())
    let zone = (try? Inputs.zone(Machine.zoneName())) ?? .utc
    utcOffsetSeconds = Int64(zone.offsetSeconds(atUnixSeconds: now.unixSeconds))
    today = rule.day(at: now, utcOffsetSeconds: utcOffsetSeconds)
  }

  var statistics: SessionStatistics {
    SessionStatistics(
      history.sessions, rule: history.rule, today: today, utcOffsetSeconds: utcOffsetSeconds,
      showsStreaks: showsStreaks)
  }

  /// The day with which a picture of them ends.
  var lastDate: LocalDate { min(filter.to ?? today, today) }

  /// What standard output takes.
  var colours: TerminalHeatmap.Colours {
    let style = FaceStyle.chosen(
      isTerminal: LentDescriptor.standardOutput.isTerminal, environment: Machine.environment)
    switch style {
    case .drawn(.full): return .full
    case .drawn(.sixteen): return .sixteen
    case .drawn(.none), .plain: return .none
    }
  }

  /// Says of a name that no sit has, that none has it.
  func warnOfNames() {
    let names: [(kind: String, wanted: [String]?, known: [String])] = [
      ("programme", filter.programme.map { [$0] }, all.compactMap(\.programme)),
      ("journey", filter.journeys, all.compactMap(\.journey)),
      ("device", filter.device.map { [$0] }, all.map(\.sourceDevice.name)),
    ]
    for (kind, wanted, known) in names {
      guard let wanted, let name = wanted.first else { continue }
      let there = Set(known)
      if there.isDisjoint(with: wanted) {
        let hint = suggestion(for: name, among: there.sorted())
        Output.complain("timerbox: no sit has the \(kind) \"\(StoreWords.plain(name))\"\(hint)")
      }
    }
  }

  /// How a verb that has shown them ends.
  func status() throws(VerbError) -> ExitStatus {
    if isWhole { return .done }
    throw VerbError(status: .badData, message: StoreFile.damageText)
  }
}

/// A picture as a file: the old one or the new one, whole.
enum PictureFile {
  /// A name that says another form is refused: there is no other.
  static func check(_ path: String) throws(VerbError) {
    let file = path.split(separator: "/").last ?? ""
    guard file.utf8.count > 4, file.suffix(4).lowercased() == ".svg" else {
      throw Verb.stats.usageError(
        "--svg: found \"\(StoreWords.plain(path))\", expected a file that ends in .svg")
    }
  }

  static func write(_ bytes: [UInt8], to path: String) throws(VerbError) {
    if let status = try? Files.statusFollowingLinks(path), status.kind != .file {
      throw VerbError(
        status: .inputOutput, message: "\(path): found no ordinary file, and it is left alone")
    }
    do throws(SystemError) { try replace(path, with: bytes) } catch {
      throw VerbError(status: Inputs.status(of: error), message: "\(path): \(error.errno.text)")
    }
  }

  private static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    let aside = "\(path).\(Machine.process).new"
    do throws(SystemError) {
      let file = try Files.open(aside, [.writeOnly, .create, .exclusive, .noFollow])
      try file.writeAll(bytes)
      try file.sync()
      try Files.rename(aside, to: path)
    } catch {
      try? Files.unlink(aside)
      throw error
    }
  }
}
