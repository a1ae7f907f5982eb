import ALSAOutput
import Bells
import Glibc
import Ticks

/// A folder and an ALSA configuration of the tests' own, for the real libasound: no card and
/// nothing of the system's configuration is in it. Each name records what was played, as raw
/// samples; opening it anew begins anew, so no two tests use the same.
enum Recorder {
  private static let names = [
    "default", "damped", "replaced", "quiet", "converted", "negotiated", "tv",
  ]
  private static let controls: [(name: String, has: String)] = [
    ("pcm", "PCM 80 0, Mic 0 0"), ("headphone", "Headphone 0 1"), ("digital", "Digital 100 0 1"),
    ("speaker", "Speaker 30 1, Headphone 20 0"), ("none", ""), ("odd", "Zone 0 0"),
    ("captureless", "Mic 0 0, Digital 50 1"),
    ("hat", "Digital 80 1 0 -103 80, Analogue 0 -1 0 -6 0, Analogue_Playback_Boost 0 -1"),
    ("deep", "Digital 40 1 0 -103 40"), ("shallow", "Digital 42 1 0 -103 42"),
    ("laptop", "Front_Mic 0 0, Headphone_Mic 0 0, Master 90 1, Front 70 0"),
    ("numbered", "DAC1 0 -1, Other 0 -1"), ("left", "PCM 0 -1 0 0 90"),
    ("right", "PCM 90 -1 0 0 0"), ("neither", "PCM 0 -1 0 0 0"), ("microphones", "Front_Mic 0 0"),
    ("kept", "Headphone 7 0 0 -50 9, Mic 3 0"), ("gated", "Auto_Mute -1 1, Digital 80 0"),
    ("gate", "Auto_Mute -1 1"),
  ]

  static let folder: String = {
    var template = Array("/tmp/timerbox-alsa-XXXXXX".utf8CString)
    // Also a thread that has given its rights away reads the configuration.
    guard mkdtemp(&template) != nil, chmod(template, 0o755) == 0 else {
      fatalError("no temporary folder")
    }
    let folder = String(decoding: template.dropLast().map { UInt8($0) }, as: UTF8.self)
    write(configuration(folder), to: folder + "/asound.conf")
    setenv("ALSA_CONFIG_PATH", folder + "/asound.conf", 1)
    atexit { Recorder.clear() }
    CardLibrary.make(in: folder)
    return folder
  }()

  private static func clear() {
    unlink(folder + "/card.so")
    for name in names { unlink(folder + "/\(name).raw") }
    unlink(folder + "/asound.conf")
    rmdir(folder)
  }

  private static func configuration(_ folder: String) -> String {
    var text = "pcm.null { type null }\n"
    for name in names where name != "default" && name != "tv" {
      text += """
        pcm.!\(name) { type file slave.pcm null file "\(folder)/\(name).raw" format raw perm 384 }

        """
    }
    text += """
      pcm.cd { type plug slave { pcm converted rate 44100 channels 1 format S16_LE } }
      pcm.narrow { type plug slave { pcm negotiated rate 44100 channels 1 format S16_LE } }
      pcm.late { type file slave.pcm null file "\(folder)/no/folder.raw" format raw }

      """
    return text + cards(folder) + controlInterfaces
  }

  /// What the distribution's configuration has for each card, here for the cards of a test.
  private static func cards(_ folder: String) -> String {
    """
    pcm_type.timed { lib "\(folder)/card.so" }
    ctl_type.timed { lib "\(folder)/card.so" }
    pcm.default {
      @args [ CARD ] @args.CARD { type string default "default" }
      type file slave.pcm null format raw perm 384
      file { @func concat strings [ "\(folder)/" $CARD ".raw" ] }
    }
    pcm.hw {
      @args [ CARD ] @args.CARD { type string default "first" }
      type timed state { @func concat strings [ "\(folder)/" $CARD ".card" ] }
    }
    pcm.plughw {
      @args [ CARD ] @args.CARD { type string default "first" }
      type plug slave.pcm { @func concat strings [ "hw:CARD=" $CARD ] }
    }
    pcm.dmix {
      @args [ CARD ] @args.CARD { type string default "first" }
      type timed state { @func concat strings [ "/nowhere/" $CARD ] }
    }

    """
  }

  private static let controlInterfaces = controls.map { name, has in
    "ctl.\(name) { type timed controls \"\(has)\" }\n"
  }.joined()

  private static func write(_ text: String, to path: String) {
    guard let file = fopen(path, "w") else { fatalError("\(path) cannot be made") }
    defer { fclose(file) }
    guard fputs(text, file) >= 0 else { fatalError("\(path) cannot be written") }
  }

  /// What was recorded under a name, as 32-bit samples.
  static func samples(_ name: String) -> [Int32] {
    guard let file = fopen(folder + "/\(name).raw", "r") else { return [] }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    var samples = Array(repeating: Int32(0), count: ftell(file) / 4)
    rewind(file)
    _ = fread(&samples, 4, samples.count, file)
    return samples
  }
}

/// A tone that is gone within a fifth of a second.
let shortTone = Sound(
  name: "tone", source: "a test",
  partials: [
    Partial(frequencyHertz: 1_000, decaySeconds: 0.05, level: 1, beatHertz: 0, pairRatio: 0)
  ], onsetSeconds: 0.005, amplitude: 0.1)

/// A tone that would ring for minutes.
let longTone = Sound(
  name: "tone", source: "a test",
  partials: [
    Partial(frequencyHertz: 1_000, decaySeconds: 100, level: 1, beatHertz: 0, pairRatio: 0)
  ], onsetSeconds: 0.005, amplitude: 0.1)

func bootTime() -> Instant {
  var time = timespec()
  clock_gettime(CLOCK_BOOTTIME, &time)
  return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
}

/// Takes reports until one is as wished, or the time is over.
func reports(
  of thread: AudioThread, until isLast: (AudioReport) -> Bool, within span: Span
) -> [AudioReport] {
  let end = bootTime() + span
  var all: [AudioReport] = []
  while bootTime() < end {
    var waited = pollfd(fd: thread.reportDescriptor, events: Int16(POLLIN), revents: 0)
    let next = thread.nextDeadline.map { min($0, end) } ?? end
    let left = max(0, (next - bootTime()).nanoseconds / 1_000_000 + 1)
    poll(&waited, 1, Int32(left))
    let new = thread.takeReports()
    all += new
    if new.contains(where: isLast) { return all }
  }
  return all
}

func outcomes(_ reports: [AudioReport]) -> [StrikeReport.Outcome] {
  reports.compactMap { if case .strike(let strike) = $0 { strike.outcome } else { nil } }
}
