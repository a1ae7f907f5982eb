import Box
import Settings
import Testing
import Ticks

private func reminders(_ text: String) throws -> [Reminder] {
  try configuration(text).reminders
}

@Test func reminder_withoutKeys_hasTheDefaultsOfTheContract() throws {
  #expect(try reminders("[reminder one]") == [Reminder(name: "one", at: .hours(7))])
}

@Test func reminders_withEveryKey_areReadInTheirOrder() throws {
  let read = try reminders(
    """
    [reminder evening bell]
    at = 23:59
    days = mon-wed, sat
    programme = zazen
    kind = wake
    start = auto
    [reminder b]
    at = 00:00
    days = sat-mon
    """)
  #expect(
    read == [
      Reminder(
        name: "evening bell", at: .minutes(1_439), days: Weekdays([1, 2, 3, 6]),
        programme: "zazen", kind: .wake, startsByItself: true),
      Reminder(name: "b", at: .zero, days: Weekdays([6, 7, 1])),
    ])
}

@Test func weekdays_eachDay_isThatDayAlone() throws {
  for (index, name) in ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].enumerated() {
    let days = try #require(try reminders("[reminder x]\ndays = \(name)").first?.days)
    #expect((0...8).filter { days.contains($0) } == [index + 1])
  }
  #expect((0...8).filter { Weekdays.daily.contains($0) } == Array(1...7))
  #expect(Weekdays().isEmpty && !Weekdays.daily.isEmpty)
}

@Test(arguments: [
  ("at = 24:00", "t.conf:2:6: found \"24:00\", expected a time from 00:00 to 23:59"),
  (
    "days = mon, fry",
    "t.conf:2:13: found \"fry\", expected daily or a list of days and ranges such as mon-fri, sun; "
      + "did you mean \"fri\"?"
  ),
  (
    "days = mon-",
    "t.conf:2:8: found \"mon-\", expected daily or a list of days and ranges such as mon-fri, sun"
  ),
  ("days = mon, mon", "t.conf:2:13: found a second \"mon\", expected it once"),
  ("kind = loud", "t.conf:2:8: found \"loud\", expected soft or wake"),
  ("start = press now", "t.conf:2:9: found \"press now\", expected press or auto"),
  (
    "tme = 07:00",
    "t.conf:2:1: found \"tme\", expected at, days, programme, kind or start"
  ),
])
func reminder_wrong_isRefusedWithItsPlace(text: String, message: String) {
  #expect(messages("[reminder x]\n" + text) == message)
}

@Test func reminder_setByItsDottedName_isTaken() throws {
  var configuration = Configuration()
  try configuration.set(key: "reminder.dawn.at", value: "05:30")
  #expect(configuration.reminders == [Reminder(name: "dawn", at: .minutes(330))])
}

@Test func boxSettings_takeWhatIsConfiguredOfTheBox() throws {
  var settings = BoxSettings(seed: 1)
  try configuration("[sit]\nrecover = close\n[day]\nstarts = 04:00").apply(to: &settings)
  #expect(settings.recover == .close && settings.dayStartsSeconds == 14_400)
}
