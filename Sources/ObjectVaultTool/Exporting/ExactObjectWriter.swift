import ObjectVaultCore
import ObjectVaultTerminal

/// A writer of the objects of a class that rejects values that an import would read as other ones.
///
/// Another program can store a value of any type in any column.
final class ExactObjectWriter: ObjectWriter {
  private let description: ClassDescription
  private let writer: any ObjectWriter
  /// The properties, all of them optional: an import rejects a missing value.
  private let properties: [PropertyDescription]
  private let positions: [Int]
  private let composites: [Int]
  private let format: ObjectFormat
  private var count = 0

  init(_ description: ClassDescription, _ writer: any ObjectWriter, of format: ObjectFormat) {
    self.description = description
    self.writer = writer
    self.format = format
    properties = description.properties.map { property in
      var property = property
      property.isOptional = true
      return property
    }
    positions = Array(properties.indices)
    composites = positions.filter { description.properties[$0].type == .json }
  }

  /// Writes the columns of a row.
  ///
  /// - Parameter row: The row.
  /// - Throws: ``ToolError`` if a value would be read as another one; the errors of writing.
  func write(_ row: Row) throws {
    count += 1
    if !row.fits(properties, at: positions) {
      for position in positions where isChanged(row, at: position) {
        throw failure(row, at: position)
      }
    }
    for position in composites where !row.isNull(at: position) {
      guard let value = try? JSONParser.parse(row.text(at: position) ?? "") else {
        throw failure(row, at: position)
      }
      if value == .null, format != .csv, description.properties[position].isOptional {
        throw failure(
          row, at: position,
          "the value null, which an import of JSON would read as nil. Use --format csv.")
      }
    }
    try writer.write(row)
  }

  func finish() throws { try writer.finish() }

  /// Returns whether an import would read a value as another one instead of rejecting it.
  private func isChanged(_ row: Row, at position: Int) -> Bool {
    let type = properties[position].type
    let value = row.storedValue(at: position)
    // Text of a file in UTF-16 is valid too.
    if case .text = value, row.validText(at: position) == nil { return true }
    if (try? value.checkFit(type, isOptional: true, "", column: "")) != nil { return false }
    switch (type.family, value) {
    // A column with the affinity NUMERIC stores decimals as doubles.
    case (.decimal, .real): return false
    // Columns of numbers can contain other numbers, and text, such as the time of a DATETIME.
    case (.integer, .real), (.real, .integer), (.integer, .text), (.real, .text):
      return ExchangedValue.plain(value, type)
        .flatMap { try? ExchangedValue.stored(text: $0, as: type) } != nil
    default: return true
    }
  }

  private func failure(
    _ row: Row, at position: Int,
    _ reason: String = "a value of another type, or text that is not valid. An import would read "
      + "another value. Read it with 'sql', or correct it with 'sql --write'."
  ) -> ToolError {
    let property = description.properties[position]
    return ToolError(
      .badData,
      "Property '\(PrintableText.name(property.name))' of class "
        + "'\(PrintableText.name(description.name))' is \(property.typeName), but \(object(row)) has "
        + reason)
  }

  /// Returns the name of the object in errors.
  private func object(_ row: Row) -> String {
    guard description.objectIDIsRowID else { return "object \(count) of the output" }
    let position =
      if case .properties(let positions) = description.objectID {
        positions[0]
      } else {
        properties.count
      }
    return "the object with ID \(row.integer(at: position))"
  }
}
