import GPIOInput
import Testing

@Suite struct GPIOLibraryTests {
  @Test func version_ofTheLoadedLibrary_beginsWithTheGenerationItWasBuiltFor() {
    #expect(GPIOLibrary.version.hasPrefix("\(GPIOLibrary.generation)."))
  }
}
