public import ObjectVaultCondition
import ObjectVaultDriver

/// The interpolations of a statement.
///
/// | Written | Becomes |
/// |---|---|
/// | `\(value)` | `?`, bound in the stored format of its type |
/// | `\(list: values)` | `(?, ?, …)` for `IN`; no value is in an empty list |
/// | `\(name: text)` | a quoted name of a table, a column or an index |
/// | `\(Student.self)` | the table of the class |
/// | `\(column: \Student.age)` | the column of the property |
/// | `\(statement)` | the text of the statement, with its values |
/// | `\(unchecked: text)` | the raw text: **never pass user input** |
public struct SQLInterpolation: StringInterpolationProtocol {
  private var sql = ""
  private var values: [StoredValue] = []
  private var defect: SQLDefect?

  var statement: SQLStatement { SQLStatement(sql: sql, values: values, defect: defect) }

  /// Creates an empty interpolation.
  public init(literalCapacity: Int, interpolationCount: Int) {
    sql.reserveCapacity(literalCapacity + 2 * interpolationCount)
    values.reserveCapacity(interpolationCount)
  }

  /// Appends literal text.
  public mutating func appendLiteral(_ literal: String) {
    sql += literal
  }

  package mutating func append(_ statement: SQLStatement) {
    sql += statement.sql
    values += statement.values
    note(statement.defect)
  }

  private mutating func append(_ value: () throws -> StoredValue) {
    sql += "?"
    do {
      values.append(try value())
    } catch {
      values.append(.null)
      note(SQLDefect(error))
    }
  }

  private mutating func note(_ defect: SQLDefect?) {
    if self.defect == nil { self.defect = defect }
  }

  // MARK: Values

  /// Appends a storable value.
  public mutating func appendInterpolation<T: StorableValue>(_ value: T) {
    append { try value.storedValue }
  }

  /// Appends an optional storable value.
  public mutating func appendInterpolation<T: StorableValue>(_ value: T?) {
    append { try value.storedValue }
  }

  /// Appends a value that is stored as its raw value.
  public mutating func appendInterpolation<T: RawRepresentable>(_ value: T)
  where T.RawValue: StorableValue {
    append { try value.rawValue.storedValue }
  }

  /// Appends an optional value that is stored as its raw value.
  public mutating func appendInterpolation<T: RawRepresentable>(_ value: T?)
  where T.RawValue: StorableValue {
    append { try (value?.rawValue).storedValue }
  }

  /// Appends a storable value whose type also has raw values.
  public mutating func appendInterpolation<T: StorableValue & RawRepresentable>(_ value: T)
  where T.RawValue: StorableValue {
    append { try value.storedValue }
  }

  /// Appends an optional storable value whose type also has raw values.
  public mutating func appendInterpolation<T: StorableValue & RawRepresentable>(_ value: T?)
  where T.RawValue: StorableValue {
    append { try value.storedValue }
  }

  /// Appends a value that is stored as canonical JSON.
  @_disfavoredOverload
  public mutating func appendInterpolation<T: Codable>(_ value: T) {
    append { .text(try canonicalJSON(value)) }
  }

  /// Appends an optional value that is stored as canonical JSON.
  @_disfavoredOverload
  public mutating func appendInterpolation<T: Codable>(_ value: T?) {
    append { try value.map { .text(try canonicalJSON($0)) } ?? .null }
  }

  /// Appends a value in its stored format.
  public mutating func appendInterpolation(_ value: StoredValue) {
    append { value }
    note(SQLDefect(of: value))
  }

  // MARK: Lists

  /// Appends storable values in parentheses, for `IN`.
  ///
  /// No value is in an empty list, and every value is not in it. With a `nil` in the list, the
  /// result for a value without a match is NULL.
  public mutating func appendInterpolation<T: StorableValue>(list values: some Sequence<T>) {
    append(list: values.map { value in { try value.storedValue } })
  }

  /// Appends values that are stored as raw values in parentheses, for `IN`.
  @_disfavoredOverload
  public mutating func appendInterpolation<T: RawRepresentable>(list values: some Sequence<T>)
  where T.RawValue: StorableValue {
    append(list: values.map { value in { try value.rawValue.storedValue } })
  }

  /// Appends values of several types in parentheses, for `IN`.
  public mutating func appendInterpolation(list values: [any StorableValue]) {
    append(list: values.map { value in { try value.storedValue } })
  }

  /// Appends values in their stored format in parentheses, for `IN`.
  public mutating func appendInterpolation(list values: some Sequence<StoredValue>) {
    for value in values { note(SQLDefect(of: value)) }
    append(list: values.map { value in { value } })
  }

  private mutating func append(list values: [() throws -> StoredValue]) {
    guard !values.isEmpty else {
      // `()` is not an expression; this is one that returns no row.
      sql += "(SELECT NULL WHERE 0)"
      return
    }
    sql += "("
    for (position, value) in values.enumerated() {
      if position > 0 { sql += ", " }
      append(value)
    }
    sql += ")"
  }

  // MARK: Names

  /// Appends the quoted name of a table, a column or another schema object.
  ///
  /// Any string works and is always a single name. SQLite rejects a name that does not exist.
  public mutating func appendInterpolation(name: String) {
    sql += SQLIdentifier.neverText(name).description
  }

  /// Appends the name of a class's table.
  public mutating func appendInterpolation<T: StoredObject>(_ type: T.Type) {
    appendInterpolation(name: T.classDescription.table)
  }

  /// Appends the name of a class's table.
  public mutating func appendInterpolation<T: StoredObject>(table type: T.Type) {
    appendInterpolation(type)
  }

  /// Appends the table name of a class that is described at run time.
  public mutating func appendInterpolation(table description: ClassDescription) {
    appendInterpolation(name: description.table)
  }

  /// Appends the column of a property, without its table.
  ///
  /// Qualify the column in a statement with several tables: `s.\(column: \Student.age)`. A
  /// reference to an object with a multi-column object ID has no single column and is a defect of
  /// the statement.
  public mutating func appendInterpolation<T: StoredObject, Value>(
    column property: KeyPath<T, Value>
  ) {
    let description = T.classDescription
    guard let name = T.propertyNames[property] else {
      note(
        SQLDefect(
          .noSuchProperty,
          "The key path does not lead to a stored property of class '\(description.name)'. Write "
            + "its column with \\(name:)."))
      sql += "NULL"
      return
    }
    append(column: name, of: description)
  }

  private mutating func append(column name: String, of description: ClassDescription) {
    let position = description.rowNames.firstIndex(of: name)
    guard let position else {
      note(
        SQLDefect(
          .noSuchProperty,
          "Property '\(name)' of class '\(description.name)' has no column of its own: its objects "
            + "or the parts of its object ID are stored elsewhere. Write the columns with "
            + "\\(name:)."))
      sql += "NULL"
      return
    }
    appendInterpolation(name: description.rowColumns[position])
  }

  // MARK: Statements

  /// Appends the text of another statement, unchanged, and its values.
  public mutating func appendInterpolation(_ statement: SQLStatement) {
    append(statement)
  }

  /// Appends raw SQL.
  ///
  /// **The author of the text decides what the statement does.** Use this interpolation for text
  /// that the program chooses itself, such as `ASC` or `DESC`, and never for user input.
  public mutating func appendInterpolation(unchecked sql: String) {
    self.sql += sql
  }
}
