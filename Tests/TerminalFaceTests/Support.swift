import Box

/// A state of a sit of 25 minutes.
func state(
  _ phase: String, remaining: Int64? = nil, planned: Int64? = 1_500, degraded: [String] = []
) -> StateLine {
  var state = StateLine()
  state.phase = phase
  state.setSeconds = 1_500
  state.plannedSeconds = phase == "idle" ? nil : planned
  state.remainingSeconds = remaining
  state.degraded = degraded
  return state
}
