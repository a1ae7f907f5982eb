import Appliance

extension Cue {
  /// What scenarios and traces call it.
  var name: String {
    switch self {
    case .yes: "yes"
    case .no: "no"
    case .pause: "pause"
    case .resume: "resume"
    case .detent: "detent"
    case .fifthMinute: "fifth-minute"
    case .programme: "programme"
    case .rating: "rating"
    case .ask: "ask"
    case .volume: "volume"
    }
  }
}
