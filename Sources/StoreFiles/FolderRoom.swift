import LinuxIO

/// Where room for a volume of the truth comes from on a full disk.
///
/// | volume   | first               | then                          |
/// |----------|---------------------|-------------------------------|
/// | main     | the ballast         | the main volume before it     |
/// | a further | half of the ballast | nothing: main needs the other |
struct FolderRoom {
  /// The file that only holds room.
  static let ballast = "ballast"

  private let state: DurableFolder
  private let isMain: Bool
  private let earlier: String?

  /// - Parameter earlier: the name of the main volume before, where that is kept.
  init(in state: DurableFolder, isMain: Bool, earlier: String?) {
    self.state = state
    self.isMain = isMain
    self.earlier = earlier
  }

  /// Tries a replacement until it has room, or there is none to be had.
  /// - Parameter replace: told whether the volume before it is kept.
  func replacing(
    _ replace: (_ keepsEarlier: Bool) throws(StoreFileFault) -> Void
  ) throws(StoreFileFault) {
    var fault: StoreFileFault
    do throws(StoreFileFault) { return try replace(true) } catch { fault = error }
    guard fault.isFullDisk else { throw fault }
    if try giveUpBallast() {
      do throws(StoreFileFault) { return try replace(true) } catch { fault = error }
    }
    guard fault.isFullDisk, let earlier, state.size(of: earlier) != nil else { throw fault }
    // What stands there now is whole, and stays until the new one takes its name.
    try state.removeDurably(earlier)
    try replace(false)
  }

  private func giveUpBallast() throws(StoreFileFault) -> Bool {
    guard let size = state.size(of: FolderRoom.ballast) else { return false }
    let half = FolderDisk.ballastBytes / 2
    if isMain {
      try state.remove(FolderRoom.ballast)
    } else {
      if size <= half { return false }
      try state.cut(FolderRoom.ballast, to: half)
    }
    return true
  }
}
