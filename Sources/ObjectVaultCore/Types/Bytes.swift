public import Foundation
public import ObjectVaultCondition
public import ObjectVaultEngine

// Kept as BLOB. The storage class is asked for each time: text would pass for bytes otherwise,
// and next to the allocation the question costs nothing.
extension Array: StorableValue where Element == UInt8 {
  /// `Data`.
  public static var propertyType: PropertyType { .data }

  /// Reads bytes.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where the column holds something else.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> [UInt8] {
    guard row.storageClass(at: position) == StorageClass.blob else {
      throw VaultError.wrongStorageClass(in: row, at: position, reading: [UInt8].self)
    }
    return row.withBytes(at: position) { [UInt8]($0) }
  }

  /// Binds bytes.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    withUnsafeBytes { binder.bind(bytes: $0, at: position) }
  }

  /// A blob.
  public var storedValue: StoredValue { .blob(self) }
}

extension Array: ObjectIDValue where Element == UInt8 {}

extension Data: StorableValue, ObjectIDValue {
  /// `Data`.
  public static var propertyType: PropertyType { .data }

  /// Reads bytes.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where the column holds something else.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Data {
    guard row.storageClass(at: position) == StorageClass.blob else {
      throw VaultError.wrongStorageClass(in: row, at: position, reading: Data.self)
    }
    return row.withBytes(at: position) { bytes in
      guard let start = bytes.baseAddress else { return Data() }
      return Data(bytes: start, count: bytes.count)
    }
  }

  /// Binds bytes.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    withUnsafeBytes { binder.bind(bytes: $0, at: position) }
  }

  /// A blob.
  public var storedValue: StoredValue { .blob([UInt8](self)) }
}
