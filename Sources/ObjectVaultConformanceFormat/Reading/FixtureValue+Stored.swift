package import ObjectVaultCondition
import ObjectVaultModel

extension FixtureValue {
  /// Returns the stored form of the value, by its own kind.
  ///
  /// Returns `nil` for lists and objects, which no property can store. The library checks whether
  /// the value matches the type of the property.
  package func storedValue() -> StoredValue? {
    switch self {
    case .null: .null
    case .bool(let value): .integer(value ? 1 : 0)
    case .integer(let value): .integer(value)
    case .double(let value), .date(let value): .real(value)
    case .text(let text), .decimal(let text), .uuid(let text), .url(let text), .json(let text):
      .text(text)
    case .data(let bytes): .blob(bytes)
    case .list, .object: nil
    }
  }

  /// Creates the value of a property of a type.
  ///
  /// A stored value that does not match the type keeps its storage class.
  package init(_ stored: StoredValue, as type: PropertyType) {
    self =
      switch (type.family, stored) {
      case (.boolean, .integer(0)): .bool(false)
      case (.boolean, .integer(1)): .bool(true)
      case (.date, .real(let seconds)): .date(seconds)
      case (.decimal, .text(let text)): .decimal(text)
      case (.uuid, .text(let text)): .uuid(text)
      case (.url, .text(let text)): .url(text)
      case (.composite, .text(let text)): .json(text)
      default: FixtureValue(storageClass: stored)
      }
  }

  /// Creates a value by its storage class alone, as in `rows` and in tables of other programs.
  package init(storageClass stored: StoredValue) {
    self =
      switch stored {
      case .null: .null
      case .integer(let value): .integer(value)
      case .real(let value): .double(value)
      case .text(let text): .text(text)
      case .blob(let bytes): .data(bytes)
      }
  }
}
