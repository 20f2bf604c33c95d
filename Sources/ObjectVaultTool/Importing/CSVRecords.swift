import ObjectVaultTerminal

/// The records of a CSV file.
///
/// Its first line contains the names of the properties.
final class CSVRecords: RecordSource {
  private let input: ByteInput
  /// The character between two fields.
  let delimiter: CSVDelimiter
  private var reader: CSVReader
  private var names: [String]?

  /// Creates the records.
  ///
  /// If `delimiter` is `nil`, it is detected in the header line.
  init(_ input: ByteInput, delimiter: CSVDelimiter?) throws {
    self.input = input
    self.delimiter = try delimiter ?? .sniffed(in: input.lookAhead())
    reader = CSVReader(input, delimiter: self.delimiter)
  }

  var header: [String]? {
    get throws {
      if let names { return names }
      guard let row = try reader.next() else {
        throw ToolError(
          .badData, "\(input.name) is empty. A CSV file begins with a line of property names.")
      }
      let found = row.fields.map(\.text)
      for (index, name) in found.enumerated() {
        if name.isEmpty {
          throw ToolError(
            .badData, "\(input.name), line \(row.line): column \(index + 1) has no name.")
        }
        if found[..<index].contains(name) {
          throw ToolError(
            .badData,
            "\(input.name), line \(row.line): two columns are named '\(PrintableText.name(name))'.")
        }
      }
      names = found
      return found
    }
  }

  func next() throws -> ImportRecord? {
    guard let header = try header else { return nil }
    while let row = try reader.next() {
      // An empty line is skipped, unless the file has only one column: then it is a nil.
      if header.count > 1, row.fields.count == 1, row.fields[0].isNil { continue }
      let place = ImportPlace(input: input.name, unit: .line, number: row.line)
      guard row.fields.count == header.count else {
        throw ToolError(
          .badData,
          "\(place): \(counted(row.fields.count, "field")), but the header names "
            + "\(counted(header.count, "column")). The delimiter is \(delimiter.name). "
            + "Use --delimiter to set another one.")
      }
      return ImportRecord(
        place: place, members: zip(header, row.fields).map { ($0, .field($1)) })
    }
    return nil
  }

  func makeRewindable() throws { try input.makeRewindable() }

  func rewind() throws {
    try input.rewind()
    reader = CSVReader(input, delimiter: delimiter)
    names = nil
  }

  var progress: (done: Int64, total: Int64?) { (input.position, input.size) }
}

/// Returns a count with a noun, such as `1 field` or `2 fields`.
func counted(_ count: Int, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}
