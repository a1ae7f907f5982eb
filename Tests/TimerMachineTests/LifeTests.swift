// The account of any sit, whatever befell it, against a slow ledger. A failure names its seed.
import Testing
import Ticks
import TimerMachine

@Test func finishedSits_ofAnyLife_areThoseOfTheLedgerAndSumUp() {
  var seen: Set<String> = []
  for seed in UInt64(1)...500 {
    var life = RandomLife(seed: seed)
    life.live(events: 60)
    life.pass(.hours(12))
    #expect(life.outcomes.count == life.ledger.finished.count, "seed \(seed)")
    for (sit, slow) in zip(life.outcomes, life.ledger.finished) {
      guard let sit else { continue }
      let held = sit.interruptions.reduce(Span.zero) { $0 + ($1.to - $1.from) }
      let account = Ledger.Account(
        credited: sit.credited, overtime: sit.overtime, unconfirmed: sit.unconfirmed)
      #expect(account == slow, "seed \(seed)")
      #expect(sit.ended - sit.begun == sit.credited + sit.unconfirmed + held, "seed \(seed)")
      #expect(sit.doubtful <= sit.unconfirmed && sit.doubtful >= .zero, "seed \(seed)")
      var last = sit.begun
      for gap in sit.interruptions {
        #expect(last <= gap.from && gap.from <= gap.to, "seed \(seed)")
        last = gap.to
      }
      #expect(last <= sit.ended, "seed \(seed)")
      for (name, isSo) in kinds(of: sit) where isSo { seen.insert(name) }
    }
  }
  #expect(seen.count == 10, "these came: \(seen.sorted())")
}

private func kinds(of sit: FinishedSit) -> [(String, Bool)] {
  [
    ("completed", sit.completed), ("not completed", !sit.completed),
    ("open", sit.planned == nil), ("planned", sit.planned != nil),
    ("unconfirmed", sit.unconfirmed > .zero), ("doubtful", sit.doubtful > .zero),
    ("end reached in doubt", sit.reachedEnd && !sit.completed), ("overtime", sit.overtime > .zero),
    ("pause", sit.interruptions.contains { $0.kind == .pause }),
    ("outage", sit.interruptions.contains { $0.kind == .outage }),
  ]
}

@Test func bells_ofAnyLife_beginATickApart() {
  for seed in UInt64(1)...500 {
    var life = RandomLife(seed: seed)
    life.live(events: 60)
    var last: Instant?
    for bell in life.driver.bells where bell.role != .cue {
      if bell.role != .start, let last {
        #expect(bell.due - last >= .seconds(1), "seed \(seed)")
      }
      last = bell.due
    }
  }
}
