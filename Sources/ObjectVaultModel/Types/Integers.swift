public import ObjectVaultCondition
public import ObjectVaultDriver

// All integer types are stored as a signed 64-bit INTEGER.
extension StorableValue where Self: FixedWidthInteger {
  /// Returns the integer in a column.
  ///
  /// To be fast, the storage class is examined only if SQLite returns 0: from a text that begins with
  /// another number, that number is read, and from a number with a fraction the integer before it.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the column does not contain an integer,
  ///   or if it exceeds the type's range.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Self {
    guard let value = try readIfPresent(from: row, at: position) else {
      throw VaultError.wrongStorageClass(in: row, at: position, reading: Self.self)
    }
    return value
  }

  /// Returns the integer in a column, or `nil` for NULL.
  ///
  /// - Throws: The errors of ``read(from:at:)``.
  @inlinable
  public static func readIfPresent(from row: Row, at position: Int) throws -> Self? {
    let stored = row.integer(at: position)
    // SQLite returns 0 for values that are not numbers, so only 0 requires a check of the storage
    // class.
    if stored == 0 {
      let found = row.storageClass(at: position)
      if found == StorageCode.null { return nil }
      if found != StorageCode.integer {
        throw VaultError.wrongStorageClass(in: row, at: position, reading: Self.self)
      }
    }
    guard let value = Self(exactly: stored) else {
      throw VaultError.unreadable("a number out of range", at: position, reading: Self.self)
    }
    return value
  }

  /// Binds the integer.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` for a number above `Int64.max`.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    guard let value = Int64(exactly: self) else { throw Self.aboveInt64 }
    binder.bind(integer: value, at: position)
  }

  /// The number as an integer.
  ///
  /// - Throws: The errors of ``bind(to:at:)``.
  public var storedValue: StoredValue {
    get throws {
      guard let value = Int64(exactly: self) else { throw Self.aboveInt64 }
      return .integer(value)
    }
  }

  @usableFromInline
  static var aboveInt64: VaultError {
    .unstorable(
      "A number above Int64.max", of: Self.self,
      remedy: "A file stores signed 64-bit integers. Store larger numbers as Decimal or String.")
  }
}

extension Int: StorableValue, ObjectIDValue {
  /// The property type `Int`.
  public static var propertyType: PropertyType { .int }
}

extension Int8: StorableValue, ObjectIDValue {
  /// The property type `Int8`.
  public static var propertyType: PropertyType { .int8 }
}

extension Int16: StorableValue, ObjectIDValue {
  /// The property type `Int16`.
  public static var propertyType: PropertyType { .int16 }
}

extension Int32: StorableValue, ObjectIDValue {
  /// The property type `Int32`.
  public static var propertyType: PropertyType { .int32 }
}

extension Int64: StorableValue, ObjectIDValue {
  /// The property type `Int64`.
  public static var propertyType: PropertyType { .int64 }
}

extension UInt: StorableValue, ObjectIDValue {
  /// The property type `UInt`, which rejects numbers above `Int64.max`.
  public static var propertyType: PropertyType { .uint }
}

extension UInt8: StorableValue, ObjectIDValue {
  /// The property type `UInt8`.
  public static var propertyType: PropertyType { .uint8 }
}

extension UInt16: StorableValue, ObjectIDValue {
  /// The property type `UInt16`.
  public static var propertyType: PropertyType { .uint16 }
}

extension UInt32: StorableValue, ObjectIDValue {
  /// The property type `UInt32`.
  public static var propertyType: PropertyType { .uint32 }
}

extension UInt64: StorableValue, ObjectIDValue {
  /// The property type `UInt64`, which rejects numbers above `Int64.max`.
  public static var propertyType: PropertyType { .uint64 }
}
