import LinuxIO

/// Tells when sound cards come and go. Their folder comes with the first card, so the folder that it
/// stands in is watched too.
struct SoundCardWatch: ~Copyable {
  private static let root = "/dev"
  private static let name = "snd"

  private let token: Int
  private let parent: FolderWatch?
  private var cards: FolderWatch?

  /// Begins to watch. A machine that cannot be watched is tried again by and by all the same.
  init(_ loop: borrowing EventLoop, token: Int) {
    self.token = token
    parent = SoundCardWatch.watch(SoundCardWatch.root, loop, token)
    cards = SoundCardWatch.watch(SoundCardWatch.root + "/" + SoundCardWatch.name, loop, token)
  }

  /// Whether a card may have come or gone since the last call.
  mutating func haveChanged(_ loop: borrowing EventLoop) -> Bool {
    let hasFolder = (try? parent?.names())?.contains(SoundCardWatch.name) == true
    if hasFolder {
      cards = SoundCardWatch.watch(SoundCardWatch.root + "/" + SoundCardWatch.name, loop, token)
    }
    let names = (try? cards?.names()) ?? []
    return hasFolder || !names.isEmpty
  }

  private static func watch(
    _ folder: String, _ loop: borrowing EventLoop, _ token: Int
  ) -> FolderWatch? {
    do throws(SystemError) {
      let watch = try FolderWatch(folder)
      try loop.register(watch.lent, token: token)
      return watch
    } catch {
      return nil
    }
  }
}
