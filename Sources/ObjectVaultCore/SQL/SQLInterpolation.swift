public import ObjectVaultCondition

/// What can be interpolated into a statement.
///
/// | Written | Becomes |
/// |---|---|
/// | `\(value)` | `?`, bound as a property of the type would be stored |
/// | `\(list: values)` | `(?, ?, …)`, for `IN`; nothing is in an empty list |
/// | `\(name: text)` | a name, quoted: of a table, a column, an index |
/// | `\(Student.self)` | the table of the class |
/// | `\(column: \Student.age)` | the column of the property |
/// | `\(statement)` | its text, with its values |
/// | `\(unchecked: text)` | the text itself: **never of what a user typed** |
public struct SQLInterpolation: StringInterpolationProtocol {
  private var sql = ""
  private var values: [StoredValue] = []
  private var defect: SQLDefect?

  var statement: SQLStatement { SQLStatement(sql: sql, values: values, defect: defect) }

  /// Begins a statement.
  public init(literalCapacity: Int, interpolationCount: Int) {
    sql.reserveCapacity(literalCapacity + 2 * interpolationCount)
    values.reserveCapacity(interpolationCount)
  }

  /// Appends the text that stands in the program.
  public mutating func appendLiteral(_ literal: String) {
    sql += literal
  }

  mutating func append(_ statement: SQLStatement) {
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

  /// A value of a type that properties can have.
  public mutating func appendInterpolation<T: StorableValue>(_ value: T) {
    append { try value.storedValue }
  }

  /// A value of a type that properties can have, or `nil`.
  public mutating func appendInterpolation<T: StorableValue>(_ value: T?) {
    append { try value.storedValue }
  }

  /// A value that is stored as its raw value.
  public mutating func appendInterpolation<T: RawRepresentable>(_ value: T)
  where T.RawValue: StorableValue {
    append { try value.rawValue.storedValue }
  }

  /// A value that is stored as its raw value, or `nil`.
  public mutating func appendInterpolation<T: RawRepresentable>(_ value: T?)
  where T.RawValue: StorableValue {
    append { try (value?.rawValue).storedValue }
  }

  /// A value of a storable type that has raw values too.
  public mutating func appendInterpolation<T: StorableValue & RawRepresentable>(_ value: T)
  where T.RawValue: StorableValue {
    append { try value.storedValue }
  }

  /// A value of a storable type that has raw values too, or `nil`.
  public mutating func appendInterpolation<T: StorableValue & RawRepresentable>(_ value: T?)
  where T.RawValue: StorableValue {
    append { try value.storedValue }
  }

  /// A value that is stored as canonical JSON.
  @_disfavoredOverload
  public mutating func appendInterpolation<T: Codable>(_ value: T) {
    append { .text(try canonicalJSON(value)) }
  }

  /// A value that is stored as canonical JSON, or `nil`.
  @_disfavoredOverload
  public mutating func appendInterpolation<T: Codable>(_ value: T?) {
    append { try value.map { .text(try canonicalJSON($0)) } ?? .null }
  }

  /// A value as the file keeps it.
  public mutating func appendInterpolation(_ value: StoredValue) {
    append { value }
    note(SQLDefect(of: value))
  }

  // MARK: Lists

  /// Values in parentheses, for `IN`. Nothing is in an empty list, and everything is not in it.
  ///
  /// A `nil` among them makes SQL answer neither yes nor no where nothing else is equal.
  public mutating func appendInterpolation<T: StorableValue>(list values: some Sequence<T>) {
    append(list: values.map { value in { try value.storedValue } })
  }

  /// Values that are stored as their raw values, in parentheses, for `IN`.
  @_disfavoredOverload
  public mutating func appendInterpolation<T: RawRepresentable>(list values: some Sequence<T>)
  where T.RawValue: StorableValue {
    append(list: values.map { value in { try value.rawValue.storedValue } })
  }

  /// Values of several types, in parentheses, for `IN`.
  public mutating func appendInterpolation(list values: [any StorableValue]) {
    append(list: values.map { value in { try value.storedValue } })
  }

  /// Values as the file keeps them, in parentheses, for `IN`.
  public mutating func appendInterpolation(list values: some Sequence<StoredValue>) {
    for value in values { note(SQLDefect(of: value)) }
    append(list: values.map { value in { value } })
  }

  private mutating func append(list values: [() throws -> StoredValue]) {
    guard !values.isEmpty else {
      // `()` is no expression; this one is, and no row comes of it.
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

  /// A name of a table, a column or another thing of the file, quoted: any text works, and none is
  /// more than a name. The engine refuses one that nothing has.
  public mutating func appendInterpolation(name: String) {
    sql += SQLIdentifier.neverText(name).description
  }

  /// The table of a class.
  public mutating func appendInterpolation<T: StoredObject>(_ type: T.Type) {
    appendInterpolation(name: T.classDescription.table)
  }

  /// The table of a class.
  public mutating func appendInterpolation<T: StoredObject>(table type: T.Type) {
    appendInterpolation(type)
  }

  /// The table of a class that is described at run time.
  public mutating func appendInterpolation(table description: ClassDescription) {
    appendInterpolation(name: description.table)
  }

  /// The column of a property, without its table: write `s.\(column: \Student.age)` for one of several
  /// tables. A reference to an object whose objectID has several parts has no one column.
  public mutating func appendInterpolation<T: StoredObject, Value>(
    column property: KeyPath<T, Value>
  ) {
    let description = T.classDescription
    guard let name = T.propertyNames[property] else {
      note(
        SQLDefect(
          .noSuchProperty,
          "The key path leads to no stored property of class '\(description.name)'. Name its column "
            + "with \\(name:)."))
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
          "Property '\(name)' of class '\(description.name)' has no column of its own: its objects or "
            + "the parts of its objectID stand elsewhere. Name the columns with \\(name:)."))
      sql += "NULL"
      return
    }
    appendInterpolation(name: description.rowColumns[position])
  }

  // MARK: Statements

  /// The text of another statement, as it is, and its values.
  public mutating func appendInterpolation(_ statement: SQLStatement) {
    append(statement)
  }

  /// A text as it is. **Whoever writes it decides what the statement does**: use it for what the
  /// program itself chooses, such as `ASC` or `DESC`, and never for what a user typed.
  public mutating func appendInterpolation(unchecked sql: String) {
    self.sql += sql
  }
}
