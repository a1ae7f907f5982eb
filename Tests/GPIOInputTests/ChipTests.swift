import GPIOInput
import Testing

/// Raspberry Pi 5 kernels have given the header's chip three different numbers.
private let renumberings: [String] = [
  """
  chip gpiochip0 gpio-brcmstb@107d508500 32
  chip gpiochip1 gpio-brcmstb@107d508520 4
  chip gpiochip2 gpio-brcmstb@107d517c00 17
  chip gpiochip3 gpio-brcmstb@107d517c20 6
  chip gpiochip4 pinctrl-rp1 54
  line 17 GPIO17
  """,
  """
  chip gpiochip0 pinctrl-rp1 54
  line 17 GPIO17
  chip gpiochip10 gpio-brcmstb@107d508500 32
  chip gpiochip11 gpio-brcmstb@107d508520 4
  chip gpiochip12 gpio-brcmstb@107d517c00 17
  chip gpiochip13 gpio-brcmstb@107d517c20 6
  """,
  """
  chip gpiochip11 pinctrl-rp1 54
  line 17 GPIO17
  chip gpiochip12 gpio-brcmstb@107d508500 32
  chip gpiochip13 gpio-brcmstb@107d508520 4
  chip gpiochip14 gpio-brcmstb@107d517c00 17
  chip gpiochip15 gpio-brcmstb@107d517c20 6
  """,
]

@Suite struct ChipTests {
  @Test(arguments: Generation.allCases, 0..<3)
  func s1_pi5AfterEachRenumbering_findsGPIO17OnRP1AndOpensItOnce(
    _ generation: Generation, _ renumbering: Int
  ) throws {
    let links = renumbering == 1 ? [("gpiochip4", "gpiochip0")] : []
    for chip in ["auto", "label:pinctrl-rp1"] {
      let stand = try Stand(generation, renumberings[renumbering], links: links)
      try stand.run("\(chip) S=GPIO17", "read", prints: ["taken S=high"])
      let name = ["gpiochip4", "gpiochip0", "gpiochip11"][renumbering]
      expect(stand.log("request"), ["request \(name) 17 \(asked)"])
      #expect(stand.log("open").filter { $0 == "open \(name)" }.count == 1)
      #expect(stand.log("close").count == stand.log("open").count)
    }
  }

  @Test(arguments: Generation.allCases)
  func s2_namesOfTwoDigitsAndNoChip0_comeInTheOrderOfTheirNumbers(
    _ generation: Generation
  ) throws {
    let stand = try Stand(
      generation, "chip gpiochip10 gpio1 32\nchip gpiochip9 gpio0 32\nchip gpiochip100 gpio2 32")
    let devices = ["gpiochip9 gpio0 32", "gpiochip10 gpio1 32", "gpiochip100 gpio2 32"]
    #expect(try stand.run("label:gpio2 S=5", "devices").filter { !$0.hasPrefix(" ") } == devices)
    try stand.run("label:gpio2 S=5", "read", prints: ["taken S=high"])
  }

  @Test(arguments: Generation.allCases)
  func s4_gpio4WhereTheTreeCallsItGCLK_isLine4OfTheHeader(_ generation: Generation) throws {
    let stand = try Stand(
      generation, "chip gpiochip0 pinctrl-bcm2711 58\nline 4 GPIO_GCLK\nline 17 GPIO17")
    try stand.run("auto S=GPIO4 U=GPIO17", "read", prints: ["taken SU=high".spread])
    #expect(stand.log("request").contains("request gpiochip0 4 \(asked)"))
  }

  @Test(arguments: Generation.allCases)
  func headerChip_whoseTreeNamesNoLine_hasGPIO17AtOffset17(_ generation: Generation) throws {
    let stand = try Stand(generation, "chip gpiochip0 pinctrl-bcm2835 54")
    try stand.run("auto S=GPIO17", "read", prints: ["taken S=high"])
    expect(stand.log("request"), ["request gpiochip0 17 \(asked)"])
  }

  @Test(arguments: Generation.allCases)
  func otherChip_whoseTreeNamesNoLine_hasNoGPIO17(_ generation: Generation) throws {
    let stand = try Stand(generation, "chip gpiochip0 gpio0 32\nline 3 GPIO13")
    try stand.run(
      "label:gpio0 S=GPIO17", "read", "deadline",
      prints: [
        "fault gpiochip0 (gpio0) has no line named \"GPIO17\", for the crown's switch; "
          + "did you mean \"GPIO13\"?", "no deadline",
      ])
  }

  @Test(arguments: Generation.allCases)
  func automatic_withoutAHeaderChip_isTheOneThatHasAllNamedLines(_ generation: Generation) throws {
    let one = "chip gpiochip0 gpio0 32\nline 1 PIN_1\nchip gpiochip1 gpio1 32\n"
    let stand = try Stand(generation, one + "line 1 PIN_1\nline 2 PIN_2")
    try stand.run("auto S=PIN_1 U=PIN_2", "read", prints: ["taken SU=high".spread])
    #expect(stand.log("request").allSatisfy { $0.hasPrefix("request gpiochip1 ") })
    try stand.run(
      "auto S=PIN_1", "read",
      prints: [
        "fault gpiochip0 and gpiochip1 have all lines of the board; name one of them"
      ])
  }

  @Test(arguments: Generation.allCases)
  func chip_byNameOrPath_isThatOne(_ generation: Generation) throws {
    let stand = try Stand(
      generation, "chip gpiochip0 gpio0 32\nchip gpiochip1 gpio1 32",
      links: [("gpiochip4", "gpiochip1")])
    for chip in ["name:gpiochip1", "name:gpiochip4", "path:\(stand.folder)/dev/gpiochip1"] {
      try stand.run("\(chip) S=3", "read", prints: ["taken S=high"])
    }
    #expect(stand.log("request") == Array(repeating: "request gpiochip1 3 \(asked)", count: 3))
  }

  @Test(arguments: Generation.allCases)
  func chip_thatMayNotBeOpened_hindersNoOther(_ generation: Generation) throws {
    let stand = try Stand(
      generation, "chip gpiochip0 private 8\ndenied\nchip gpiochip1 pinctrl-bcm2711 58")
    try stand.run("auto S=GPIO17", "read", prints: ["taken S=high"])
    let output = try stand.run("label:pinctrl-rp1 S=GPIO17", "read", "deadline")
    expect(
      output,
      [
        "fault no GPIO chip has the label \"pinctrl-rp1\"; there are \(stand.refusal), "
          + "gpiochip1 \"pinctrl-bcm2711\"", "in 2 s",
      ])
  }

  @Test(arguments: Generation.allCases)
  func onlyChip_thatMayNotBeOpened_isTheFaultWithItsCure(_ generation: Generation) throws {
    let stand = try Stand(generation, "chip gpiochip0 pinctrl-bcm2711 58\ndenied")
    let output = try stand.run("auto S=GPIO17", "read", "deadline")
    expect(output, ["fault \(stand.refusal)", "in 60 s"])
  }

  @Test func kernel_withoutTheFirstInterface_isSaidOfItsChips() throws {
    let stand = try Stand(
      .first, "chip gpiochip0 pinctrl-bcm2711 58\nsecond\nchip gpiochip1 gpio1 8\nsecond")
    let texts = [0, 1].map { number in
      "fault \(stand.folder)/dev/gpiochip\(number) is a GPIO chip, but this kernel has not the "
        + "interface that libgpiod 1 uses (CONFIG_GPIO_CDEV_V1); use a kernel that has it, or a "
        + "system with the other libgpiod"
    }
    try stand.run("auto S=GPIO17", "read", "deadline", prints: [texts[0], "no deadline"])
    try stand.run("path:\(stand.folder)/dev/gpiochip1 S=5", "read", prints: [texts[1]])
    try stand.run("auto S=GPIO17", "devices", prints: texts)
  }

  @Test(arguments: Generation.allCases)
  func noChipAtAll_isSaid(_ generation: Generation) throws {
    let stand = try Stand(generation, "")
    try stand.run(
      "name:gpiochip0 S=1", "read",
      prints: [
        "fault no GPIO chip has the name \"gpiochip0\"; there is none in \(stand.folder)/dev"
      ])
  }

  @Test(arguments: Generation.allCases)
  func fileThatIsNoChip_isSaid(_ generation: Generation) throws {
    let stand = try Stand(generation, "")
    try stand.run(
      "path:\(stand.folder)/script S=1", "read",
      prints: [
        "fault \(stand.folder)/script is no GPIO chip"
      ])
  }

  @Test(arguments: Generation.allCases)
  func name_thatTwoLinesHave_isRefusedWithBothPlaces(_ generation: Generation) throws {
    let stand = try Stand(
      generation, "chip gpiochip0 pinctrl-rp1 54\nline 3 GPIO17\nline 17 GPIO17")
    try stand.run(
      "auto S=GPIO17 U=5", "read",
      prints: [
        "taken U=high",
        "fault gpiochip0 has lines 3 and 17 named \"GPIO17\", for the crown's switch; "
          + "give the offset",
      ])
  }

  @Test(arguments: Generation.allCases)
  func offset_pastTheEnd_isSaidAtTheFirstAndTakenAtTheLast(_ generation: Generation) throws {
    let stand = try Stand(generation, "chip gpiochip0 pinctrl-rp1 54")
    try stand.run(
      "auto S=53 U=54", "read",
      prints: [
        "taken S=high", "fault gpiochip0 has lines 0 to 53 and no line 54, for the key up",
      ])
  }

  @Test(arguments: Generation.allCases)
  func devices_listsChipsWithLinesTheirConsumersAndUses(_ generation: Generation) throws {
    let stand = try Stand(
      generation,
      """
      chip gpiochip0 pinctrl-bcm2711 58
      line 8 SPI_CE0_N
      busy 8 spi0 CS0
      line 17 GPIO17
      chip gpiochip1 raspberrypi-exp-gpio 8
      denied
      """)
    try stand.run(
      "auto S=GPIO17 led=26", "read", "devices",
      prints: [
        "taken S=high", "gpiochip0 pinctrl-bcm2711 58", "  8|SPI_CE0_N|spi0 CS0|input|",
        "  17|GPIO17|timerbox|input|the crown's switch",
        "  26||timerbox|output|the output led", "fault \(stand.refusal(of: "gpiochip1"))",
      ])
  }
}
