import CALSA

/// What keeps a card from being heard though it plays.
public enum MixerWarning: Equatable, Sendable, CustomStringConvertible {
  /// A control is off, and could not be switched on.
  case muted(card: String, control: String)
  /// A control stands so low that nothing is heard.
  case silent(card: String, control: String)
  /// The card's controls cannot be read.
  case unreadable(card: String, code: Int32)

  /// One line for a person.
  public var description: String {
    switch self {
    case .muted(let card, let control):
      "sound card '\(card)': its control '\(control)' is off, and cannot be switched on"
    case .silent(let card, let control):
      "sound card '\(card)': its control '\(control)' is at 0; raise it with alsamixer"
    case .unreadable(let card, let code):
      // Safety: the library gives a string of its own, which is copied at once.
      "sound card '\(card)': its controls cannot be read: \(String(cString: snd_strerror(-code)))"
    }
  }
}

/// The controls that a card has between its samples and its connector.
///
/// They are found by what they can do (a switch or a volume for playback) and by the names that
/// drivers give to the main route; on a card without any of these names, all that can do it count.
/// Switches of the route are switched on, and one that silences a converter in digital silence is
/// switched off: it gates the end of a tail, and clicks. Volumes are a person's choice: they are
/// looked at and left as they are, since the box has a volume of its own.
public enum ALSAMixer {
  /// The first words of the names of controls on the route to an output.
  private static let route: [[String]] = [
    "Master", "PCM", "Digital", "Headphone", "Headphones", "Speaker", "Speakers", "Analogue",
    "Analog", "Lineout", "Line Out", "HDMI", "DAC", "Playback", "Front", "HP", "HPOUT", "SPKOUT",
    "IEC958", "Softvol",
  ].map { words(of: $0) }
  /// Words in the names of what could be mixed in, and of what raises a level and silences none.
  private static let besides: [String] = [
    "Mic", "Microphone", "Boost", "Capture", "Loopback", "Sidetone", "Beep",
  ].flatMap { words(of: $0) }
  /// Switches that silence a converter after some milliseconds of digital silence (PCM51xx).
  private static let gate = words(of: "Auto Mute")
  /// What is softer than this is not heard, in hundredths of a decibel; a mute is far below.
  private static let silence = -6_000

  /// Switches a card on.
  /// - Parameter card: its id.
  /// - Returns: what is still in the way. A card without controls has nothing in the way.
  public static func prepare(card: String) -> [MixerWarning] {
    prepare(control: "hw:CARD=\(card)", card: card)
  }

  /// Switches on what a control interface of libasound shows.
  static func prepare(control: String, card: String) -> [MixerWarning] {
    calsa_silence_errors()
    var mixer: OpaquePointer?
    var error = snd_mixer_open(&mixer, 0)
    guard error == 0, let mixer else { return [.unreadable(card: card, code: -error)] }
    defer { snd_mixer_close(mixer) }
    error = snd_mixer_attach(mixer, control)
    // A card without a control interface has nothing that could be off.
    if error == -ENOENT || error == -ENODEV { return [] }
    if error == 0 { error = snd_mixer_selem_register(mixer, nil, nil) }
    if error == 0 { error = snd_mixer_load(mixer) }
    guard error == 0 else { return [.unreadable(card: card, code: -error)] }
    let all = elements(of: mixer)
    for element in all where words(of: name(of: element)) == gate {
      _ = snd_mixer_selem_set_playback_switch_all(element, 0)
    }
    return onRoute(all).compactMap { open($0, card: card) }
  }

  private static func elements(of mixer: OpaquePointer) -> [OpaquePointer] {
    var found: [OpaquePointer] = []
    var next = snd_mixer_first_elem(mixer)
    while let element = next {
      let canPlay =
        snd_mixer_selem_has_playback_volume(element) != 0
        || snd_mixer_selem_has_playback_switch(element) != 0
      if snd_mixer_selem_is_active(element) != 0, canPlay { found.append(element) }
      next = snd_mixer_elem_next(element)
    }
    return found
  }

  private static func onRoute(_ elements: [OpaquePointer]) -> [OpaquePointer] {
    let outputs = elements.filter { element in
      let found = words(of: name(of: element))
      return found != gate && !found.contains { besides.contains($0) }
    }
    let known = outputs.filter { element in
      let found = words(of: name(of: element))
      return route.contains { found.starts(with: $0) }
    }
    return known.isEmpty ? outputs : known
  }

  /// The words of a name, without the numbers that tell one converter from the next.
  private static func words(of name: String) -> [String] {
    name.split(separator: " ").map { word in
      var word = word
      while word.count > 1, word.last?.isNumber == true { word.removeLast() }
      return String(word)
    }
  }

  /// Switches an element on and says what keeps it silent.
  private static func open(_ element: OpaquePointer, card: String) -> MixerWarning? {
    let name = name(of: element)
    let channels = playbackChannels(of: element)
    if snd_mixer_selem_has_playback_switch(element) != 0 {
      if !channels.allSatisfy({ isOn(element, $0) }) {
        _ = snd_mixer_selem_set_playback_switch_all(element, 1)
      }
      if !channels.contains(where: { isOn(element, $0) }) {
        return .muted(card: card, control: name)
      }
    }
    guard snd_mixer_selem_has_playback_volume(element) != 0 else { return nil }
    guard channels.allSatisfy({ isSilent(element, $0) }) else { return nil }
    return .silent(card: card, control: name)
  }

  private static func playbackChannels(
    of element: OpaquePointer
  ) -> [snd_mixer_selem_channel_id_t] {
    (0...SND_MIXER_SCHN_LAST.rawValue).map { snd_mixer_selem_channel_id_t(rawValue: $0) }
      .filter { snd_mixer_selem_has_playback_channel(element, $0) != 0 }
  }

  private static func isOn(
    _ element: OpaquePointer, _ channel: snd_mixer_selem_channel_id_t
  ) -> Bool {
    var on: Int32 = 0
    return snd_mixer_selem_get_playback_switch(element, channel, &on) == 0 && on != 0
  }

  /// Whether nothing is heard of a channel. The lowest of a range says so only where the card does
  /// not say how much that is: many end at a few decibels below the greatest.
  private static func isSilent(
    _ element: OpaquePointer, _ channel: snd_mixer_selem_channel_id_t
  ) -> Bool {
    var decibels = 0
    if snd_mixer_selem_get_playback_dB(element, channel, &decibels) == 0 {
      return decibels <= silence
    }
    var least = 0
    var most = 0
    var volume = 0
    guard snd_mixer_selem_get_playback_volume_range(element, &least, &most) == 0,
      snd_mixer_selem_get_playback_volume(element, channel, &volume) == 0
    else { return false }
    return most > least && volume <= least
  }

  private static func name(of element: OpaquePointer) -> String {
    // Safety: the name belongs to the element, which lives as long as the open mixer.
    snd_mixer_selem_get_name(element).map { String(cString: $0) } ?? ""
  }
}
