internal import CSQLCipher

/// SQLite's storage classes: what a value in a file is, whatever its column declares.
package enum StorageClass: Sendable, Hashable {
  case null, integer, real, text, blob
}

extension Row {
  /// What the column's value is stored as.
  package func storage(at position: Int) -> StorageClass {
    switch storageClass(at: position) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }
}
