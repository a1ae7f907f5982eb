/// The programmes that come with the box, in the form of a configuration and read as one. A section
/// of the same name in a configuration stands in the place of the one here.
enum ShippedProgrammes {
  /// What messages call it; a test reads it, so none is ever shown.
  static let name = "shipped programmes"

  static let text = """
    # Zazen as Sōtō halls ring it: three to begin (shijōshō), two for the walk (kinhinshō), one when
    # the walk is over (chūkaishō), one to end (hōzenshō): thestupidway.blogspot.com/2010/11. A
    # period of 40 minutes and ten of walking are usual: iowacityzencenter.org/general-guidelines,
    # weeballymenaprincess.blogspot.com/2006/07. The one bell after the walk also begins the second
    # sitting; the three that a hall adds once all sit again are left out.
    [programme zazen]
    segments = sit 40m, walk 10m, sit 40m
    bell.start.sound = keisu
    bell.start.strikes = 3
    bell.end.sound = keisu
    bell.end.strikes = 1
    bell.walk.begin.sound = inkin
    bell.walk.begin.strikes = 2
    bell.walk.begin.gap = 3s
    bell.walk.end.sound = inkin
    bell.walk.end.strikes = 1

    # Seon as Korean halls sit it: the jukbi is clapped three times when they enter into it
    # (ipseon) and three times when they come out (bangseon). Fifty minutes, then a pause of ten:
    # koreanbuddhism.net, "Monastic Practices"; three claps at both ends:
    # thekorea.org/keumsil/camp/zen/zen01.htm, zensword.org/zazen.html. How fast they
    # follow is our choice, by how long a clap sounds.
    [programme seon]
    sit.length = 50m
    bell.start.sound = jukbi
    bell.start.strikes = 3
    bell.start.gap = 1500ms
    bell.end.sound = jukbi
    bell.end.strikes = 3
    bell.end.gap = 1500ms

    # Loving-kindness in its five stages: oneself, a friend, somebody neutral, somebody difficult,
    # all beings (brixtonbuddhistmeditation.org/6-week-challenge-live); five minutes for each.
    [programme metta]
    sit.length = 25m
    interval.every = 5m
    bell.interval.sound = small-bowl
    bell.interval.level = -6 dB

    # A sit to wake up with: the handbell that wakes the monks swells from hardly to be heard to
    # full for five minutes, and a press ends it, as any. Made for a reminder with start = auto.
    [programme wake]
    sit.length = 20m
    sit.preparation = 0
    bell.start.sound = shinrei
    bell.start.pattern = wake
    bell.end.sound = rin
    bell.end.strikes = 1
    """

  static let sections: [NamedSection] = {
    var configuration = Configuration()
    do throws(SettingsProblems) {
      try configuration.read(Array(text.utf8), file: name)
    } catch {
      preconditionFailure(error.text)
    }
    return configuration.named
  }()
}
