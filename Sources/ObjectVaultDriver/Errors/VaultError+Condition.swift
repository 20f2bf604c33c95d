package import ObjectVaultCondition

extension VaultError {
  /// Calls `body` and rethrows condition errors in their public form.
  package static func mappingConditions<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as ConditionError {
      throw VaultError(error)
    }
  }

  /// Creates the public form of a condition error.
  package init(_ error: ConditionError) {
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
