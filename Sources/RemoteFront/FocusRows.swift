import Controls
import Ticks

/// A cell that can have the focus.
public enum FocusCell: Equatable, Sendable {
  /// A sit of so many minutes.
  case length(minutes: Int64)
  /// A programme, by its place in the list of programmes.
  case programme(Int)
  /// A choice of this device.
  case choice(PanelChoice)
}

/// The two rows of the remote's face and their one focused cell: above the lengths and the
/// programmes, under them the choices of this device.
///
/// The focus stops at the ends of a row. Each row keeps its place while the other has the focus,
/// since it is scrolled so that its place stands in the middle of the picture.
struct FocusRows: Sendable {
  /// The lengths there are (PRODUCT's remote panel).
  static let minutes: [Int64] = [5, 10, 15, 20, 30, 45, 60]

  private var programmes: [String]
  private var rows: [[FocusCell]]
  private var places: [Int]
  private var row = 0

  /// Makes the rows. The focus is on the length that is set; where the row has none such, on the
  /// next shorter one.
  init(programmes: [String], setLength: Span) {
    self.programmes = programmes
    rows = [FocusRows.upper(programmes), PanelChoice.allCases.map { .choice($0) }]
    places = [FocusRows.minutes.lastIndex { .minutes($0) <= setLength } ?? 0, 0]
  }

  private static func upper(_ programmes: [String]) -> [FocusCell] {
    minutes.map { .length(minutes: $0) } + programmes.indices.map { .programme($0) }
  }

  /// Takes another list of programmes. The place of the upper row stays on its length or on the
  /// programme of its name; where that is gone, on the same place, or on the last one.
  mutating func take(programmes list: [String]) {
    let first = FocusRows.minutes.count
    if places[0] >= first {
      let name = programmes[places[0] - first]
      let place = list.firstIndex { $0 == name }
      places[0] = min(place.map { first + $0 } ?? places[0], first + list.count - 1)
    }
    programmes = list
    rows[0] = FocusRows.upper(list)
  }

  /// The focused cell.
  var focus: FocusCell { rows[row][places[row]] }

  /// The name of the focused cell, for state lines and scenarios.
  var name: String { name(of: focus) }

  /// The names of all cells.
  var names: [String] { rows.flatMap { cells in cells.map { name(of: $0) } } }

  /// Moves the focus along its row.
  mutating func move(_ steps: Int) {
    places[row] = min(max(places[row] + steps, 0), rows[row].count - 1)
  }

  /// Moves the focus to a row above, where the steps are positive, or below.
  mutating func changeRow(_ steps: Int) {
    row = min(max(row - steps, 0), rows.count - 1)
  }

  private func name(of cell: FocusCell) -> String {
    switch cell {
    case .length(let minutes): "\(minutes)m"
    case .programme(let place): programmes[place]
    case .choice(let choice): choice.name.description
    }
  }
}
