import CLinux

/// The names in a folder as they come and go: made, moved in, given other permissions, or removed
/// (inotify).
public struct FolderWatch: ~Copyable {
  private let descriptor: OwnedDescriptor

  /// Begins to watch.
  /// - Parameter contents: whether files that were written and names that were moved away are told
  ///   too, and the end of the folder itself, which has the empty name.
  public init(_ folder: String, contents: Bool = false) throws(SystemError) {
    let number = try checked(
      clinux_watch_folder(folder, contents ? 1 : 0), "inotify_add_watch", folder)
    descriptor = OwnedDescriptor(owning: number)
  }

  /// What the loop registers.
  public var lent: LentDescriptor { descriptor.lent }

  /// The names heard since the last call, in their order; one can come several times. The empty
  /// name says that something befell the folder itself, or that more happened than was told.
  public func names() throws(SystemError) -> [String] {
    var names: [String] = []
    while let bytes = try descriptor.lent.read(limit: 4_096), !bytes.isEmpty {
      // inotify(7): four numbers of four bytes, the last of which is the length of the name that
      // follows, filled up with zeros.
      var rest = bytes[...]
      while rest.count >= 16 {
        let length = rest.dropFirst(12).prefix(4).enumerated().reduce(0) { sum, byte in
          sum | Int(byte.element) << (8 * byte.offset)
        }
        names.append(
          String(decoding: rest.dropFirst(16).prefix(length).prefix { $0 != 0 }, as: UTF8.self))
        rest = rest.dropFirst(16 + length)
      }
    }
    return names
  }
}
