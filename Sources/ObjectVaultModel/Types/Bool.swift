public import ObjectVaultCondition
public import ObjectVaultDriver

extension Bool: StorableValue {
  /// The property type `Bool`.
  public static var propertyType: PropertyType { .bool }

  /// Returns a Boolean value from 0 or 1.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the column contains anything else.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Bool {
    let stored = row.integer(at: position)
    if stored == 1 { return true }
    guard stored == 0 else {
      throw VaultError.unreadable("a number other than 0 and 1", at: position, reading: Bool.self)
    }
    if row.storageClass(at: position) != StorageCode.integer {
      throw VaultError.wrongStorageClass(in: row, at: position, reading: Bool.self)
    }
    return false
  }

  /// Binds 0 or 1.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    binder.bind(integer: self ? 1 : 0, at: position)
  }

  /// The integer 0 or 1.
  public var storedValue: StoredValue { .integer(self ? 1 : 0) }
}
