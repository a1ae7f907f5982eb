import Bells
import Synchronization

/// What the audio thread leaves for the control thread beside its reports: the newest of each.
final class ALSANotes: Sendable {
  /// Of the output that was opened last.
  private let kindNumber = Atomic<UInt8>(OutputKind.analogue.rawValue)
  private let substituteNumber = Atomic<UInt8>(0)
  private let card = Atomic<Int>(-1)
  private let tried = Atomic<Int>(0)

  /// Which output was opened last, or is being opened.
  var output: Int {
    get { tried.load(ordering: .relaxed) }
    set { tried.store(newValue, ordering: .relaxed) }
  }

  /// What is on the far side.
  var kind: OutputKind {
    get { OutputKind(rawValue: kindNumber.load(ordering: .relaxed)) ?? .analogue }
    set { kindNumber.store(newValue.rawValue, ordering: .relaxed) }
  }

  /// Under which other name it was opened, if so.
  var substitute: SubstituteName? {
    get { SubstituteName(rawValue: substituteNumber.load(ordering: .relaxed)) }
    set { substituteNumber.store(newValue?.rawValue ?? 0, ordering: .relaxed) }
  }

  /// The number of the card, which is worth nothing once the card has gone; -1 where there is none.
  var cardNumber: Int {
    get { card.load(ordering: .relaxed) }
    set { card.store(newValue, ordering: .relaxed) }
  }
}
