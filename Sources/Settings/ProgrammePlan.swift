import Appliance
import Bells
import Ticks
import TimerMachine

// What a programme takes from the plain sections and what not:
// - How a sit is prepared, how it ends and how its bells sound stands in [sit] and [bell ROLE]
//   where the programme does not say it.
// - Its intervals are its own: those of [interval] are of `simple` alone, so that one definition
//   rings alike on every box, and no interval of another sit makes it one that cannot be rung.
// - Its length is its segments', or its own `sit.length`, or that of [sit].

/// One programme of a configuration, with what the plain sections say where it says nothing.
struct ProgrammePlan {
  let section: NamedSection
  /// The plain sections with the programme's keys in their place.
  let merged: Configuration

  init(_ section: NamedSection, in configuration: Configuration) {
    self.section = section
    var settings = ConfigurationKey.all.filter { $0.section == "interval" }.map { row in
      (key: row.dottedName, setting: Setting?.none)
    }
    for role in Configuration.rungRoles {
      settings += ProgrammePlan.replaced(by: section, "bell.\(role).", in: "bell.\(role).")
    }
    for (key, setting) in section.settings where ConfigurationKey.named(key) != nil {
      if key != "sit.length" { settings.append((key, setting)) }
    }
    merged = configuration.replacing(settings)
  }

  /// What a programme's own strikes and gap, or its pattern, leave without a meaning of what the
  /// plain section says.
  private static func replaced(
    by section: NamedSection, _ prefix: String, in place: String
  ) -> [(key: String, setting: Setting?)] {
    if section[prefix + "pattern"] != nil {
      return [(place + "strikes", nil), (place + "gap", nil)]
    }
    let hasStrikes = section[prefix + "strikes"] != nil || section[prefix + "gap"] != nil
    return hasStrikes ? [(place + "pattern", nil)] : []
  }

  var rounds: Int {
    guard case .count(let count)? = section["rounds"]?.value else { return 1 }
    return count
  }

  /// The segments, once through.
  var segmentsOfRound: [Segment] {
    guard case .segments(let segments)? = section["segments"]?.value else { return [] }
    return segments
  }

  var length: (kind: Programme.Length, span: Span?) {
    let segments = segmentsOfRound
    if !segments.isEmpty {
      return (.fixed, segments.reduce(.zero) { $0 + $1.length } * Int64(rounds))
    }
    guard case .programmeLength(let kind, let span)? = section["sit.length"]?.value else {
      return (.fixed, merged.sit.length)
    }
    return (kind, span)
  }

  /// The kinds of segments that have bells of their own, in the order in which they are named.
  var kindsWithBells: [String] {
    var kinds: [String] = []
    for (key, _) in section.settings {
      let words = key.split(separator: ".").map { String($0) }
      if words.count == 4, !kinds.contains(words[1]) { kinds.append(words[1]) }
    }
    return kinds
  }

  /// The plain sections with the bell of a kind of segment in the place of `[bell segment]`; nil
  /// where the programme has none.
  func withBell(of kind: String, _ edge: String) -> Configuration? {
    let prefix = "bell.\(kind).\(edge)."
    let own = NamedSection.bellKeys.compactMap { name in
      section[prefix + name].map { (key: "bell.segment.\(name)", setting: Setting?.some($0)) }
    }
    guard !own.isEmpty else { return nil }
    return merged.replacing(
      ProgrammePlan.replaced(by: section, prefix, in: "bell.segment.") + own)
  }

  /// The programme.
  /// - Precondition: nothing is wrong with it.
  func programme(sounds: [Sound]) -> Programme {
    let settings = merged.plainAppliance(sounds: sounds)
    let bells = kindsWithBells.map { kind in
      func recipe(_ edge: String) -> BellRecipe? {
        withBell(of: kind, edge)?.plainAppliance(sounds: sounds).bells[
          Int(BellRole.segment.rawValue)]
      }
      return SegmentBells(kind: kind, begin: recipe("begin"), end: recipe("end"))
    }
    return Programme(
      name: section.name, length: length.kind, plan: plan, bells: settings.bells,
      segmentBells: bells)
  }

  /// What a sit of it is.
  private var plan: SitPlan {
    var plan = merged.plan
    plan.length = length.span
    plan.segments = (0..<rounds).flatMap { _ in segmentsOfRound }
    return plan
  }
}

// MARK: - What cannot be rung

extension ProgrammePlan {
  /// Everything that is wrong with it, at a value that somebody set.
  var errors: [SettingsError] {
    let others = lengthErrors + roundsErrors + bellErrors
    // What is wrong with the segments is not told a second time of bells in them.
    return others.isEmpty ? intervalErrors : others
  }

  private func error(_ key: String, expected: String, nearest: String? = nil) -> SettingsError {
    SettingsError(
      .value(found: "\(key) = \(section[key]?.text ?? "")", expected: expected, nearest: nearest),
      at: section[key]?.place)
  }

  /// No sit until a time of day is longer: that is the longest day of a year.
  private static let longestDay = Span.hours(25)

  /// What is wrong with its intervals, once nothing else is wrong.
  private var intervalErrors: [SettingsError] {
    let isUntil = if case .until = length.kind { true } else { false }
    let longest = isUntil ? ProgrammePlan.longestDay : length.span
    let plan = plan
    var errors: [SettingsError] = []
    for unrung in plan.unrungIntervals(length: longest) {
      let words = UnrungWords(unrung, of: plan, length: longest, isUntil: isUntil)
      let error = intervalError(words, isWhole: unrung.reason == .noLength)
      if !errors.contains(error) { errors.append(error) }
    }
    return errors
  }

  /// - Parameter isWhole: whether the key itself is wrong, and not one item of its list.
  private func intervalError(_ words: UnrungWords, isWhole: Bool) -> SettingsError {
    guard let setting = section[words.key] else {
      preconditionFailure("a programme's intervals are its own")
    }
    if !isWhole, let place = words.place, let valuePlace = setting.valuePlace {
      let item = SettingKind.items(setting.text)[place]
      return SettingsError(
        .value(found: item.text, expected: words.expected, nearest: nil),
        at: SettingKind.moved(valuePlace, item))
    }
    // Without a place the message must say which key it is.
    let isItem = !isWhole && words.place != nil
    let found = "\(words.key) = \(isItem ? words.value : setting.text)"
    return SettingsError(
      .value(found: found, expected: words.expected, nearest: nil), at: setting.place)
  }

  private var lengthErrors: [SettingsError] {
    guard section["sit.length"] != nil, !segmentsOfRound.isEmpty else { return [] }
    return [error("sit.length", expected: "no sit.length beside segments, which make it up")]
  }

  private var roundsErrors: [SettingsError] {
    guard rounds > 1 else { return [] }
    let segments = segmentsOfRound
    if segments.isEmpty { return [error("rounds", expected: "segments to go through beside it")] }
    let most = SettingKind.segmentsMax / segments.count
    if rounds > most {
      let expected = "at most \(most): a sit has at most \(SettingKind.segmentsMax) segments"
      return [error("rounds", expected: expected)]
    }
    return []
  }

  private var bellErrors: [SettingsError] {
    // What the plain sections are blamed for is not this programme's.
    let long = SettingKind.segmentRange.upperBound
    let span = length.span ?? .zero
    var errors: [SettingsError] = []
    if span > long {
      let key = rounds > 1 ? "rounds" : "segments"
      errors.append(
        error(key, expected: "a sit of at most \(long.lengthText) (this is \(span.lengthText))"))
    }
    for role in Configuration.rungRoles {
      errors += merged.bellErrors("bell.\(role).", named: "bell.\(role).") { section[$0] != nil }
    }
    for kind in kindsWithBells {
      errors += unknownKind(kind)
      for edge in NamedSection.edges {
        let name = "bell.\(kind).\(edge)."
        guard let bell = withBell(of: kind, edge) else { continue }
        errors += bell.bellErrors("bell.segment.", named: name) { section[$0] != nil }
      }
    }
    return errors
  }

  /// A bell of a kind of segment that there is none of would never ring.
  private func unknownKind(_ kind: String) -> [SettingsError] {
    var kinds: [String] = []
    for segment in segmentsOfRound where !kinds.contains(segment.kind) {
      kinds.append(segment.kind)
    }
    guard !kinds.contains(kind),
      let key = section.settings.first(where: { $0.key.hasPrefix("bell.\(kind).") })?.key
    else { return [] }
    let expected =
      kinds.isEmpty ? "segments beside a bell of theirs" : "a bell of a segment: \(listed(kinds))"
    return [error(key, expected: expected, nearest: nearest(to: kind, among: kinds))]
  }
}
