import ObjectVaultCore
import ObjectVaultTerminal

/// A writer of objects or SQL rows in one of the output formats.
protocol ObjectWriter: AnyObject {
  /// Writes the columns of a row.
  func write(_ row: Row) throws
  func finish() throws
}

extension ObjectFormat {
  /// Returns a writer for the objects of a class.
  ///
  /// Text before the first object is written immediately. `lineWidth` is the width of the terminal
  /// in columns and affects only the table. Only the table accepts values that an import would read
  /// as other ones.
  func writer(
    of description: ClassDescription, to output: any ByteOutput, lineWidth: Int?,
    escapingFormulas: Bool = false
  ) throws -> any ObjectWriter {
    let writer = try writer(
      of: ObjectColumn.all(of: description), to: output, lineWidth: lineWidth,
      escapingFormulas: escapingFormulas)
    return self == .table ? writer : ExactObjectWriter(description, writer, of: self)
  }

  /// Returns a writer for columns.
  ///
  /// `escapingFormulas` marks CSV text that spreadsheets would run as formulas.
  func writer(
    of columns: [ObjectColumn], to output: any ByteOutput, lineWidth: Int?,
    escapingFormulas: Bool = false
  ) throws -> any ObjectWriter {
    switch self {
    case .table: return TableObjectWriter(columns, to: output, lineWidth: lineWidth)
    case .json: return JSONObjectWriter(columns, to: output, isArray: true)
    case .jsonl: return JSONObjectWriter(columns, to: output, isArray: false)
    case .csv:
      return try CSVObjectWriter(
        columns, to: output,
        CSVTextEscape(isFormulaEscaped: escapingFormulas, isForTerminal: lineWidth != nil))
    }
  }
}

/// A writer of an array with one object per line, or of JSON Lines.
private final class JSONObjectWriter: ObjectWriter {
  private let columns: [ObjectColumn]
  private let output: any ByteOutput
  private let isArray: Bool
  private var isFirst = true
  /// The text before each value: a brace or comma, the quoted name of the member and a colon.
  private let starts: [[UInt8]]
  private var line: [UInt8] = []

  init(_ columns: [ObjectColumn], to output: any ByteOutput, isArray: Bool) {
    self.columns = columns
    self.output = output
    self.isArray = isArray
    starts = columns.enumerated().map { index, column in
      Array("\(index == 0 ? "{" : ",")\(JSONText.quoted(column.name)):".utf8)
    }
  }

  func write(_ row: Row) throws {
    // A local variable: each access to one of the instance is checked for exclusivity.
    var line = self.line
    self.line = []
    line.removeAll(keepingCapacity: true)
    if isArray { line.append(contentsOf: (isFirst ? "[\n" : ",\n").utf8) }
    isFirst = false
    for (column, start) in zip(columns, starts) {
      line.append(contentsOf: start)
      let type = column.type ?? ObjectColumn.type(of: row.storedValue(at: column.position))
      ExchangedValue.append(row, at: column.position, type, to: &line)
    }
    line.append(contentsOf: (columns.isEmpty ? "{}" : "}").utf8)
    if !isArray { line.append(UInt8(ascii: "\n")) }
    try output.write(line)
    self.line = line
  }

  func finish() throws {
    if isArray { try output.write(isFirst ? "[]\n" : "\n]\n") }
  }
}

private final class CSVObjectWriter: ObjectWriter {
  private let columns: [ObjectColumn]
  private let output: any ByteOutput
  private let escape: CSVTextEscape

  init(_ columns: [ObjectColumn], to output: any ByteOutput, _ escape: CSVTextEscape) throws {
    self.columns = columns
    self.output = output
    self.escape = escape
    try output.write(
      CSVText.line(columns.map { CSVField(text: escape.escaped($0.name), isQuoted: false) }))
  }

  func write(_ row: Row) throws {
    try output.write(
      CSVText.line(
        columns.map { column in
          let value = row.storedValue(at: column.position)
          let type = column.type(of: value)
          guard let text = ExchangedValue.plain(value, type) else { return nil }
          // Text that looks like another type is quoted, so that an import reads it as text.
          let isText = type.family == .text
          return CSVField(
            text: escape.escaped(text, canBeNumber: !isText),
            isQuoted: text.isEmpty || isText && CSVText.looksTyped(text))
        }))
  }

  func finish() throws {}
}

private final class TableObjectWriter: ObjectWriter {
  private let columns: [ObjectColumn]
  private let table: TextTable

  init(_ columns: [ObjectColumn], to output: any ByteOutput, lineWidth: Int?) {
    self.columns = columns
    table = TextTable(columns.map(\.tableColumn), to: output, lineWidth: lineWidth)
  }

  func write(_ row: Row) throws {
    try table.add(columns.map { $0.cell(row.storedValue(at: $0.position)) })
  }

  func finish() throws { try table.finish() }
}

extension ObjectColumn {
  /// The column of a table for people.
  ///
  /// Numbers are aligned right.
  var tableColumn: TextTable.Column {
    let isNumber = type.map { [.integer, .real, .decimal].contains($0.family) } ?? false
    return TextTable.Column(title: name, alignment: isNumber ? .right : .left)
  }

  /// Returns the text of a value in a table.
  ///
  /// As in CSV, an empty cell is nil and `""` is an empty text.
  func cell(_ value: StoredValue) -> String {
    guard let text = ExchangedValue.plain(value, type(of: value)) else { return "" }
    return text.isEmpty ? "\"\"" : text
  }
}
