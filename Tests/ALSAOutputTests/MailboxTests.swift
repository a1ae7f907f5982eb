import Bells
import Glibc
import Testing
import Ticks

@testable import ALSAOutput

private func orders(_ number: Int) -> Orders {
  Orders(plans: number, volumes: Volumes(number % 101), settings: PlaybackSettings())
}

private func strike(_ number: UInt32) -> Strike {
  Strike(number: number, sound: 0, due: .zero, gain: 1)
}

private final class Writer: Sendable {
  let mailbox = Mailbox(orders(0))
  static let rounds = 200_000

  func run() {
    for round in 1...Self.rounds {
      let count = round % (StrikeSchedule.capacity + 1)
      mailbox.put(
        orders(round), strikes: Array(repeating: strike(UInt32(round)), count: count))
    }
  }
}

@Suite struct MailboxTests {
  @Test func take_ofSeveralOrders_givesTheNewestOnce() {
    let mailbox = Mailbox(orders(0))
    var plan: [Strike] = []
    #expect(mailbox.take(strikes: &plan) == nil)
    mailbox.put(orders(1), strikes: [strike(1)])
    mailbox.put(orders(2), strikes: [strike(2), strike(3)])
    #expect(mailbox.take(strikes: &plan)?.plans == 2)
    #expect(plan.map(\.number) == [2, 3])
    #expect(mailbox.take(strikes: &plan) == nil)
  }

  @Test func orders_betweenTwoThreads_areNeverMixedNorOutOfOrder() {
    let writer = Writer()
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(writer).toOpaque()
    let error = pthread_create(
      &thread, nil,
      { raw in
        raw.map { Unmanaged<Writer>.fromOpaque($0).takeRetainedValue().run() }
        return nil
      }, argument)
    #expect(error == 0)
    var plan: [Strike] = []
    var newest = 0
    var mixed = 0
    while newest < Writer.rounds {
      guard let taken = writer.mailbox.take(strikes: &plan) else { continue }
      let isWhole =
        taken.plans > newest && taken.volumes[0] == taken.plans % 101
        && plan.count == taken.plans % (StrikeSchedule.capacity + 1)
        && plan.allSatisfy { $0.number == UInt32(taken.plans) }
      if !isWhole { mixed += 1 }
      newest = taken.plans
    }
    pthread_join(thread, nil)
    #expect(mixed == 0)
  }

  @Test func ring_thatIsFull_dropsTheNewestAndCountsThem() {
    let ring = ReportRing()
    for number in 0..<300 {
      ring.put(
        .strike(StrikeReport(number: UInt32(number), started: .zero, outcome: .rung)))
    }
    #expect(ring.dropped == 300 - ReportRing.capacity)
    var numbers: [UInt32] = []
    while let report = ring.take() {
      if case .strike(let strike) = report { numbers.append(strike.number) }
    }
    #expect(numbers == (0..<256).map { UInt32($0) })
    ring.put(.closed)
    #expect(ring.take() != nil)
  }
}
