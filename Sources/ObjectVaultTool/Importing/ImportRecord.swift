import ObjectVaultCore

/// One object of an import file, before its conversion to the class.
struct ImportRecord {
  var place: ImportPlace
  var members: [(name: String, value: ImportValue)]
}

/// A value of an import file.
enum ImportValue {
  case json(JSONValue)
  case field(CSVField)

  /// Returns the stored value for a property of a type.
  ///
  /// - Throws: `ExchangedValue.Refusal` if the value does not match the type.
  func stored(as type: PropertyType, isOptional: Bool) throws -> StoredValue {
    switch self {
    case .json(let value):
      try ExchangedValue.stored(value, as: type, isOptional: isOptional)
    case .field(let field):
      field.isNil ? .null : try ExchangedValue.stored(text: field.text, as: type)
    }
  }
}

/// A location in an import file.
struct ImportPlace: CustomStringConvertible {
  enum Unit: String { case line, record }

  var input: String
  var unit: Unit
  /// The number, counted from 1.
  var number: Int

  var description: String { "\(input), \(unit.rawValue) \(number)" }
}

/// The records of an import file in order, which can be read again from the start.
protocol RecordSource: AnyObject {
  func next() throws -> ImportRecord?
  /// Makes ``rewind()`` possible.
  func makeRewindable() throws
  func rewind() throws
  /// The names that every record has; `nil` if each record has its own names.
  var header: [String]? { get throws }
  /// The progress of reading.
  var progress: (done: Int64, total: Int64?) { get }
}
