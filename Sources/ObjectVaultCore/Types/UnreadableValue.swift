import ObjectVaultEngine

/// The storage classes of SQLite as its C interface numbers them.
@usableFromInline
enum StorageClass {
  @inlinable static var integer: Int32 { 1 }
  @inlinable static var real: Int32 { 2 }
  @inlinable static var text: Int32 { 3 }
  @inlinable static var blob: Int32 { 4 }
  @inlinable static var null: Int32 { 5 }

  /// The words an error uses for a storage class.
  static func name(_ storageClass: Int32) -> String {
    switch storageClass {
    case integer: "an integer"
    case real: "a real number"
    case text: "text"
    case blob: "a blob"
    default: "no value"
    }
  }
}

// Out of line and never inlined, so that the readers stay small: these run only on failure.
extension VaultError {
  /// The column holds a storage class that the type is not kept in.
  @usableFromInline @inline(never)
  static func wrongStorageClass<T>(in row: Row, at position: Int, reading type: T.Type) -> Self {
    let found = row.storageClass(at: position)
    let remedy =
      found == StorageClass.null
      ? "Declare the property optional, or give the row a value."
      : "Correct the row, or declare the property with the type the column is written with."
    return VaultError(
      .invalidValue,
      "Column \(position) holds \(StorageClass.name(found)) where \(type) is read. \(remedy)")
  }

  /// The column holds the right storage class, but no value of the type.
  @usableFromInline @inline(never)
  static func unreadable<T>(_ what: String, at position: Int, reading type: T.Type) -> Self {
    VaultError(
      .invalidValue,
      """
      Column \(position) holds \(what), which is not a value of \(type). Correct the row, or declare \
      the property with a type that has the value.
      """)
  }

  /// A value of a property that the file could not give back equal.
  @usableFromInline @inline(never)
  static func unstorable<T>(_ what: String, of type: T.Type, remedy: String) -> Self {
    VaultError(.invalidValue, "\(what) of type \(type) cannot be stored. \(remedy)")
  }
}
