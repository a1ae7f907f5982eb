import InputDevices
import Testing

@Test func kernelName_ofAKey_isKnown() {
  #expect(KernelName.isKnown("KEY_UP"))
  #expect(!KernelName.isKnown("KEY_UPP"))
}
