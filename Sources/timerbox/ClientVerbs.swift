import Box
import ControlSocket
import LinuxIO
import Settings
import TerminalFace
import Ticks

extension Verb {
  /// The lengths that a command may start (PRODUCT, "The timer").
  static let startRange = Span.minutes(1)...Span.hours(168)

  /// Why a word is no length of a sit. A bare number is one without its unit.
  static func lengthRefusal(_ word: String) -> String {
    let isBare = word.utf8.count < 6 && word.allSatisfy { ("0"..."9").contains($0) }
    return "found \(quoted(word)), expected a length from 1m to 7d"
      + (isBare ? "; did you mean \(quoted(word + "m"))?" : "")
  }

  static let status = Verb(
    "status", "", "print the state of the running box", common: Options.ofClients
  ) { options throws(VerbError) in
    let answer = try Client.ask(ControlRequest(.status))
    return try Client.show(answer, asJSON: options.has("--json"))
  }

  static let watch = Verb(
    "watch", "", "print the state of the running box at each change",
    common: Options.ofClients, run: Client.watch)

  static let start = Verb(
    "start", "[LENGTH|PROGRAMME] [--until HH:MM] [--open] [--anyway]", words: 0...1,
    "begin a sit",
    details: """
      Without LENGTH or PROGRAMME it is a sit of the chosen programme; with `simple`, as long as the
      knob is set to. While another box of this owner sits the start is refused, and the exit status
      is 75; a second start within 10 s goes ahead.
      """,
    options: [
      Option(name: "--until", value: "HH:MM", help: "until the clock shows this, at most a day"),
      Option(name: "--open", value: nil, help: "a sit without a planned end"),
      Option(name: "--anyway", value: nil, help: "also while another box of this owner sits"),
    ], common: Options.ofClients
  ) { options throws(VerbError) in
    var request = ControlRequest(.start)
    request.open = options.has("--open")
    request.anyway = options.has("--anyway")
    request.until = options.value("--until")
    if let word = options.words.first {
      if word.first.map({ $0.isNumber }) == true {
        request.length = word
      } else {
        request.programme = word
      }
    }
    return try Client.show(try Client.ask(request), asJSON: options.has("--json"))
  }

  static let ring = Verb(
    "ring", "[SOUND]", words: 0...1, "ring a bell once",
    details: "Without SOUND it is that of the end bell. timerbox sounds lists them.",
    common: Options.ofClients
  ) { options throws(VerbError) in
    var request = ControlRequest(.ring)
    request.sound = options.words.first
    return try Client.show(try Client.ask(request), asJSON: options.has("--json"))
  }

  static let set = Verb(
    "set", "KEY VALUE", words: 2...2, "make a choice that stays on this device",
    details: Client.choicesText, common: Options.ofClients
  ) { options throws(VerbError) in
    var request = ControlRequest(.set)
    request.key = options.words[0]
    request.value = options.words[1]
    try Client.checkChoice(options.words[0], options.words[1])
    return try Client.show(try Client.ask(request), asJSON: options.has("--json"))
  }

  static let unset = Verb(
    "unset", "KEY", words: 1...1, "forget a choice of this device",
    details: Client.choicesText, common: Options.ofClients
  ) { options throws(VerbError) in
    var request = ControlRequest(.unset)
    request.key = options.words[0]
    try Client.checkChoice(options.words[0], nil)
    return try Client.show(try Client.ask(request), asJSON: options.has("--json"))
  }

  /// A verb that hands one command without fields to the running box.
  static func control(_ command: ControlRequest.Command, _ summary: String) -> Verb {
    Verb(command.rawValue, "", summary, common: Options.ofClients) {
      options throws(VerbError) in
      let answer = try Client.ask(ControlRequest(command))
      return try Client.show(answer, asJSON: options.has("--json"))
    }
  }
}

/// The verbs' side of the control socket.
enum Client {
  /// What `set` and `unset` take, for their help.
  static let choicesText = LocalChoice.all.map { key in
    "  \(key.name.padded(to: 16)) \(key.about)"
  }.joined(separator: "\n")

  /// A misspelt key is wrong usage, a value that the key cannot have is bad data.
  static func checkChoice(_ key: String, _ value: String?) throws(VerbError) {
    do throws(SettingsError) { _ = try LocalChoice.subject(key: key) } catch {
      throw VerbError(status: .usage, message: error.text)
    }
    guard let value else { return }
    do throws(SettingsError) { _ = try LocalChoice.read(key: key, value: value) } catch {
      throw VerbError(status: .badData, message: error.text)
    }
  }

  static func ask(_ request: ControlRequest) throws(VerbError) -> ControlAnswer {
    do throws(ControlError) {
      var client = try ControlClient(paths: ControlPath.forClient())
      return try client.ask(request)
    } catch {
      throw verbError(error)
    }
  }

  static func show(_ answer: ControlAnswer, asJSON: Bool) throws(VerbError) -> ExitStatus {
    switch answer {
    case .state(let state) where !asJSON:
      let clock = state.clock.flatMap { WallSource(rawValue: $0) }.map(Client.words)
      let lines =
        [Face.statusLine(state)] + (clock.map { [$0] } ?? [])
        + (state.store.map(StoreWords.lines) ?? [])
      Output.write(lines.map { $0 + "\n" }.joined())
    case .data(let text) where !asJSON: Output.write(text + "\n")
    case .state, .ok, .data: if asJSON { Output.write(answer.encoded()) }
    case .refused(let reason):
      if asJSON { Output.write(answer.encoded()) }
      throw VerbError(status: .notHeld, message: reason)
    case .elsewhere(let reason):
      if asJSON { Output.write(answer.encoded()) }
      throw VerbError(
        status: .tryAgain, message: "\(reason); --anyway begins one here all the same")
    case .error(let message):
      if asJSON { Output.write(answer.encoded()) }
      throw VerbError(status: .usage, message: message)
    }
    return .done
  }

  /// Who vouches for the time of day, for people. That nobody does is among what does not work.
  private static func words(_ source: WallSource) -> String {
    switch source {
    case .kernel: "the time of day is known: the kernel vouches for it"
    case .timesyncd: "the time of day is known: timesyncd has set it in this boot"
    case .batteryClock: "the time of day is known from a clock with a battery"
    }
  }

  static func watch(_ options: Options) throws(VerbError) -> ExitStatus {
    do throws(ControlError) {
      var client = try ControlClient(paths: ControlPath.forClient())
      try client.send(ControlRequest(.watch))
      var last = ""
      while let line = try client.readLine(timeoutMilliseconds: nil) {
        guard let answer = ControlAnswer(line: line), case .state(let state) = answer else {
          continue
        }
        let text =
          options.has("--json")
          ? String(decoding: line, as: UTF8.self) : Face.plainLine(state)
        if text != last, !write(text) { return .done }
        last = text
      }
    } catch {
      throw verbError(error)
    }
    throw VerbError(status: .serviceNotRunning, message: "the service has ended")
  }

  /// A reader that has gone ends the watching.
  /// - Returns: whether it is still there.
  private static func write(_ line: String) -> Bool {
    (try? LentDescriptor.standardOutput.writeAll(Array((line + "\n").utf8))) != nil
  }

  static func verbError(_ error: ControlError) -> VerbError {
    VerbError(
      status: ExitStatus(rawValue: error.exitStatus) ?? .serviceNotRunning,
      message: error.description)
  }
}
