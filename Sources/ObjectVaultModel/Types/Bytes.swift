public import Foundation
public import ObjectVaultCondition
public import ObjectVaultDriver

// Stored as BLOB. The storage class is always checked, because text could be read as bytes
// otherwise. The check costs little compared to the allocation.
extension Array: StorableValue where Element == UInt8 {
  /// The property type `Data`.
  public static var propertyType: PropertyType { .data }

  /// Returns the bytes of a blob.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the column contains anything else.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> [UInt8] {
    guard row.storageClass(at: position) == StorageCode.blob else {
      throw VaultError.wrongStorageClass(in: row, at: position, reading: [UInt8].self)
    }
    return row.withBytes(at: position) { [UInt8]($0) }
  }

  /// Binds the bytes.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    withUnsafeBytes { binder.bind(bytes: $0, at: position) }
  }

  /// The bytes as a blob.
  public var storedValue: StoredValue { .blob(self) }
}

extension Array: ObjectIDValue where Element == UInt8 {}

extension Data: StorableValue, ObjectIDValue {
  /// The property type `Data`.
  public static var propertyType: PropertyType { .data }

  /// Returns the bytes of a blob.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the column contains anything else.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Data {
    guard row.storageClass(at: position) == StorageCode.blob else {
      throw VaultError.wrongStorageClass(in: row, at: position, reading: Data.self)
    }
    return row.withBytes(at: position) { bytes in
      guard let start = bytes.baseAddress else { return Data() }
      return Data(bytes: start, count: bytes.count)
    }
  }

  /// Binds the bytes.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    withUnsafeBytes { binder.bind(bytes: $0, at: position) }
  }

  /// The bytes as a blob.
  public var storedValue: StoredValue { .blob([UInt8](self)) }
}
