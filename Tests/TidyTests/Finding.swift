/// One breach of a house rule, printed as compilers print theirs.
struct Finding: Equatable, CustomStringConvertible {
  var path: String
  var line: Int
  var message: String

  var description: String { "\(path):\(line): \(message)" }
}
