// Made of sounds/*.ini by `make sounds`, and held to them by a test: change those.

extension Sound {
  /// The built-in sounds: the bells, then the cues. `Strike.sound` is a position in this list.
  public static let catalogue: [Sound] = [
    largeBowl,
    smallBowl,
    rin,
    keisu,
    templeBell,
    inkin,
    tingsha,
    churchBell,
    mokugyo,
    han,
    jukbi,
    moktak,
    taku,
    shinrei,
    plainChime,
    tap,
    tapLow,
    tick,
    tickLow,
  ]

  private static func add(
    _ frequency: Double, _ decay: Double, _ level: Double, _ beat: Double, _ ratio: Double,
    to partials: inout [Partial]
  ) {
    partials.append(
      Partial(
        frequencyHertz: frequency, decaySeconds: decay, level: level, beatHertz: beat,
        pairRatio: ratio))
  }

  private static let largeBowl: Sound = {
    var partials: [Partial] = []
    add(221.0, 70.0, 1.0, 1.0, 0.8, to: &partials)
    add(614.0, 38.0, 0.55, 0.8, 0.7, to: &partials)
    add(1145.0, 22.0, 0.22, 3.8, 0.6, to: &partials)
    add(1804.0, 11.0, 0.09, 0.3, 0.6, to: &partials)
    add(2577.0, 6.0, 0.03, 6.0, 0.6, to: &partials)
    add(3456.0, 3.0, 0.01, 1.3, 0.6, to: &partials)
    add(4419.0, 1.5, 0.004, 5.0, 0.6, to: &partials)
    let mallet = Mallet(contactSeconds: 3.0 / 1_000, hardening: 2.5)
    return Sound(
      name: "large-bowl",
      title: "Large singing bowl, 180 mm, 934 g, suede mallet",
      source: "modes of a 180 mm, 934 g bowl: Inácio, Henrique and Antunes 2006",
      kind: .bell, partials: partials, mallet: mallet, noise: nil, width: 0.15,
      amplitude: 0.08318, smallAmplitude: 0.1396)
  }()

  private static let smallBowl: Sound = {
    var partials: [Partial] = []
    add(528.0, 45.0, 1.0, 2.2, 0.7, to: &partials)
    add(1460.0, 22.0, 0.8, 1.0, 0.7, to: &partials)
    add(2704.0, 10.0, 0.4, 5.0, 0.7, to: &partials)
    add(4122.0, 5.0, 0.2, 6.0, 0.7, to: &partials)
    add(5694.0, 2.5, 0.08, 4.0, 0.7, to: &partials)
    let mallet = Mallet(contactSeconds: 1.0 / 1_000, hardening: 2.0)
    let noise = StrikeNoise(
      level: 0.05, decaySeconds: 0.04, lowHertz: 800.0, highHertz: 5000.0)
    return Sound(
      name: "small-bowl",
      title: "Small singing bowl, 140 mm, 557 g, wooden mallet",
      source: "modes of a 140 mm, 557 g bowl: Inácio, Henrique and Antunes 2006",
      kind: .bell, partials: partials, mallet: mallet, noise: noise, width: 0.15,
      amplitude: 0.07244, smallAmplitude: 0.07244)
  }()

  private static let rin: Sound = {
    var partials: [Partial] = []
    add(530.0, 40.0, 1.0, 0.9, 0.85, to: &partials)
    add(1420.0, 16.0, 0.4, 1.6, 0.6, to: &partials)
    add(2620.0, 7.0, 0.15, 3.0, 0.6, to: &partials)
    add(4020.0, 3.0, 0.05, 4.0, 0.5, to: &partials)
    let mallet = Mallet(contactSeconds: 1.0 / 1_000, hardening: 2.2)
    return Sound(
      name: "rin",
      title: "Rin, the bowl-bell of a household altar, leather on wood",
      source: "a rin of 530 Hz: tokyophotograph.com; ratios near a study of Nihon University",
      kind: .bell, partials: partials, mallet: mallet, noise: nil, width: 0.15,
      amplitude: 0.08511, smallAmplitude: 0.08511)
  }()

  private static let keisu: Sound = {
    var partials: [Partial] = []
    add(160.0, 64.0, 1.0, 0.4, 0.85, to: &partials)
    add(428.7, 25.6, 0.5, 0.6, 0.7, to: &partials)
    add(791.0, 11.2, 0.2, 0.7, 0.6, to: &partials)
    add(1213.6, 4.8, 0.07, 0.8, 0.5, to: &partials)
    add(1712.0, 2.6, 0.025, 0.9, 0.5, to: &partials)
    add(2270.0, 1.6, 0.008, 0.9, 0.5, to: &partials)
    let mallet = Mallet(contactSeconds: 4.0 / 1_000, hardening: 2.8)
    return Sound(
      name: "keisu",
      title: "Keisu, the great bowl of a temple hall, padded mallet",
      source: "ratios of the rin at 160 Hz, our choice; range of temple bowls 140 to 180 Hz",
      kind: .bell, partials: partials, mallet: mallet, noise: nil, width: 0.18,
      amplitude: 0.07413, smallAmplitude: 0.1718)
  }()

  private static let templeBell: Sound = {
    var partials: [Partial] = []
    add(143.0, 50.0, 1.0, 1.0, 0.8, to: &partials)
    add(319.0, 25.0, 0.8, 0.6, 0.7, to: &partials)
    add(395.4, 20.0, 0.7, 0.9, 0.7, to: &partials)
    add(590.0, 9.0, 0.35, 1.5, 0.6, to: &partials)
    add(800.0, 6.0, 0.2, 0.0, 0.0, to: &partials)
    add(1050.0, 4.0, 0.12, 0.0, 0.0, to: &partials)
    let mallet = Mallet(contactSeconds: 4.0 / 1_000, hardening: 2.5)
    let noise = StrikeNoise(
      level: 0.25, decaySeconds: 0.12, lowHertz: 80.0, highHertz: 700.0)
    return Sound(
      name: "temple-bell",
      title: "Bonshō, the hanging bell of a temple, swung log",
      source: "the lowest modes: Nakanishi and others, Forum Acusticum Sevilla 2002",
      kind: .bell, partials: partials, mallet: mallet, noise: noise, width: 0.2,
      amplitude: 0.06683, smallAmplitude: 0.0881)
  }()

  private static let inkin: Sound = {
    var partials: [Partial] = []
    add(1313.25, 12.0, 1.0, 2.5, 0.8, to: &partials)
    add(2358.1, 7.0, 0.5, 9.6, 0.7, to: &partials)
    add(3307.95, 4.0, 0.35, 2.9, 0.7, to: &partials)
    add(3926.0, 3.5, 0.5, 4.4, 0.6, to: &partials)
    add(4980.15, 2.2, 0.2, 27.0, 0.6, to: &partials)
    add(5998.7, 1.5, 0.12, 8.6, 0.5, to: &partials)
    add(6609.3, 1.2, 0.08, 20.8, 0.5, to: &partials)
    let mallet = Mallet(contactSeconds: 0.4 / 1_000, hardening: 1.5)
    return Sound(
      name: "inkin",
      title: "Inkin, the small bell carried on a cushion, metal rod",
      source: "pairs of a small handbell: modal appendix of the Csound manual",
      kind: .bell, partials: partials, mallet: mallet, noise: nil, width: 0.12,
      amplitude: 0.07586, smallAmplitude: 0.07586)
  }()

  private static let tingsha: Sound = {
    var partials: [Partial] = []
    add(2250.0, 14.0, 1.0, 6.0, 0.95, to: &partials)
    add(5100.0, 7.0, 0.5, 11.0, 0.9, to: &partials)
    add(8900.0, 3.0, 0.2, 17.0, 0.9, to: &partials)
    let mallet = Mallet(contactSeconds: 0.3 / 1_000, hardening: 1.5)
    return Sound(
      name: "tingsha",
      title: "Tingsha, a pair of small cymbals struck at the rim",
      source: "modes of a free disc from 2250 Hz: thin plate theory; our choice of size",
      kind: .bell, partials: partials, mallet: mallet, noise: nil, width: 0.25,
      amplitude: 0.0631, smallAmplitude: 0.0631)
  }()

  private static let churchBell: Sound = {
    var partials: [Partial] = []
    add(453.45, 22.0, 0.3, 3.1, 0.7, to: &partials)
    add(868.0, 16.4, 0.9, 6.8, 0.35, to: &partials)
    add(1073.25, 13.9, 0.8, 1.5, 0.6, to: &partials)
    add(1292.35, 11.4, 0.35, 0.3, 0.5, to: &partials)
    add(1736.0, 7.4, 0.9, 1.1, 0.4, to: &partials)
    add(2178.7, 4.3, 0.35, 1.9, 0.4, to: &partials)
    add(2308.9, 3.6, 0.25, 2.3, 0.4, to: &partials)
    add(2612.7, 2.2, 0.5, 2.6, 0.4, to: &partials)
    add(3584.8, 0.6, 0.15, 0.0, 0.0, to: &partials)
    let mallet = Mallet(contactSeconds: 0.7 / 1_000, hardening: 1.5)
    return Sound(
      name: "church-bell",
      title: "Church bell of 70 cm, iron clapper",
      source: "pairs of a church bell in Faust's physmodels.lib; ratios of Rossing and Perrin "
        + "1987",
      kind: .bell, partials: partials, mallet: mallet, noise: nil, width: 0.12,
      amplitude: 0.06761, smallAmplitude: 0.06761)
  }()

  private static let mokugyo: Sound = {
    var partials: [Partial] = []
    add(155.0, 0.35, 1.0, 0.0, 0.0, to: &partials)
    add(177.0, 0.3, 0.8, 0.0, 0.0, to: &partials)
    add(402.0, 0.15, 0.5, 0.0, 0.0, to: &partials)
    add(900.0, 0.06, 0.18, 0.0, 0.0, to: &partials)
    let mallet = Mallet(contactSeconds: 2.0 / 1_000, hardening: 2.2)
    let noise = StrikeNoise(
      level: 0.8, decaySeconds: 0.12, lowHertz: 200.0, highHertz: 1200.0)
    return Sound(
      name: "mokugyo",
      title: "Mokugyo, the wooden fish, 37 cm, wrapped stick",
      source: "modes of a 37 cm mokugyo: CiNii 110003284044; ratio 1.15: JASA 117 (2005), 2247",
      kind: .bell, partials: partials, mallet: mallet, noise: noise, width: 0.0,
      amplitude: 0.2455, smallAmplitude: 0.8515)
  }()

  private static let han: Sound = {
    var partials: [Partial] = []
    add(520.0, 0.2, 1.0, 0.0, 0.0, to: &partials)
    add(1337.4, 0.09, 0.55, 0.0, 0.0, to: &partials)
    add(2414.9, 0.05, 0.3, 0.0, 0.0, to: &partials)
    add(3631.7, 0.035, 0.12, 0.0, 0.0, to: &partials)
    add(5056.0, 0.025, 0.06, 0.0, 0.0, to: &partials)
    let mallet = Mallet(contactSeconds: 0.5 / 1_000, hardening: 1.5)
    let noise = StrikeNoise(
      level: 1.2, decaySeconds: 0.035, lowHertz: 500.0, highHertz: 5000.0)
    return Sound(
      name: "han",
      title: "Han, the wooden board before the zendo, mallet",
      source: "a uniform bar of wood (Csound manual's modal appendix) from 520 Hz, our choice",
      kind: .bell, partials: partials, mallet: mallet, noise: noise, width: 0.0,
      amplitude: 0.3055, smallAmplitude: 0.3055)
  }()

  private static let jukbi: Sound = {
    var partials: [Partial] = []
    add(640.0, 0.07, 0.5, 0.0, 0.0, to: &partials)
    add(1210.0, 0.05, 0.6, 0.0, 0.0, to: &partials)
    add(2150.0, 0.035, 0.5, 0.0, 0.0, to: &partials)
    add(3400.0, 0.025, 0.3, 0.0, 0.0, to: &partials)
    let mallet = Mallet(contactSeconds: 0.3 / 1_000, hardening: 1.5)
    let noise = StrikeNoise(
      level: 6.0, decaySeconds: 0.06, lowHertz: 600.0, highHertz: 6000.0)
    return Sound(
      name: "jukbi",
      title: "Jukbi, the split bamboo clapped in the hand",
      source: "no measurement was found: chosen by us as two slats of bamboo that slap together",
      kind: .bell, partials: partials, mallet: mallet, noise: noise, width: 0.0,
      amplitude: 0.1659, smallAmplitude: 0.1659)
  }()

  private static let moktak: Sound = {
    var partials: [Partial] = []
    add(640.0, 0.18, 1.0, 0.0, 0.0, to: &partials)
    add(736.0, 0.14, 0.8, 0.0, 0.0, to: &partials)
    add(1660.0, 0.06, 0.35, 0.0, 0.0, to: &partials)
    add(2900.0, 0.03, 0.12, 0.0, 0.0, to: &partials)
    let mallet = Mallet(contactSeconds: 1.0 / 1_000, hardening: 1.8)
    let noise = StrikeNoise(
      level: 1.0, decaySeconds: 0.05, lowHertz: 400.0, highHertz: 3500.0)
    return Sound(
      name: "moktak",
      title: "Moktak, the wooden bell held in the hand, wooden stick",
      source: "built as a mokugyo (two modes at 1.15: JASA 117 (2005), 2247), our choice of size",
      kind: .bell, partials: partials, mallet: mallet, noise: noise, width: 0.0,
      amplitude: 0.2291, smallAmplitude: 0.2291)
  }()

  private static let taku: Sound = {
    var partials: [Partial] = []
    add(1180.0, 0.1, 1.0, 0.0, 0.0, to: &partials)
    add(1227.0, 0.09, 0.8, 0.0, 0.0, to: &partials)
    add(3035.0, 0.05, 0.5, 0.0, 0.0, to: &partials)
    add(3156.0, 0.045, 0.4, 0.0, 0.0, to: &partials)
    add(5480.0, 0.03, 0.25, 0.0, 0.0, to: &partials)
    let mallet = Mallet(contactSeconds: 0.2 / 1_000, hardening: 1.5)
    let noise = StrikeNoise(
      level: 1.5, decaySeconds: 0.025, lowHertz: 900.0, highHertz: 8000.0)
    return Sound(
      name: "taku",
      title: "Taku, two blocks of hard wood struck together",
      source: "a uniform bar of wood (Csound manual's modal appendix) from 1180 Hz, our choice",
      kind: .bell, partials: partials, mallet: mallet, noise: noise, width: 0.1,
      amplitude: 0.1819, smallAmplitude: 0.1819)
  }()

  private static let shinrei: Sound = {
    var partials: [Partial] = []
    add(920.0, 9.0, 1.0, 1.6, 0.6, to: &partials)
    add(2760.0, 4.5, 0.6, 3.2, 0.6, to: &partials)
    add(4310.0, 2.4, 0.3, 5.5, 0.5, to: &partials)
    add(5860.0, 1.4, 0.2, 8.0, 0.5, to: &partials)
    add(7400.0, 0.9, 0.08, 0.0, 0.0, to: &partials)
    let mallet = Mallet(contactSeconds: 0.4 / 1_000, hardening: 1.5)
    return Sound(
      name: "shinrei",
      title: "Shinrei, the handbell that wakes the monks",
      source: "tuned handbell, second mode at 3 times the first: Rossing; the rest our choice",
      kind: .bell, partials: partials, mallet: mallet, noise: nil, width: 0.12,
      amplitude: 0.09661, smallAmplitude: 0.09661)
  }()

  private static let plainChime: Sound = {
    var partials: [Partial] = []
    add(660.0, 9.0, 1.0, 0.25, 0.3, to: &partials)
    add(1818.9, 3.5, 0.3, 0.0, 0.0, to: &partials)
    add(3566.7, 1.2, 0.08, 0.0, 0.0, to: &partials)
    let mallet = Mallet(contactSeconds: 1.0 / 1_000, hardening: 2.0)
    return Sound(
      name: "plain-chime",
      title: "A plain chime: a metal bar, hung at its nodes",
      source: "a uniform free bar (Euler and Bernoulli: 1, 2.756, 5.404) at 660 Hz, our choice",
      kind: .bell, partials: partials, mallet: mallet, noise: nil, width: 0.1,
      amplitude: 0.1161, smallAmplitude: 0.1161)
  }()

  private static let tap: Sound = {
    var partials: [Partial] = []
    add(760.0, 0.07, 1.0, 0.0, 0.0, to: &partials)
    add(1955.0, 0.04, 0.35, 0.0, 0.0, to: &partials)
    let mallet = Mallet(contactSeconds: 2.0 / 1_000, hardening: 1.8)
    let noise = StrikeNoise(
      level: 0.4, decaySeconds: 0.03, lowHertz: 400.0, highHertz: 2500.0)
    return Sound(
      name: "tap",
      title: "A soft tap on wood",
      source: "chosen by us",
      kind: .cue, partials: partials, mallet: mallet, noise: noise, width: 0.0,
      amplitude: 0.3126, smallAmplitude: 0.3126)
  }()

  private static let tapLow: Sound = {
    var partials: [Partial] = []
    add(430.0, 0.09, 1.0, 0.0, 0.0, to: &partials)
    add(1106.0, 0.05, 0.35, 0.0, 0.0, to: &partials)
    let mallet = Mallet(contactSeconds: 2.5 / 1_000, hardening: 1.8)
    let noise = StrikeNoise(
      level: 0.4, decaySeconds: 0.035, lowHertz: 250.0, highHertz: 1800.0)
    return Sound(
      name: "tap-low",
      title: "A lower soft tap on wood",
      source: "chosen by us",
      kind: .cue, partials: partials, mallet: mallet, noise: noise, width: 0.0,
      amplitude: 0.2917, smallAmplitude: 0.2917)
  }()

  private static let tick: Sound = {
    var partials: [Partial] = []
    add(1850.0, 0.025, 1.0, 0.0, 0.0, to: &partials)
    add(4200.0, 0.015, 0.4, 0.0, 0.0, to: &partials)
    let mallet = Mallet(contactSeconds: 0.5 / 1_000, hardening: 1.5)
    let noise = StrikeNoise(
      level: 0.5, decaySeconds: 0.01, lowHertz: 1000.0, highHertz: 6000.0)
    return Sound(
      name: "tick",
      title: "The tick of a detent",
      source: "chosen by us",
      kind: .cue, partials: partials, mallet: mallet, noise: noise, width: 0.0,
      amplitude: 0.1799, smallAmplitude: 0.1799)
  }()

  private static let tickLow: Sound = {
    var partials: [Partial] = []
    add(980.0, 0.035, 1.0, 0.0, 0.0, to: &partials)
    add(2300.0, 0.02, 0.4, 0.0, 0.0, to: &partials)
    let mallet = Mallet(contactSeconds: 0.8 / 1_000, hardening: 1.5)
    let noise = StrikeNoise(
      level: 0.5, decaySeconds: 0.012, lowHertz: 600.0, highHertz: 4000.0)
    return Sound(
      name: "tick-low",
      title: "The lower tick of a fifth minute",
      source: "chosen by us",
      kind: .cue, partials: partials, mallet: mallet, noise: noise, width: 0.0,
      amplitude: 0.26, smallAmplitude: 0.26)
  }()
}
