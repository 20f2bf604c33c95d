public import ObjectVaultDriver

/// The numbers of the storage classes in SQLite's C interface.
@usableFromInline
enum StorageCode {
  @inlinable package static var integer: Int32 { 1 }
  @inlinable static var real: Int32 { 2 }
  @inlinable static var text: Int32 { 3 }
  @inlinable static var blob: Int32 { 4 }
  @inlinable static var null: Int32 { 5 }

  /// Returns the description of a storage class for error messages.
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

// Not inlined, so that the readers remain small: these functions run rarely.

extension Row {
  /// Returns the value of a real number without a fraction, which a column of another program can
  /// hold; `nil` for other values.
  @usableFromInline @inline(never)
  func wholeNumber(at position: Int) -> Int64? {
    storageClass(at: position) == StorageCode.real ? Int64(exactly: real(at: position)) : nil
  }
}

extension VaultError {
  /// Returns the error for a column with a storage class that the type can't read.
  @usableFromInline @inline(never)
  static func wrongStorageClass<T>(in row: Row, at position: Int, reading type: T.Type) -> Self {
    let found = row.storageClass(at: position)
    let remedy =
      found == StorageCode.null
      ? "Declare the property optional, or set a value in the row."
      : "Correct the row, or declare the property with the type of the stored value."
    return VaultError(
      .invalidValue,
      "Column \(position) contains \(StorageCode.name(found)), but \(type) is expected. \(remedy)")
  }

  /// Returns the error for a column with the right storage class but an invalid value.
  @usableFromInline @inline(never)
  static func unreadable<T>(_ what: String, at position: Int, reading type: T.Type) -> Self {
    VaultError(
      .invalidValue,
      "Column \(position) contains \(what), which is not a value of \(type). Correct the row, or "
        + "declare the property with a type that has the value.")
  }

  /// Returns the error for a value that would not be equal after it is stored and read.
  @usableFromInline @inline(never)
  static func unstorable<T>(_ what: String, of type: T.Type, remedy: String) -> Self {
    VaultError(.invalidValue, "\(what) of type \(type) cannot be stored. \(remedy)")
  }
}
