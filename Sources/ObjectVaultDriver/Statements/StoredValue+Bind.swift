package import ObjectVaultCondition

extension StoredValue {
  /// The number of bytes of the value.
  package var byteCount: Int {
    switch self {
    case .null: 0
    case .integer, .real: 8
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    }
  }

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
