package import ObjectVaultCore

extension FixtureValue {
  /// The value as a file keeps it, by its own kind; `nil` for lists and objects, which no property
  /// has. Whether it is one of a property's type is for the library to say.
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

  /// What a property of a type has; what is not one of the type stays what the file has.
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

  /// A value by its storage class alone, as `rows` and tables of other programs have it.
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
