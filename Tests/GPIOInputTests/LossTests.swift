import GPIOInput
import Glibc
import Testing

private let crown = "auto A=17 B=27 S=22"
private let taken = "taken ABS=high".spread
private let gone =
  "fault gpiochip0 (pinctrl-bcm2711) has gone; its lines are taken again when it returns"

@Suite struct LossTests {
  @Test(arguments: Generation.allCases)
  func s12_chipThatGoes_isLostOnceAndWakesNobodyUntilItReturns(_ generation: Generation) throws {
    let stand = try Stand(
      generation,
      """
      chip gpiochip0 pinctrl-bcm2711 58
      go
      unplug
      go
      low 22
      plug
      go
      edge 0 22 1
      """)
    try stand.run(
      crown, "read", "go", "readable", "read", "readable", "deadline", "levels ABS", "read",
      "readable", "go", "readable", "read", "readable", "deadline", "go", "read",
      prints: [
        taken, "readable", "lost ABS", gone, "nothing to read", "in 2 s", "levels ", "no news",
        "nothing to read", "readable", "taken A=high B=high S=low", "no fault",
        "nothing to read", "no deadline", "edge S high 0",
      ])
  }

  @Test(arguments: Generation.allCases)
  func s12_edgesBeforeTheChipWent_areNotMissed(_ generation: Generation) throws {
    let stand = try Stand(generation, "chip gpiochip0 pinctrl-bcm2711 58\ngo\nunplug")
    // The kernel keeps none: a read fails at once.
    try stand.run(
      crown, "read", "go", "levels A", "deadline", "read",
      prints: [
        taken, "levels ", "due", "lost ABS", gone,
      ])
  }

  @Test(arguments: Generation.allCases)
  func chipThatStaysAway_isLookedForAfter2sAndDoubledTo60s(_ generation: Generation) throws {
    let stand = try Stand(generation, "chip gpiochip0 pinctrl-bcm2711 58\naway")
    var commands = ["read", "deadline"]
    for seconds in [2, 4, 8, 16, 32, 60] {
      commands += ["skip \(seconds)", "read", "deadline"]
    }
    let run = try Run(stand.arguments(crown, commands), environment: stand.environment)
    let missing =
      "fault no GPIO chip is that of a header, or has all lines of the board; "
      + "there is none in \(stand.folder)/dev"
    expect(
      run.lines,
      [
        missing, "in 2 s", "no news", "in 4 s", "no news", "in 8 s", "no news", "in 16 s",
        "no news", "in 32 s", "no news", "in 60 s", "no news", "in 60 s",
      ])
  }

  @Test(arguments: Generation.allCases)
  func chipThatComesLate_isTakenWhenItsNodeAppears(_ generation: Generation) throws {
    let stand = try Stand(
      generation,
      "chip gpiochip1 other 4\nchip gpiochip0 pinctrl-bcm2711 58\naway\ngo\nplug")
    try stand.run(
      crown, "read", "readable", "go", "readable", "read",
      prints: [
        "fault no GPIO chip is that of a header, or has all lines of the board; "
          + "there are gpiochip1 \"other\"", "nothing to read", "readable", taken, "no fault",
      ])
  }

  @Test(arguments: Generation.allCases)
  func lineWithoutInterrupts_isLookedAtEvery2ms(_ generation: Generation) throws {
    let stand = try Stand(
      generation,
      "chip gpiochip0 pinctrl-bcm2711 58\ndumb 22\ngo\nlevel 22 0\ngo\nlevel 22 1\nedge 0 17 0")
    let output = try stand.run(
      crown, "read", "go", "skip 1", "deadline", "read", "read", "go", "skip 1", "read", "mask S",
      "skip 1", "read", "mask -", "read")
    expect(
      output.filter { !$0.hasPrefix("edge S high ") },
      [
        taken,
        "fault gpiochip0 line 22, the crown's switch: it raises no interrupts, so it is looked at "
          + "every 2 ms", "due", "edge S low 0", "no news", "edge A low 0", "no news", "gap S",
      ])
    #expect(output.count == 9)
    expect(
      stand.log("request gpiochip0 22"),
      [
        "request gpiochip0 22 \(asked)",
        "request gpiochip0 22 input pull-up active-low for timerbox",
      ])
  }

  @Test(arguments: Generation.allCases)
  func contactsWithoutInterrupts_areLookedAtTogether(_ generation: Generation) throws {
    let stand = try Stand(
      generation,
      "chip gpiochip0 pinctrl-bcm2711 58\ndumb 27\ngo\nlevel 17 0\nlevel 27 0\ngo\nunplug")
    try stand.run(
      crown, "read", "go", "skip 1", "read", "go", "skip 1", "read", "deadline",
      prints: [
        taken,
        "fault gpiochip0 line 17, the crown's contact A: it raises no interrupts, so it is looked "
          + "at every 2 ms", "edge A low 0", "edge B low 0", "lost ABS", gone, "in 2 s",
      ])
  }
}

@Suite struct ProcessTests {
  @Test(arguments: Generation.allCases)
  func s9_programWithTheOtherLibrary_saysSoAndAsksForNothing(_ generation: Generation) throws {
    let stand = try Stand(generation, "chip gpiochip0 pinctrl-bcm2711 58")
    // The other library under the name that this program asks for.
    let wrong = try Workshop.shared.get().library(generation.other)
    mkdir(stand.folder + "/wrong", 0o700)
    symlink(wrong, "\(stand.folder)/wrong/\(generation.libraryName)")
    let environment =
      stand.environment.filter { !$0.hasPrefix("LD_PRELOAD") }
      + ["LD_LIBRARY_PATH=\(stand.folder)/wrong"]
    let run = try Run(
      stand.arguments(crown, ["read", "deadline", "devices"]), environment: environment)
    let fault =
      "fault libgpiod \(generation.other.rawValue) is loaded, and this program was built for "
      + "libgpiod \(generation.rawValue); install the package that was built for this system"
    expect(run.lines, [fault, "no deadline", fault])
    #expect(run.status == 0)
    expect(stand.log, [])
  }

  @Test(arguments: Generation.allCases)
  func s10_terminateInABurstOf5kHz_endsWithinASecondWithEveryLineReleased(
    _ generation: Generation
  ) throws {
    let stand = try Stand(generation, "chip gpiochip0 pinctrl-bcm2711 58\ngo\nflutter 17 5000")
    let program = try Started(
      stand.arguments(crown, ["read", "go", "run"]), environment: stand.environment)
    let latest = ContinuousClock.now + .seconds(20)
    while !program.output.contains("running\n"), ContinuousClock.now < latest { usleep(10_000) }
    // A thousand edges and more are on their way by then.
    usleep(300_000)
    let start = ContinuousClock.now
    kill(program.process, SIGTERM)
    let run = try program.finish()
    #expect(ContinuousClock.now - start < .seconds(1))
    #expect(run.status == 0)
    #expect(run.lines.last == "edges")
    let released = [17, 22, 27].map { "release gpiochip0 \($0)" }
    expect(stand.log("release").sorted(), released)
  }
}
