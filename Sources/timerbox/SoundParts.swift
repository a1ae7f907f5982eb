import ALSAOutput
import Bells
import Settings
import SoundFiles
import Ticks

/// What is heard on this box, and on which outputs, made of the configuration and the board.
struct SoundParts: Sendable {
  /// How long silence runs on after the amplifier was told to be off.
  private static let ampQuietSpan = Span.milliseconds(100)

  /// The sounds there are: those that are built in, and then those that somebody recorded.
  let sounds: [Sound]
  /// What is wrong with sounds of one's own, each with what rings in its place.
  let faults: [(what: String, detail: String)]
  /// What is wrong with sounds that bells are to have.
  var missing: [String] {
    faults.filter { fault in wanted.contains { $0 == fault.what } }.map(\.detail)
  }
  /// The sounds that bells are to have and cannot.
  private let wanted: [String]
  private let configured: SoundSettings
  /// The time an amplifier takes until it sounds; nil where the board drives none.
  private let settling: Span?

  /// - Parameter state: the device's own folder, where recordings are; nil for none.
  init(_ configuration: Configuration, _ board: Board, state: String?) {
    configured = configuration.sound
    settling = board.hasAmp ? board.ampSettling ?? .zero : nil
    let own = state.map { SoundFiles.load(SoundsAdd.folder(state: $0)) }
    sounds = Sound.catalogue(for: configuration.sound.speaker) + (own?.sounds ?? [])
    wanted = configuration.missingSounds(among: sounds)
    faults = SoundParts.faults(own?.faults ?? [], missing: wanted)
  }

  private static func faults(
    _ broken: [SoundFileFault], missing: [String]
  ) -> [(what: String, detail: String)] {
    let still = "The built-in bell rings in its place."
    let absent = missing.filter { name in !broken.contains { $0.name == name } }
    return broken.map { fault in
      let isWanted = missing.contains { $0 == fault.name }
      return (fault.name ?? fault.path, isWanted ? "\(fault). \(still)" : "\(fault).")
    } + absent.map { ($0, "\($0): there is no such recording. \(still)") }
  }

  /// The outputs, the wanted one first.
  /// - Parameter device: the one that was chosen on this device, in place of the configured one.
  func outputs(device: String?) -> [OutputRequest] {
    var names = [device ?? configured.device]
    for name in configured.fallback where !names.contains(name) { names.append(name) }
    return names.map { name in
      OutputRequest(
        name: name, leadIn: configured.leadIn, settling: settling ?? .zero,
        offset: configured.offsets[name], keepAlive: configured.keepAlive)
    }
  }

  /// Starts the thread that owns the sound card. An amplifier is switched on once silence runs, and
  /// then takes its time until it sounds.
  /// - Parameter isWaiting: whether it opens nothing before it is told to begin.
  func audio(
    device: String?, volumes: Volumes, isWaiting: Bool = false
  ) throws(VerbError) -> AudioThread {
    do throws(ALSAOutputError) {
      return try AudioThread(
        outputs: outputs(device: device), sounds: sounds,
        settings: PlaybackSettings(
          latest: configured.latest, quiet: settling == nil ? .zero : SoundParts.ampQuietSpan),
        volumes: volumes, isWaiting: isWaiting)
    } catch {
      throw VerbError(status: .inputOutput, message: error.description)
    }
  }
}
