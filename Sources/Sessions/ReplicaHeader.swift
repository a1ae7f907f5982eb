/// The first line of a file of a replica: whose and which device's it is, and which of its files.
///
/// | name | what                                                   | absent means           |
/// |------|--------------------------------------------------------|------------------------|
/// | `a`  | in the main volume: how many sits are in the archive    | none                   |
/// | `d`  | the device                                             | (required)             |
/// | `f`  | the format                                             | (required)             |
/// | `m`  | in the main volume: true once others' copies were merged | not yet                |
/// | `n`  | in the main volume: how many overflow volumes there are | none                   |
/// | `o`  | the owner                                              | (required)             |
/// | `v`  | which volume, as `2` or `archive/2026`                  | the main one           |
///
/// `a` and `n` are there so that a volume that is missing is noticed, and never taken for deletion.
struct ReplicaHeader {
  var owner: Identity
  var device: Identity
  var format: Int64
  /// Nil where the label is one that this version does not know: of such a file the lines are
  /// merged, and it counts for none of those that we know.
  var volume: Volume? = .main
  var archivedSits = 0
  var overflowVolumes = 0
  var hasMerged = false
  /// Members that this version does not know; only the main volume's are kept, and of those the
  /// first that fit into `restLength`.
  var rest: [JSONMember] = []

  private static let ownNames = ["a", "d", "f", "m", "n", "o", "v"]
  /// What members of newer versions may take, so that each file has room for them. It is kept free
  /// on every box, whether or not its own first line has any: the layout must not hang on that.
  static let restLength = 256
  /// What `a` and `n` take at most.
  static let countsLength = #""a":999999999,"n":99999999,"#.utf8.count

  init(of store: SessionStore, _ volume: Volume = .main) {
    owner = store.owner
    device = store.device
    format = store.format
    self.volume = volume
    guard volume == .main else { return }
    hasMerged = store.hasMerged
    rest = store.headerRest
  }

  /// Reads the first line; nil where it does not say whose it is.
  init?(_ line: ReplicaLine) {
    guard line.kind == UInt8(ascii: "h"),
      let payload = try? JSONValue(
        parsing: line.payload, depthLimit: SessionStore.lineDepthLimit),
      let owner = payload["o"]?.stringValue.flatMap(Identity.init(compact:)),
      let device = payload["d"]?.stringValue.flatMap(Identity.init(compact:)),
      let format = payload["f"]?.integerValue
    else { return nil }
    self.owner = owner
    self.device = device
    self.format = max(format, SessionStore.currentFormat)
    if let label = payload["v"] { volume = label.stringValue.flatMap(Volume.init(label:)) }
    archivedSits = payload["a"]?.integerValue.flatMap(Int.init(exactly:)) ?? 0
    overflowVolumes = payload["n"]?.integerValue.flatMap(Int.init(exactly:)) ?? 0
    hasMerged = payload["m"]?.boolValue ?? false
    let others = (payload.members ?? []).filter { !ReplicaHeader.ownNames.contains($0.name) }
    var room = ReplicaHeader.restLength
    rest = others.prefix { member in
      room -= member.writtenLength
      return room >= 0
    }
  }

  var line: ReplicaLine {
    var members = [
      JSONMember("d", .string(device.compact)), JSONMember("f", .integer(format)),
      JSONMember("o", .string(owner.compact)),
    ]
    func write(_ name: String, _ count: Int) {
      if count > 0 { members.append(JSONMember(name, .integer(Int64(count)))) }
    }
    write("a", archivedSits)
    write("n", overflowVolumes)
    if hasMerged { members.append(JSONMember("m", .bool(true))) }
    if let label = volume?.label { members.append(JSONMember("v", .string(label))) }
    return ReplicaLine(kind: "h", .object(of: members + rest))
  }
}
