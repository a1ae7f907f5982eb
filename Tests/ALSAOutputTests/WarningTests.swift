import Testing

@testable import ALSAOutput

private let muted = MixerWarning.muted(card: "Box", control: "Master")
private let silent = MixerWarning.silent(card: "Box", control: "PCM")

@Suite struct WarningTests {
  @Test func mixerWarning_ofEachOpening_isToldOnce() {
    var list = WarningList()
    list.set(mixer: [muted])
    #expect(list.take() == [.mixer(muted)])
    list.set(mixer: [muted])
    #expect(list.take().isEmpty)
  }

  @Test func mixer_putRight_isToldOnceAndItsNextWarningAgain() {
    var list = WarningList()
    list.set(mixer: [])
    #expect(list.take().isEmpty)
    list.set(mixer: [muted])
    list.set(mixer: [])
    #expect(list.take() == [.mixer(muted), .mixerWorks])
    list.set(mixer: [])
    #expect(list.take().isEmpty)
    list.set(mixer: [muted])
    #expect(list.take() == [.mixer(muted)])
  }

  @Test func mixer_putRightInPart_tellsWhatIsStillWrong() {
    var list = WarningList()
    list.set(mixer: [muted, silent])
    #expect(list.take() == [.mixer(muted), .mixer(silent)])
    list.set(mixer: [muted])
    #expect(list.take() == [.mixer(muted)])
  }
}
