import ALSAOutput
import Bells
import Glibc
import Testing

@Suite(.serialized) struct ALSADeviceTests {
  init() { _ = Recorder.folder }

  @Test func version_ofTheLoadedLibrary_isOne() {
    #expect(ALSALibrary.version.hasPrefix("1."))
  }

  @Test func open_ofAnUnlimitedDevice_takesTheFirstRungOfEachLadder() throws {
    var device = ALSADevice(outputs: [OutputRequest(name: "null")])
    let format = try device.open(0)
    #expect(format == PCMFormat(rateHertz: 48_000, bufferFrames: 9_600))
    let negotiated = device.negotiated
    #expect(negotiated.format == .integer32)
    #expect(negotiated.channelCount == 2)
    #expect(negotiated.periodFrames == 2_400)
    device.close()
    device.close()
    let again = try device.open(0)
    #expect(again == format)
  }

  @Test func open_ofADeviceOfAnotherRate_readsTheRateBack() throws {
    var device = ALSADevice(outputs: [OutputRequest(name: "narrow")])
    let format = try device.open(0)
    #expect(format.rateHertz == 44_100)
    device.close()
  }

  @Test func open_ofAnUnknownName_failsWithItsCallAndCode() {
    var device = ALSADevice(outputs: [OutputRequest(name: "nothing")])
    var fault: ALSAFault?
    do throws(ALSAFault) { _ = try device.open(0) } catch { fault = error }
    #expect(fault == ALSAFault(call: .open, code: ENOENT))
  }

  @Test func errors_inWords_nameTheDeviceTheCallAndTheReason() {
    let fault = ALSAFault(call: .configure, code: EINVAL)
    #expect(
      ALSAOutputError.device(name: "hw:CARD=DAC", fault: fault).description
        == "sound device 'hw:CARD=DAC': snd_pcm_hw_params: Invalid argument")
    #expect(
      ALSAOutputError.stalled(name: "x").description
        == "sound device 'x': it runs, but plays nothing")
    #expect(
      ALSAOutputError.system(call: "eventfd", code: EMFILE).description
        == "eventfd: Too many open files")
  }
}
