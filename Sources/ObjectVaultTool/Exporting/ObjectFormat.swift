internal import ArgumentParser
import ObjectVaultCore

/// The output formats of objects.
enum ObjectFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json, jsonl, csv
}

/// The formats of exported files.
enum FileFormat: String, ExpressibleByArgument, CaseIterable {
  case json, jsonl, csv

  var objectFormat: ObjectFormat {
    switch self {
    case .json: .json
    case .jsonl: .jsonl
    case .csv: .csv
    }
  }

  /// Creates the format for a file name's suffix, or returns `nil` if the suffix is unknown.
  init?(suffixOf path: String) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    switch name.split(separator: ".").last?.lowercased() {
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonl
    case "csv": self = .csv
    default: return nil
    }
  }
}

/// The formats of imported files.
enum ImportFormat: String, ExpressibleByArgument, CaseIterable {
  case json, jsonl, csv, tsv

  /// Creates the format for a file name's suffix, or returns `nil` if the suffix is unknown.
  init?(suffixOf path: String) {
    if let format = FileFormat(suffixOf: path) {
      self.init(rawValue: format.rawValue)
    } else {
      let suffix = path.split(separator: ".").last?.lowercased()
      guard suffix == "tsv" || suffix == "tab", path.contains(".") else { return nil }
      self = .tsv
    }
  }
}

/// One column of the output: a property, or the generated objectID.
struct ObjectColumn {
  var name: String
  /// The type of the values; `nil` if each value has the type of its storage class.
  var type: PropertyType?
  /// The position in a row of the class or statement.
  var position: Int
  /// Whether the column is the generated objectID, which follows the properties in a row.
  var isGenerated = false

  /// Returns the columns of a class: the generated objectID, if any, then the properties in order.
  static func all(of description: ClassDescription) -> [ObjectColumn] {
    let properties = description.properties.enumerated().map {
      ObjectColumn(name: $1.name, type: $1.type, position: $0)
    }
    guard description.objectID == .generated else { return properties }
    let id = ObjectColumn(
      name: ClassDescription.generatedIDColumn, type: .int64, position: properties.count,
      isGenerated: true)
    return [id] + properties
  }

  func type(of value: StoredValue) -> PropertyType { type ?? Self.type(of: value) }

  /// Returns the type of a value in a column without one.
  static func type(of value: StoredValue) -> PropertyType {
    switch value {
    case .integer: .int64
    case .real: .double
    case .blob: .data
    case .text, .null: .string
    }
  }

  func value(_ object: DynamicObject, _ values: [StoredValue]) -> StoredValue {
    if isGenerated { return object.generatedID.map(StoredValue.integer) ?? .null }
    return values[position]
  }
}
