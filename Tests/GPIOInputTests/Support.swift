import Glibc
import Testing

/// How a switch to ground is asked for.
let asked = "input pull-up active-low both-edges for timerbox"

extension String {
  /// `taken SU=high` for `taken S=high U=high`.
  var spread: String {
    let words = split(separator: " ")
    let sides = words[1].split(separator: "=")
    return ([String(words[0])] + sides[0].map { "\($0)=\(sides[1])" }).joined(separator: " ")
  }
}

extension Stand {
  var refusal: String { refusal(of: "gpiochip0") }

  /// What is said of a chip that the script denies: its file here is that of the tests' own user
  /// and group, which may not write it.
  func refusal(of chip: String) -> String {
    let user = String(cString: getpwuid(getuid()).pointee.pw_name)
    let group = String(cString: getgrgid(getgid()).pointee.gr_name)
    return
      "\(folder)/dev/\(chip) belongs to \(user):\(group) with mode 0640 and may not be opened; "
      + "give it a group with a udev rule (SUBSYSTEM==\"gpio\", GROUP=\"gpio\", MODE=\"0660\"), "
      + "add the user to that group (usermod --append --groups gpio \(user)), then start anew"
  }
}

// `#expect(found == expected)` with the types written out: over a long list or a text in parts, the
// compiler of 6.0.3 takes minutes without.

func expect(
  _ found: [String], _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(found == expected, sourceLocation: sourceLocation)
}

func expect(
  _ found: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(found == expected, sourceLocation: sourceLocation)
}
