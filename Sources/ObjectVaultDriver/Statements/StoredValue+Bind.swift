package import ObjectVaultCondition

extension StoredValue {
  /// Binds the value to a parameter.
  package func bind(to binder: Binder, at position: Int) {
    switch self {
    case .null: binder.bindNull(at: position)
    case .integer(let value): binder.bind(integer: value, at: position)
    case .real(let value): binder.bind(real: value, at: position)
    case .text(let value): binder.bind(text: value, at: position)
    case .blob(let bytes): bytes.withUnsafeBytes { binder.bind(bytes: $0, at: position) }
    }
  }
}
