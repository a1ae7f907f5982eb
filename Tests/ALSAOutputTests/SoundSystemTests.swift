import Bells
import Glibc
import Testing
import Ticks
import Witness

@testable import ALSAOutput

/// Folders as the kernel shows its cards in.
final class SystemStand {
  let system: SoundSystem
  private let folder: String

  init(cards: [(number: Int, id: String, driver: String, name: String)]) throws {
    var template = Array("/tmp/timerbox-cards-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    chmod(folder, 0o755)
    system = SoundSystem(processes: folder + "/proc", nodes: folder + "/snd")
    var text = ""
    for card in cards {
      let id = card.id + String(repeating: " ", count: max(0, 15 - card.id.count))
      text += " \(card.number) [\(id)]: \(card.driver) - \(card.name)\n"
      text += "                      \(card.name) at home\n"
      put("", in: "snd/controlC\(card.number)")
      put("", in: "snd/pcmC\(card.number)D0p")
    }
    put(cards.isEmpty ? "--- no soundcards ---\n" : text, in: "proc/asound/cards")
  }

  deinit { _ = CardLibrary.run(["rm", "-rf", folder]) }

  func put(_ text: String, in path: String) {
    var folder = folder
    for part in path.split(separator: "/").dropLast() {
      folder += "/\(part)"
      mkdir(folder, 0o755)
    }
    guard let file = fopen("\(self.folder)/\(path)", "w") else { fatalError("no \(path)") }
    fputs(text, file)
    fclose(file)
  }

  /// Makes a file that nobody can read on from, as the kernel's are while a driver hangs.
  func block(_ path: String) {
    put("", in: path)
    unlink("\(folder)/\(path)")
    guard mkfifo("\(folder)/\(path)", 0o600) == 0 else { fatalError("no \(path)") }
  }

  /// Lets whoever reads it come to its end.
  func unblock(_ path: String) {
    let file = open("\(folder)/\(path)", O_WRONLY | O_NONBLOCK)
    if file >= 0 { close(file) }
  }

  func forbid(_ path: String) { chmod("\(folder)/\(path)", 0) }
}

private let gone = ALSAFault(call: .open, code: ENODEV)
private let unknown = ALSAFault(call: .open, code: ENOENT)

@Suite struct SoundSystemTests {
  init() { _ = Recorder.folder }

  @Test func cards_ofEveryOrderAndWithGaps_areKnownByTheirIds_rows14And15() throws {
    let one = try SystemStand(cards: [
      (0, "Headphones", "bcm2835_headpho", "bcm2835 Headphones"),
      (2, "vc4hdmi0", "vc4-hdmi", "vc4-hdmi-0"),
      (3, "sndrpihifiberry", "HifiberryDacp", "snd_rpi_hifiberry_dacplus"),
    ])
    let other = try SystemStand(cards: [
      (0, "sndrpihifiberry", "HifiberryDacp", "snd_rpi_hifiberry_dacplus"),
      (1, "vc4hdmi0", "vc4-hdmi", "vc4-hdmi-0"), (5, "Device", "USB-Audio", "USB - Audio Device"),
    ])
    #expect(one.system.cards.map(\.id) == ["Headphones", "vc4hdmi0", "sndrpihifiberry"])
    #expect(one.system.cards.map(\.kind) == [.analogue, .hdmi, .i2s])
    #expect(other.system.cards.map(\.kind) == [.i2s, .hdmi, .usb])
    #expect(other.system.cards[2].name == "USB - Audio Device")
    #expect(other.system.cards[2].longName == "USB - Audio Device at home")
    let name = OutputName("plughw:CARD=vc4hdmi0,DEV=0")
    #expect(name.card(among: one.system.cards)?.number == 2)
    #expect(name.card(among: other.system.cards)?.number == 1)
    #expect(name.card(among: []) == nil)
  }

  @Test func kinds_ofNames_areTheirCardsOrWhatTheNameTells() throws {
    let stand = try SystemStand(cards: [
      (0, "Headphones", "bcm2835_headpho", "bcm2835 Headphones"),
      (1, "MAX98357A", "simple-card", "MAX98357A"), (2, "Device", "USB-Audio", "USB Audio"),
    ])
    let cards = stand.system.cards
    let kinds: [(String, OutputKind)] = [
      ("default", .analogue), ("default:CARD=Device", .usb), ("hw:MAX98357A", .i2s),
      ("hw:2,0", .usb), ("hdmi:CARD=x", .hdmi), ("pipewire", .usb), ("null", .analogue),
      ("plughw:CARD=none", .analogue),
    ]
    for (name, kind) in kinds { #expect(OutputName(name).kind(among: cards) == kind, "\(name)") }
  }

  private static let header: [(text: String, kind: OutputKind)] = [
    ("sndrpihifiberry]: HifiberryDacp - snd_rpi_hifiberry_dacplus", .i2s),
    ("sndrpihifiberry]: RPi-simple - snd_rpi_hifiberry_dac", .i2s),
    ("IQaudIODAC     ]: IQaudIODAC - IQaudIODAC", .i2s),
    ("IQaudIOCODEC   ]: IQaudIOCODEC - IQaudIOCODEC", .i2s),
    ("BossDAC        ]: BossDAC - BossDAC", .i2s),
    ("sndallodigione ]: snd_allo_digion - snd_allo_digione", .i2s),
    ("sndrpijustboomd]: snd_rpi_justboo - snd_rpi_justboom_dac", .i2s),
    ("seeedvoicecard ]: seeed-voicecard - seeed-voicecard", .i2s),
    ("MyI2S          ]: simple-card - My I2S amp", .i2s),
    ("Codec          ]: simple-card - On-board Codec", .analogue),
    ("Headphones     ]: bcm2835_headpho - bcm2835 Headphones", .analogue),
    ("ALSA           ]: bcm2835_alsa - bcm2835 ALSA", .analogue),
    ("vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0", .hdmi),
    ("S2             ]: USB-Audio - Allo USB DAC", .usb),
    ("PCH            ]: HDA-Intel - HDA Intel PCH", .analogue),
    ("Loopback       ]: Loopback - Loopback", .analogue),
  ]

  @Test func card_byItsNames_isOfTheKindThatItsBoardMakes() {
    for (text, kind) in Self.header {
      #expect(ALSACard.parse(" 0 [" + text).map(\.kind) == [kind], "\(text)")
    }
    #expect(ALSACard.parse("--- no soundcards ---\n") == [])
    #expect(ALSACard.parse(" [a]: b\n 1 a]: b\n 1 [a: b\n 1 [a]b\nx1 [a]: b") == [])
  }

  @Test func kind_ofAnOpenOutput_isThatOfItsNameThenOfItsCardThenOfAServer() throws {
    let stand = try SystemStand(cards: [(0, "PCH", "HDA-Intel", "HDA Intel PCH")])
    let cards = stand.system.cards
    func kind(_ name: String, on card: ALSACard?, isHDMI: Bool = false) -> OutputKind {
      OutputName(name).kind(openOn: card, isHDMI: isHDMI, among: cards)
    }
    #expect(kind("hdmi:CARD=PCH,DEV=0", on: cards[0]) == .hdmi)
    #expect(kind("hw:CARD=PCH,DEV=3", on: cards[0], isHDMI: true) == .hdmi)
    #expect(kind("hw:CARD=PCH", on: cards[0]) == .analogue)
    #expect(kind("default", on: cards[0]) == .analogue)
    #expect(kind("default", on: nil) == .usb)
    #expect(kind("default:CARD=PCH", on: nil) == .analogue)
    #expect(kind("pipewire", on: nil) == .usb)
    #expect(kind("null", on: nil) == .analogue)
  }

  @Test func default_withoutCardNumber0_isNoOtherCard() {
    let second = ALSACard.parse(" 1 [DAC            ]: USB-Audio - A DAC")
    let first = ALSACard.parse(" 0 [DAC            ]: USB-Audio - A DAC")
    for name in ["default", "sysdefault", "dmix"] {
      #expect(OutputName(name).card(among: second) == nil)
      #expect(OutputName(name).card(among: first)?.id == "DAC")
    }
    #expect(OutputName("default:CARD=DAC").card(among: second)?.id == "DAC")
  }

  @Test func busyCard_isSaidWithItsHolder_row22() throws {
    let stand = try SystemStand(cards: [(1, "DAC", "USB-Audio", "A DAC")])
    stand.put("closed\n", in: "proc/asound/card1/pcm0p/sub0/status")
    stand.put(
      "state: RUNNING\nowner_pid   : 417\ntrigger_time: 1.0\n",
      in: "proc/asound/card1/pcm0p/sub1/status")
    stand.put("aplay\n", in: "proc/417/comm")
    let busy = ALSAFault(call: .open, code: EBUSY)
    let error = ALSAOutputError("hw:CARD=DAC", busy, on: stand.system)
    #expect(error == .busy(name: "hw:CARD=DAC", holder: "aplay (process 417)"))
    #expect(error.description == "sound device 'hw:CARD=DAC': aplay (process 417) holds it")
    #expect(error.short == "No sound ('hw:CARD=DAC' is held by aplay (process 417))")
    let somebody = ALSAOutputError("hw:CARD=other", busy, on: stand.system)
    #expect(somebody.description == "sound device 'hw:CARD=other': another program holds it")
  }

  @Test func missingCard_isToldFromAnUnknownNameAndFromNoCardAtAll_row36() throws {
    let none = try SystemStand(cards: [])
    let some = try SystemStand(cards: [(0, "DAC", "USB-Audio", "A DAC")])
    #expect(ALSAOutputError("nothing", unknown, on: some.system) == .unknown(name: "nothing"))
    #expect(
      ALSAOutputError("nothing:CARD=DAC", gone, on: none.system).short
        == "No sound ('nothing:CARD=DAC' is no sound device)")
    #expect(ALSAOutputError("default", unknown, on: none.system) == .noCard(name: "default"))
    let absent = ALSAOutputError("hw:CARD=TV", gone, on: some.system)
    #expect(absent.description == "sound device 'hw:CARD=TV': no such card; there are: DAC")
    #expect(
      ALSAOutputError("hw:CARD=DAC", gone, on: some.system)
        == .device(name: "hw:CARD=DAC", fault: gone))
  }

  @Test func deviceWithoutACard_thatFails_isNamedWithItsReason() throws {
    let none = try SystemStand(cards: [])
    func short(_ name: String, _ code: Int32) -> String {
      ALSAOutputError(name, ALSAFault(call: .open, code: code), on: none.system).short
    }
    #expect(short("default", ENOENT) == "No sound card")
    #expect(short("hw:CARD=Nope", ENODEV) == "No sound card ('hw:CARD=Nope' is not there)")
    #expect(short("null", ENODEV) == "No sound ('null': No such device)")
    #expect(short("null", ENXIO) == "No sound ('null': No such device or address)")
    #expect(short("null", EPIPE) == "No sound ('null': Broken pipe)")
    for code in [EACCES, EPERM] {
      let words = "No sound (no permission for 'default'; see the group audio)"
      #expect(short("default", code) == words)
    }
    let error = ALSAOutputError(
      "null", ALSAFault(call: .open, code: EACCES), on: none.system)
    #expect(
      error.description == "sound device 'null': no permission: "
        + "whoever runs timerbox must be in the group audio")
  }

  @Test func nodesThatMayNotBeUsed_areToldFromNoCard_row37() throws {
    let stand = try SystemStand(cards: [(0, "DAC", "USB-Audio", "A DAC")])
    stand.forbid("snd/controlC0")
    // Whoever may not use the nodes sees no card through libasound.
    try #require(witness_become_nobody(1) == 0)
    defer { _ = witness_become_nobody(0) }
    for name in ["hw:CARD=TV", "hw:CARD=DAC", "default"] {
      let error = ALSAOutputError(name, unknown, on: stand.system)
      #expect(error == .forbidden(name: name, node: "controlC0"))
      #expect(
        error.description == "sound device '\(name)': no permission for controlC0: "
          + "whoever runs timerbox must be in the group audio")
    }
    let isHidden = ALSAOutputError(
      "hw:CARD=DAC", ALSAFault(call: .open, code: EACCES), on: stand.system)
    #expect(isHidden.short == "No sound (no permission for 'hw:CARD=DAC'; see the group audio)")
  }
}

@Suite struct ALSAMixerTests {
  init() { _ = Recorder.folder }

  private func warnings(_ control: String) -> [String] {
    ALSAMixer.prepare(control: control, card: "X").map(\.description)
  }

  @Test func controls_ofTheNamesThereAre_areSwitchedOnAndLookedAt_row35() {
    let off = "is off, and cannot be switched on"
    let low = "is at 0; raise it with alsamixer"
    #expect(warnings("pcm").isEmpty)
    #expect(warnings("headphone") == ["sound card 'X': its control 'Headphone' \(low)"])
    #expect(warnings("digital") == ["sound card 'X': its control 'Digital' \(off)"])
    #expect(warnings("speaker").isEmpty)
    #expect(warnings("captureless").isEmpty)
    #expect(warnings("odd") == ["sound card 'X': its control 'Zone' \(low)"])
    #expect(warnings("none").isEmpty)
    #expect(warnings("hw:CARD=nobody").isEmpty)
  }

  @Test func controls_thatAreNoVolumeOfAnOutput_areNotLookedAt() {
    for name in ["hat", "laptop", "microphones"] { #expect(warnings(name).isEmpty, "\(name)") }
    #expect(value("laptop", "Front Mic Playback Switch") == [0, -1])
    #expect(value("laptop", "Front Playback Switch") == [1, -1])
    #expect(value("microphones", "Front Mic Playback Switch") == [0, -1])
  }

  @Test func volume_ofACardThatTellsDecibels_isSilentAt60BelowAndNotBefore() {
    #expect(warnings("deep") == [silent("Digital")])
    #expect(warnings("shallow").isEmpty)
  }

  @Test func volume_ofOneChannelThatSounds_isNotSilent() {
    #expect(warnings("left").isEmpty)
    #expect(warnings("right").isEmpty)
    #expect(warnings("neither") == [silent("PCM")])
  }

  @Test func controls_withANumberInTheirName_areKnown() {
    #expect(warnings("numbered") == [silent("DAC1")])
  }

  @Test func volumes_ofAnyControl_stayAsTheyAre() {
    #expect(value("kept", "Headphone Playback Switch") == [0, -1])
    #expect(warnings("kept").isEmpty)
    #expect(value("kept", "Headphone Playback Switch") == [1, -1])
    #expect(value("kept", "Headphone Playback Volume") == [7, 9])
    #expect(value("kept", "Mic Playback Volume") == [3, -1])
    #expect(value("kept", "Mic Playback Switch") == [0, -1])
  }

  @Test func gate_ofAConverter_isSwitchedOff_row9() {
    for name in ["gated", "gate"] {
      #expect(value(name, "Auto Mute Playback Switch") == [1, -1])
      #expect(warnings(name).isEmpty)
      #expect(value(name, "Auto Mute Playback Switch") == [0, -1])
    }
    #expect(value("gated", "Digital Playback Switch") == [1, -1])
  }

  private func silent(_ control: String) -> String {
    "sound card 'X': its control '\(control)' is at 0; raise it with alsamixer"
  }

  /// What a control of both channels has, as the card has it.
  private func value(_ interface: String, _ control: String) -> [Int64] {
    var values: [Int64] = [-2, -2]
    return witness_control(interface, control, &values) == 0 ? values : []
  }
}
