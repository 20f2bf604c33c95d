import ObjectVaultCondition

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
