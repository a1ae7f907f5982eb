import CALSA
import Synchronization

/// What tells the control thread that there is something to take.
final class NewsSignal: Sendable {
  let event: EventDescriptor

  init() throws(ALSAOutputError) { event = try EventDescriptor() }
}

/// What only the kernel's files and a card's controls tell, found out beside the threads that must
/// not wait: a driver that does not return may hold the locks that both need.
///
/// Invariants:
/// - The mutex is held while a question or an answer changes hands, never over a call that may
///   wait.
/// - There is at most one thread of it, and none while nothing is asked.
/// - At most `capacity` questions wait; one more is not taken.
final class LookUp: Sendable {
  static let capacity = 8

  enum Question: Sendable {
    /// What a fault of a device means.
    case fault(name: String, ALSAFault)
    /// What keeps an output from being heard as it was asked for, now that it is open.
    case opening(name: String, card: Int, substitute: SubstituteName?)
  }

  enum Answer: Sendable {
    case fault(ALSAOutputError)
    case opening([AudioWarning], [MixerWarning])
  }

  private struct State: Sendable {
    var questions: [(number: Int, question: Question)] = []
    var answers: [(number: Int, answer: Answer)] = []
    var isWorking = false
  }

  private let state = Mutex(State())
  private let system: SoundSystem
  private let news: NewsSignal

  /// - Parameter news: raised when there are answers.
  init(on system: SoundSystem, news: NewsSignal) {
    self.system = system
    self.news = news
  }

  /// Asks.
  /// - Parameter number: comes back with the answer.
  /// - Returns: whether there will be one, if what it needs returns.
  func ask(_ number: Int, _ question: Question) -> Bool {
    let isToStart: Bool? = state.withLock { state in
      guard state.questions.count < Self.capacity else { return nil }
      state.questions.append((number, question))
      let isFirst = !state.isWorking
      state.isWorking = true
      return isFirst
    }
    guard let isToStart else { return false }
    if !isToStart || start() { return true }
    state.withLock { state in
      state.questions = []
      state.isWorking = false
    }
    return false
  }

  /// The answers since the last time.
  func takeAnswers() -> [(number: Int, answer: Answer)] {
    state.withLock { state in
      let answers = state.answers
      state.answers = []
      return answers
    }
  }

  private func start() -> Bool {
    // Safety: the thread takes over the one reference made here, and gives it up when it ends.
    let argument = Unmanaged.passRetained(self)
    var thread: UInt64 = 0
    let error = calsa_thread_start(
      &thread, "look-up",
      { Unmanaged<LookUp>.fromOpaque($0).takeRetainedValue().run() }, argument.toOpaque())
    guard error == 0 else {
      argument.release()
      return false
    }
    calsa_thread_leave(thread)
    return true
  }

  private func run() {
    while let (number, question) = next() {
      let answer = answer(question)
      state.withLock { $0.answers.append((number, answer)) }
      news.event.signal()
    }
  }

  private func next() -> (number: Int, question: Question)? {
    state.withLock { state in
      state.isWorking = !state.questions.isEmpty
      return state.isWorking ? state.questions.removeFirst() : nil
    }
  }

  private func answer(_ question: Question) -> Answer {
    switch question {
    case .fault(let name, let fault): return .fault(ALSAOutputError(name, fault, on: system))
    case .opening(let name, let number, let substitute):
      let cards = system.cards
      let card = cards.first { $0.number == number }
      var warnings: [AudioWarning] = []
      if let substitute, let meant = card ?? OutputName(name).card(among: cards) {
        let taken = substitute.name(of: meant.id)
        warnings.append(.otherName(asked: name, taken: taken, reason: substitute.reason))
      }
      return .opening(warnings, card.map { ALSAMixer.prepare(card: $0.id) } ?? [])
    }
  }
}
