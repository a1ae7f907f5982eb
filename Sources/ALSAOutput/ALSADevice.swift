import Bells
import CALSA
import Ticks

/// A PCM of libasound by its name.
///
/// Invariants:
/// - `handle` and `report` are set together while it is open, and freed together by `close`.
/// - It never waits: it is opened non-blocking, and a full device takes nothing.
/// - It writes at most `bufferFrames` ahead of now, also on a device that would take everything at
///   once (`null`, `file`): there the clock says what a card would have played. Such a device is
///   recognised by what it does, since its type may hide behind a conversion.
public struct ALSADevice: PCM, ~Copyable {
  /// How far behind the clock a device without a clock of its own may fall before the frames that
  /// it is owed are given up.
  private static let greatestDebtSpan = Span.seconds(1)
  /// How much a real card may take out of its buffer before it has played it.
  private static let prefetchSpan = Span.milliseconds(50)

  /// The outputs, the wanted one first.
  public let outputs: [OutputRequest]
  /// What it came up with.
  public private(set) var negotiated = ALSANegotiated()

  /// What is on the far side of each output, as far as is known.
  private var kinds: [OutputKind]
  private let system: SoundSystem
  private let notes: ALSANotes

  private var handle: OpaquePointer?
  private var report: OpaquePointer?
  private var encoder = SampleEncoder(format: .integer16)
  private var bytes: [UInt8] = []
  private var writtenFrames: Int64 = 0
  private var started = Instant.zero
  /// Whether the device keeps no time of its own, so that the clock must.
  private var isPaced = false

  /// Names the outputs; nothing is opened yet.
  /// - Precondition: there is at least one.
  public init(outputs: [OutputRequest], system: SoundSystem = SoundSystem()) {
    self.init(outputs: outputs, system: system, notes: ALSANotes())
  }

  init(outputs: [OutputRequest], system: SoundSystem, notes: ALSANotes) {
    precondition(!outputs.isEmpty, "there is no output to open")
    self.outputs = outputs
    self.system = system
    self.notes = notes
    let cards = system.cards
    kinds = outputs.map { OutputName($0.name).kind(among: cards) }
    calsa_silence_errors()
  }

  /// How many outputs there are.
  public var outputCount: Int { outputs.count }

  /// How an output is to be treated: before it was ever opened, by what its name tells.
  public func traits(of output: Int) -> OutputTraits {
    outputs[output].traits(of: kinds[output])
  }

  deinit {
    if let handle { snd_pcm_close(handle) }
    if let report { snd_pcm_status_free(report) }
  }

  /// Opens, and takes the nearest the device has to 48,000 Hz stereo. Its card is looked up anew by
  /// its id. A name that fails in a known way is replaced by another for the same card.
  public mutating func open(_ output: Int) throws(ALSAFault) -> PCMFormat {
    notes.output = output
    let request = outputs[output].name
    let name = OutputName(request)
    let cards = system.cards
    kinds[output] = name.kind(among: cards)
    do throws(ALSAFault) {
      let format = try open(request)
      tell(output, cards, as: name, substitute: nil)
      return format
    } catch {
      guard let card = name.card(among: cards) else { throw error }
      for substitute in SubstituteName.all(after: error, of: name) {
        let other = substitute.name(of: card.id)
        guard let format = try? open(other) else { continue }
        tell(output, cards, as: OutputName(other), substitute: substitute)
        return format
      }
      throw error
    }
  }

  /// Remembers what was opened, by the card that it turned out to be.
  private mutating func tell(
    _ output: Int, _ cards: [ALSACard], as name: OutputName, substitute: SubstituteName?
  ) {
    let number = Int(calsa_card_number(handle))
    kinds[output] = name.kind(
      openOn: cards.first { $0.number == number }, isHDMI: calsa_is_hdmi(handle) != 0,
      among: cards)
    notes.kind = kinds[output]
    notes.cardNumber = number
    notes.substitute = substitute
  }

  private mutating func open(_ name: String) throws(ALSAFault) -> PCMFormat {
    precondition(handle == nil, "the device is open")
    var opened: OpaquePointer?
    let error = snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
    guard error == 0, let opened else { throw ALSAFault(call: .open, code: -error) }
    do throws(ALSAFault) {
      negotiated = try ALSANegotiated(negotiating: opened)
      guard snd_pcm_status_malloc(&report) == 0 else {
        throw ALSAFault(call: .status, code: ENOMEM)
      }
    } catch {
      snd_pcm_close(opened)
      throw error
    }
    handle = opened
    encoder = SampleEncoder(format: negotiated.format, channelCount: negotiated.channelCount)
    bytes = Array(repeating: 0, count: encoder.frameByteCount * negotiated.chunkFrames)
    writtenFrames = 0
    isPaced = false
    return PCMFormat(rateHertz: negotiated.rateHertz, bufferFrames: negotiated.bufferFrames)
  }

  /// Starts what was filled in.
  public mutating func start() throws(ALSAFault) {
    started = System.now()
    let error = snd_pcm_start(handle)
    guard error == 0 else { throw ALSAFault(call: .start, code: -error) }
  }

  /// Where the stream is, in one call, as the frames and the time must belong together.
  public mutating func status() throws(ALSAFault) -> PCMStatus {
    let error = snd_pcm_status(handle, report)
    if error == -EPIPE || error == -ESTRPIPE { return .stopped }
    guard error == 0 else { throw ALSAFault(call: .status, code: -error) }
    switch snd_pcm_status_get_state(report) {
    case SND_PCM_STATE_RUNNING: break
    case SND_PCM_STATE_DISCONNECTED: throw ALSAFault(call: .status, code: ENODEV)
    default: return .stopped
    }
    if !isPaced { isPaced = hasPlayedTooMuch }
    return isPaced ? paced() : stamped()
  }

  /// Whether it has taken more than a card can have played. It is asked only soon after the start:
  /// over an hour a card's crystal may well run ahead by as much.
  private var hasPlayedTooMuch: Bool {
    let running = System.now() - started
    let queued = negotiated.bufferFrames - Int(snd_pcm_status_get_avail(report))
    return running < .seconds(1)
      && writtenFrames - Int64(queued) > frames(in: running + Self.prefetchSpan)
  }

  /// What a card would be at that had been started at the same time.
  private func paced() -> PCMStatus {
    let queued = Int(writtenFrames - frames(in: System.now() - started))
    if frames(in: Self.greatestDebtSpan) < -queued { return .stopped }
    return .running(
      nextFrame: started + span(of: writtenFrames), queuedFrames: queued,
      roomFrames: negotiated.bufferFrames - queued)
  }

  private func stamped() -> PCMStatus {
    let buffer = negotiated.bufferFrames
    let available = min(Int(snd_pcm_status_get_avail(report)), buffer)
    let queued = buffer - available
    // The delay counts what is past the buffer too. Drivers give absurd ones now and then.
    var delay = Int(snd_pcm_status_get_delay(report))
    if delay < 0 || delay > 4 * buffer { delay = queued }
    return .running(
      nextFrame: stamp() + span(of: Int64(delay)), queuedFrames: queued, roomFrames: available)
  }

  /// The time of the status on the boot-time clock. A stamp that is missing or on another clock is
  /// not believed.
  private func stamp() -> Instant {
    var time = snd_htimestamp_t()
    snd_pcm_status_get_htstamp(report, &time)
    let now = System.now()
    let nanoseconds = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    let stamp = Instant(nanoseconds: nanoseconds) + System.bootTimeLead()
    return now - stamp >= .zero && now - stamp < .seconds(1) ? stamp : now
  }

  /// Hands frames over in the device's own format.
  public mutating func write(
    _ frames: Range<Int>, of block: borrowing [Float]
  ) throws(ALSAFault) -> Int {
    let chunk = frames.lowerBound..<min(frames.upperBound, frames.lowerBound + chunkFrames)
    encoder.encode(chunk, of: block, into: &bytes)
    // Safety: the encoder has filled `chunk.count` frames of `bytes`, and the call keeps no
    // pointer.
    let taken = bytes.withUnsafeBytes { raw in
      snd_pcm_writei(handle, raw.baseAddress, snd_pcm_uframes_t(chunk.count))
    }
    switch Int32(taken) {
    case -EAGAIN, -EINTR, -EPIPE, -ESTRPIPE, -EBADFD: return 0
    case ..<0: throw ALSAFault(call: .write, code: Int32(-taken))
    default:
      writtenFrames += Int64(taken)
      return taken
    }
  }

  private var chunkFrames: Int { negotiated.chunkFrames }

  /// Makes a stopped stream ready to be filled. One that was suspended is resumed and dropped
  /// first, so that it begins anew like any other.
  public mutating func prepare() throws(ALSAFault) {
    switch snd_pcm_state(handle) {
    case SND_PCM_STATE_SUSPENDED: snd_pcm_resume(handle)
    case SND_PCM_STATE_DISCONNECTED: throw ALSAFault(call: .prepare, code: ENODEV)
    default: break
    }
    snd_pcm_drop(handle)
    let error = snd_pcm_prepare(handle)
    guard error == 0 else { throw ALSAFault(call: .prepare, code: -error) }
    writtenFrames = 0
    isPaced = false
  }

  /// Drops what is queued and closes. (Draining can hang in several drivers; the queue is silent
  /// when a stream is closed in peace.)
  public mutating func close() {
    guard let handle else { return }
    snd_pcm_drop(handle)
    snd_pcm_close(handle)
    snd_pcm_status_free(report)
    self.handle = nil
    report = nil
  }

  private func frames(in span: Span) -> Int64 {
    let rate = Int64(negotiated.rateHertz)
    let seconds = span.wholeSeconds
    return seconds * rate + (span.nanoseconds - seconds * 1_000_000_000) * rate / 1_000_000_000
  }

  private func span(of frames: Int64) -> Span {
    let rate = Int64(negotiated.rateHertz)
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: rate)
    return Span(nanoseconds: seconds * 1_000_000_000 + rest * 1_000_000_000 / rate)
  }
}
