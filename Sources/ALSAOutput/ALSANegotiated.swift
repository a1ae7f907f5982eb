import Bells
import CALSA

/// What a device agreed to, as it said afterwards, which need not be what it was asked for.
public struct ALSANegotiated: Equatable, Sendable {
  /// How samples are written down.
  public internal(set) var format = SampleFormat.integer16
  /// Channels a frame.
  public internal(set) var channelCount = 2
  /// Frames a second.
  public internal(set) var rateHertz = 48_000
  /// Frames between two interrupts.
  public internal(set) var periodFrames = 0
  /// Frames it can queue.
  public internal(set) var bufferFrames = 0

  /// How many frames are converted and written at once.
  let chunkFrames = 1_024

  init() {}

  private static let formats: [(SampleFormat, snd_pcm_format_t)] = [
    (.integer32, SND_PCM_FORMAT_S32_LE), (.integer24In32, SND_PCM_FORMAT_S24_LE),
    (.integer24Packed, SND_PCM_FORMAT_S24_3LE), (.integer16, SND_PCM_FORMAT_S16_LE),
    (.float32, SND_PCM_FORMAT_FLOAT_LE),
  ]

  /// Negotiates with an open device and installs what was agreed.
  ///
  /// First the hardware's own rates are asked for, and only if that fails the library's conversion,
  /// whose delay reports are worse; a rate other than 48,000 Hz does no harm, as sounds are
  /// rendered for it.
  init(negotiating handle: OpaquePointer) throws(ALSAFault) {
    var parameters: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&parameters) == 0, let parameters else {
      throw ALSAFault(call: .configure, code: ENOMEM)
    }
    defer { snd_pcm_hw_params_free(parameters) }
    do throws(ALSAFault) {
      try negotiate(handle, parameters, resampling: 0)
    } catch {
      try negotiate(handle, parameters, resampling: 1)
    }
    try installSoftware(handle)
  }

  private mutating func negotiate(
    _ handle: OpaquePointer, _ parameters: OpaquePointer, resampling: UInt32
  ) throws(ALSAFault) {
    try check(snd_pcm_hw_params_any(handle, parameters))
    try check(snd_pcm_hw_params_set_rate_resample(handle, parameters, resampling))
    try check(
      snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED))
    guard
      let (format, code) = Self.formats.first(where: {
        snd_pcm_hw_params_test_format(handle, parameters, $0.1) == 0
      })
    else {
      let isEncoded =
        snd_pcm_hw_params_test_format(
          handle, parameters, SND_PCM_FORMAT_IEC958_SUBFRAME_LE) == 0
      throw ALSAFault(call: isEncoded ? .encoding : .configure, code: EINVAL)
    }
    self.format = format
    try check(snd_pcm_hw_params_set_format(handle, parameters, code))
    var channels: UInt32 = 2
    try check(snd_pcm_hw_params_set_channels_near(handle, parameters, &channels))
    var rate: UInt32 = 48_000
    try check(snd_pcm_hw_params_set_rate_near(handle, parameters, &rate, nil))
    try installSizes(handle, parameters)
    try readBack(parameters)
  }

  /// Some chains refuse both sizes together, some either of them; the period goes first, since with
  /// a buffer alone the library picks the shortest period there is.
  private func installSizes(
    _ handle: OpaquePointer, _ parameters: OpaquePointer
  ) throws(ALSAFault) {
    var saved: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&saved) == 0, let saved else {
      throw ALSAFault(call: .configure, code: ENOMEM)
    }
    defer { snd_pcm_hw_params_free(saved) }
    snd_pcm_hw_params_copy(saved, parameters)
    var error: Int32 = 0
    for (wantsPeriod, wantsBuffer) in [(true, true), (false, true), (true, false), (false, false)] {
      snd_pcm_hw_params_copy(parameters, saved)
      // A buffer of one period cannot be refilled while it plays.
      var least: UInt32 = 2
      snd_pcm_hw_params_set_periods_min(handle, parameters, &least, nil)
      var period: UInt32 = 50_000
      if wantsPeriod {
        snd_pcm_hw_params_set_period_time_near(handle, parameters, &period, nil)
      }
      var buffer: UInt32 = 200_000
      var longest: UInt32 = 2_000_000
      if wantsBuffer {
        snd_pcm_hw_params_set_buffer_time_near(handle, parameters, &buffer, nil)
      } else {
        snd_pcm_hw_params_set_buffer_time_max(handle, parameters, &longest, nil)
      }
      error = snd_pcm_hw_params(handle, parameters)
      if error == 0 { return }
    }
    try check(error)
  }

  private mutating func readBack(_ parameters: OpaquePointer) throws(ALSAFault) {
    var rate: UInt32 = 0
    var channels: UInt32 = 0
    var period: snd_pcm_uframes_t = 0
    var buffer: snd_pcm_uframes_t = 0
    try check(snd_pcm_hw_params_get_rate(parameters, &rate, nil))
    try check(snd_pcm_hw_params_get_channels(parameters, &channels))
    try check(snd_pcm_hw_params_get_period_size(parameters, &period, nil))
    try check(snd_pcm_hw_params_get_buffer_size(parameters, &buffer))
    guard (8_000...384_000).contains(rate), (1...64).contains(channels), period > 0,
      buffer > period, buffer <= 100 * UInt(rate)
    else { throw ALSAFault(call: .configure, code: EINVAL) }
    rateHertz = Int(rate)
    channelCount = Int(channels)
    periodFrames = Int(period)
    bufferFrames = Int(buffer)
  }

  /// The program decides when the stream starts; an underrun plays silence instead of what the
  /// buffer held before; stamps are on the monotonic clock.
  private func installSoftware(_ handle: OpaquePointer) throws(ALSAFault) {
    var parameters: OpaquePointer?
    guard snd_pcm_sw_params_malloc(&parameters) == 0, let parameters else {
      throw ALSAFault(call: .configure, code: ENOMEM)
    }
    defer { snd_pcm_sw_params_free(parameters) }
    try check(snd_pcm_sw_params_current(handle, parameters))
    var boundary: snd_pcm_uframes_t = 0
    try check(snd_pcm_sw_params_get_boundary(parameters, &boundary))
    try check(snd_pcm_sw_params_set_start_threshold(handle, parameters, boundary))
    try check(
      snd_pcm_sw_params_set_avail_min(handle, parameters, snd_pcm_uframes_t(periodFrames)))
    snd_pcm_sw_params_set_silence_threshold(handle, parameters, 0)
    snd_pcm_sw_params_set_silence_size(handle, parameters, boundary)
    snd_pcm_sw_params_set_tstamp_mode(handle, parameters, SND_PCM_TSTAMP_ENABLE)
    snd_pcm_sw_params_set_tstamp_type(handle, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC)
    try check(snd_pcm_sw_params(handle, parameters))
  }

  private func check(_ result: Int32) throws(ALSAFault) {
    if result < 0 { throw ALSAFault(call: .configure, code: -result) }
  }
}
