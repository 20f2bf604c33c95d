internal import CSQLCipher

/// SQLite's storage classes: what a value in a file is, whatever its column declares.
package enum StorageClass: Sendable, Hashable {
  case null, integer, real, text, blob
}

extension StorageClass {
  /// The class by the engine's number for it.
  fileprivate init(code: Int32) {
    switch code {
    case SQLITE_INTEGER: self = .integer
    case SQLITE_FLOAT: self = .real
    case SQLITE_TEXT: self = .text
    case SQLITE_BLOB: self = .blob
    default: self = .null
    }
  }
}

extension Row {
  /// What the column's value is stored as.
  package func storage(at position: Int) -> StorageClass {
    StorageClass(code: storageClass(at: position))
  }
}

extension FunctionArguments {
  /// What an argument is stored as.
  package func storage(at position: Int) -> StorageClass {
    StorageClass(code: storageClass(at: position))
  }
}
