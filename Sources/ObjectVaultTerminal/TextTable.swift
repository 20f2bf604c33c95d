/// Rows as aligned text, for people.
///
/// The first rows determine the widths, so that any number of rows can follow without being stored.
/// Longer values are cut. Terminal control characters in cells are escaped.
package final class TextTable {
  package enum Alignment { case left, right }

  package struct Column {
    package var title: String
    package var alignment: Alignment

    package init(title: String, alignment: Alignment) {
      self.title = title
      self.alignment = alignment
    }
  }

  private let columns: [Column]
  private let output: any ByteOutput
  private let lineWidth: Int?
  /// The maximum width of a column.
  private let widestColumn: Int
  private var waiting: [[String]] = []
  private var widths: [Int]?

  /// The number of rows that determine the widths.
  private static let sample = 500
  /// The maximum width of a value without a terminal.
  private static let widestValue = 60
  private static let narrowestColumn = 6
  private static let gap = "  "

  /// Creates a table.
  ///
  /// `lineWidth` is the width of the terminal in columns, or `nil` without a terminal.
  package init(_ columns: [Column], to output: any ByteOutput, lineWidth: Int?) {
    self.columns = columns.map {
      Column(title: PrintableText.escaped($0.title), alignment: $0.alignment)
    }
    self.output = output
    self.lineWidth = lineWidth
    widestColumn = self.columns.reduce(Self.widestValue) { max($0, DisplayWidth.of($1.title)) }
  }

  /// Adds a row with a cell for each column.
  package func add(_ cells: [String]) throws {
    // A waiting row does not contain more than can be shown.
    let cells = cells.map { cell in
      let start = cell.prefix(widestColumn)
      let isComplete = start.endIndex == cell.endIndex
      return PrintableText.escaped(String(start)) + (isComplete ? "" : "…")
    }
    if let widths {
      try writeLine(cells, widths)
    } else {
      waiting.append(cells)
      if waiting.count == Self.sample { try begin() }
    }
  }

  /// Writes the waiting rows.
  ///
  /// No row can be added afterwards.
  package func finish() throws {
    if widths == nil { try begin() }
  }

  private func begin() throws {
    let widths = decidedWidths()
    self.widths = widths
    try writeLine(columns.map(\.title), widths)
    try writeLine(widths.map { String(repeating: "-", count: $0) }, widths)
    for cells in waiting { try writeLine(cells, widths) }
    waiting = []
  }

  private func decidedWidths() -> [Int] {
    var widths = columns.indices.map { column in
      let values = waiting.map { DisplayWidth.of($0[column]) }.max() ?? 0
      return max(DisplayWidth.of(columns[column].title), min(values, Self.widestValue), 1)
    }
    guard let lineWidth else { return widths }
    // The widest column is shortened first, so that short columns stay complete.
    var excess = widths.reduce(0, +) + Self.gap.count * (widths.count - 1) - lineWidth
    while excess > 0, let widest = widths.max(), widest > Self.narrowestColumn,
      let column = widths.firstIndex(of: widest)
    {
      widths[column] -= 1
      excess -= 1
    }
    return widths
  }

  private func writeLine(_ cells: [String], _ widths: [Int]) throws {
    var line = ""
    for (column, cell) in cells.enumerated() {
      let cell = DisplayWidth.cut(cell, to: widths[column])
      let space = String(
        repeating: " ", count: max(0, widths[column] - DisplayWidth.of(cell)))
      if column > 0 { line += Self.gap }
      switch columns[column].alignment {
      case .left: line += cell + space
      case .right: line += space + cell
      }
    }
    while line.last == " " { line.removeLast() }
    if let lineWidth { line = DisplayWidth.cut(line, to: lineWidth) }
    try output.write(line + "\n")
  }
}
