import Settings
import Testing

/// Reads a configuration called `t.conf`.
func configuration(_ text: String) throws(SettingsProblems) -> Configuration {
  var configuration = Configuration()
  try configuration.read(Array(text.utf8), file: "t.conf")
  return configuration
}

/// The messages that reading a configuration gives, one a line; empty if there are none.
func messages(_ text: String) -> String { messages(bytes: Array(text.utf8)) }

func messages(bytes: [UInt8]) -> String {
  var configuration = Configuration()
  do {
    try configuration.read(bytes, file: "t.conf")
    return ""
  } catch {
    // A file in error changes nothing.
    #expect(configuration == Configuration())
    return error.text
  }
}

/// The message that a `set` without a place gives; empty if it is taken.
func message(set key: String, _ value: String) -> String {
  var configuration = Configuration()
  do {
    try configuration.set(key: key, value: value)
    return ""
  } catch {
    return error.text
  }
}
