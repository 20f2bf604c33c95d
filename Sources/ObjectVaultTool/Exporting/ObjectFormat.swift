internal import ArgumentParser
import ObjectVaultCore

/// The forms in which objects are written.
enum ObjectFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json, jsonl, csv
}

/// The forms of files that are exported.
enum FileFormat: String, ExpressibleByArgument, CaseIterable {
  case json, jsonl, csv

  var objectFormat: ObjectFormat {
    switch self {
    case .json: .json
    case .jsonl: .jsonl
    case .csv: .csv
    }
  }

  /// What a name's suffix promises; `nil` where it promises nothing.
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

/// The forms of files that can be imported.
enum ImportFormat: String, ExpressibleByArgument, CaseIterable {
  case json, jsonl, csv, tsv

  /// What a name's suffix promises; `nil` where it promises nothing.
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

/// One column of what is written: a property, or the generated objectID.
struct ObjectColumn {
  var name: String
  /// The type of its values; `nil` where each is what it is stored as.
  var type: PropertyType?
  /// The position among an object's properties; `nil` for the generated objectID.
  var position: Int?

  /// The columns of a class: its properties in order, a generated objectID first.
  static func all(of description: ClassDescription) -> [ObjectColumn] {
    let properties = description.properties.enumerated().map {
      ObjectColumn(name: $1.name, type: $1.type, position: $0)
    }
    guard description.objectID == .generated else { return properties }
    return [ObjectColumn(name: ClassDescription.generatedIDColumn, type: .int64, position: nil)]
      + properties
  }

  func type(of value: StoredValue) -> PropertyType {
    if let type { return type }
    return switch value {
    case .integer: .int64
    case .real: .double
    case .blob: .data
    case .text, .null: .string
    }
  }

  func value(_ object: DynamicObject, _ values: [StoredValue]) -> StoredValue {
    guard let position else { return object.generatedID.map(StoredValue.integer) ?? .null }
    return values[position]
  }
}
