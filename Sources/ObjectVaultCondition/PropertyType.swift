/// The type of a property for storage and conditions.
///
/// The raw value is the name that is stored in a vault's description of its classes and that the
/// command-line tool accepts. It never changes.
public enum PropertyType: String, Sendable, Hashable, CaseIterable {
  case bool = "Bool"
  case int = "Int"
  case int8 = "Int8"
  case int16 = "Int16"
  case int32 = "Int32"
  case int64 = "Int64"
  case uint = "UInt"
  case uint8 = "UInt8"
  case uint16 = "UInt16"
  case uint32 = "UInt32"
  case uint64 = "UInt64"
  case float = "Float"
  case double = "Double"
  case string = "String"
  case character = "Character"
  case data = "Data"
  case date = "Date"
  case uuid = "UUID"
  case url = "URL"
  case decimal = "Decimal"
  /// Arrays, sets, dictionaries and other `Codable` values, stored as canonical JSON.
  case json = "JSON"

  /// A group of types that conditions treat alike.
  public enum Family: Sendable, Hashable {
    case boolean, integer, real, text, data, date, uuid, url, decimal, composite
  }

  /// The group to which the type belongs.
  public var family: Family {
    switch self {
    case .bool: .boolean
    case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64: .integer
    case .float, .double: .real
    case .string, .character: .text
    case .data: .data
    case .date: .date
    case .uuid: .uuid
    case .url: .url
    case .decimal: .decimal
    case .json: .composite
    }
  }

  /// Returns a value of a column as the property has it.
  ///
  /// A column with the affinity NUMERIC stores a double without a fraction as an integer.
  package func restored(_ value: StoredValue) -> StoredValue {
    guard case .integer(let number) = value, columnType == "REAL",
      let real = Double(exactly: number)
    else { return value }
    return .real(real)
  }

  /// The declared type of the column: `INTEGER`, `REAL`, `TEXT` or `BLOB`.
  public var columnType: String {
    switch family {
    case .boolean, .integer: "INTEGER"
    case .real, .date: "REAL"
    case .text, .uuid, .url, .decimal, .composite: "TEXT"
    case .data: "BLOB"
    }
  }
}
