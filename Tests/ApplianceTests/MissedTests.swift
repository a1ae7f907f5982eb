import Appliance
import Testing
import Ticks

@Test func strikes_ofWhichNoOutputTells_areEachToldAsMissedWhenTheyAreTooLate() {
  var bench = Bench(rings: false) { settings in
    settings.plan.preparation = .zero
    settings.plan.overtime = false
  }
  bench.start(.fixed(.minutes(1)), at: at(0))
  let missed = { (bench: Bench) in bench.told.filter { $0.text.hasPrefix("strike") } }
  bench.advance(to: at(6))
  #expect(missed(bench).isEmpty)
  #expect(bench.appliance.nextDeadline == at(6) + nanosecond)
  bench.advance(to: at(6) + nanosecond)
  #expect(missed(bench) == [Told(at: at(6) + nanosecond, text: "strike start1 missed")])
  bench.advance(to: at(66))
  #expect(missed(bench).count == 1)
  for (index, second) in [66, 72, 78].enumerated() {
    bench.advance(to: at(Int64(second)) + nanosecond)
    #expect(missed(bench).last?.text == "strike end\(index + 1) missed")
    #expect(missed(bench).count == index + 2)
  }
  bench.advance(to: at(1_000))
  #expect(bench.appliance.nextDeadline == nil)
}
