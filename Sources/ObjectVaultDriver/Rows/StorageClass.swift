internal import CSQLCipher
package import ObjectVaultCondition

/// The storage classes of SQLite: the type of a stored value, whatever its column declares.
package enum StorageClass: Sendable, Hashable {
  case null, integer, real, text, blob
}

extension StorageClass {
  /// Creates a storage class from the engine's number for it.
  package init(code: Int32) {
    switch code {
    case SQLITE_INTEGER: self = .integer
    case SQLITE_FLOAT: self = .real
    case SQLITE_TEXT: self = .text
    case SQLITE_BLOB: self = .blob
    default: self = .null
    }
  }

  /// Creates the storage class of a value.
  package init(of value: StoredValue) {
    switch value {
    case .null: self = .null
    case .integer: self = .integer
    case .real: self = .real
    case .text: self = .text
    case .blob: self = .blob
    }
  }
}

extension Row {
  /// Returns the storage class of a column's value.
  package func storage(at position: Int) -> StorageClass {
    StorageClass(code: storageClass(at: position))
  }
}
