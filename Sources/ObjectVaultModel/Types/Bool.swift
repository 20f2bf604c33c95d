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
    if row.storageClass(at: position) != StorageCode.integer, row.wholeNumber(at: position) == nil {
      throw VaultError.wrongStorageClass(in: row, at: position, reading: Bool.self)
    }
    switch row.integer(at: position) {
    case 0: return false
    case 1: return true
    default:
      throw VaultError.unreadable("a number other than 0 and 1", at: position, reading: Bool.self)
    }
  }

  /// Binds 0 or 1.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    binder.bind(integer: self ? 1 : 0, at: position)
  }

  /// The integer 0 or 1.
  public var storedValue: StoredValue { .integer(self ? 1 : 0) }
}
