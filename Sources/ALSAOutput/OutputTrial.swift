import Bells

// What a person who looks for a fault wants to know of an output, without playing on it.
extension ALSADevice {
  /// Opens an output and closes it again. It waits for the driver.
  /// - Returns: why a bell would not be heard on it; nil if it could be opened.
  public static func trouble(
    with request: OutputRequest, on system: SoundSystem
  ) -> ALSAOutputError? {
    var device = ALSADevice(outputs: [request], system: system)
    do throws(ALSAFault) {
      _ = try device.open(0)
      device.close()
      return nil
    } catch {
      return ALSAOutputError(request.name, error, on: system)
    }
  }
}

extension OutputRequest {
  /// The id of the card that it is on; nil if that is not known, as of a sound server.
  public func card(on system: SoundSystem) -> String? {
    OutputName(name).card(among: system.cards)?.id
  }
}
