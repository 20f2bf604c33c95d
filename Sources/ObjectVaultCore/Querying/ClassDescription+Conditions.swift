import ObjectVaultCondition

extension ClassDescription: ConditionSchema {
  package var className: String { name }

  package var propertyNames: [String] {
    properties.map(\.name) + (objectID == .generated ? [Self.generatedIDColumn] : [])
  }

  package func property(named name: String) -> PropertyShape? {
    if let position = properties.firstIndex(where: { $0.name == name }) {
      let property = properties[position]
      return PropertyShape(
        name, at: position, type: property.type, isOptional: property.isOptional)
    }
    guard objectID == .generated, name == Self.generatedIDColumn else { return nil }
    return PropertyShape(name, at: properties.count, type: .int64, isOptional: false)
  }
}

extension VaultError {
  /// The public form of a condition's error.
  init(_ error: ConditionError) {
    let code: Code =
      switch error.code {
      case .unknownProperty: .noSuchProperty
      default: .invalidCondition
      }
    self.init(
      code, error.message,
      location: error.offset.map { TextLocation(offset: $0, excerpt: error.excerpt) },
      underlying: error)
  }
}
