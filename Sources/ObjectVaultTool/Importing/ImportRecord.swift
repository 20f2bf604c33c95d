import ObjectVaultCore

/// One object of an import file, before it is one of a class.
struct ImportRecord {
  var place: ImportPlace
  var members: [(name: String, value: ImportValue)]
}

/// A value of an import file.
enum ImportValue {
  case json(JSONValue)
  case field(CSVField)

  var isNil: Bool {
    switch self {
    case .json(let value): value == .null
    case .field(let field): field.isNil
    }
  }

  /// What a property of a type keeps of it.
  ///
  /// - Throws: `ExchangedValue.Refusal`.
  func stored(as type: PropertyType) throws -> StoredValue {
    switch self {
    case .json(let value): try ExchangedValue.stored(value, as: type)
    case .field(let field):
      field.isNil ? .null : try ExchangedValue.stored(text: field.text, as: type)
    }
  }
}

/// Where in an import file something stands.
struct ImportPlace: CustomStringConvertible {
  enum Unit: String { case line, record }

  var input: String
  var unit: Unit
  /// Counted from 1.
  var number: Int

  var description: String { "\(input), \(unit.rawValue) \(number)" }
}

/// The records of an import file, one after the other, and again from the start.
protocol RecordSource: AnyObject {
  func next() throws -> ImportRecord?
  /// Sees to it that ``rewind()`` will work.
  func makeRewindable() throws
  func rewind() throws
  /// The names that every record has; `nil` where each names its own.
  var header: [String]? { get throws }
  /// How far reading is.
  var progress: (done: Int64, total: Int64?) { get }
}
