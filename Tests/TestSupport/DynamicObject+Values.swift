package import ObjectVaultCore

extension DynamicObject {
  /// Creates an object with values for some properties.
  package init(of description: ClassDescription, _ values: [String: StoredValue]) throws {
    try self.init(of: description)
    for (name, value) in values { try set(name, to: value) }
  }
}
