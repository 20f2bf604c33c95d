public import ObjectVaultCondition
public import ObjectVaultEngine

// Every integer type is kept as a signed 64-bit INTEGER.
extension StorableValue where Self: FixedWidthInteger {
  /// Reads an integer.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where the column holds no integer, or one
  ///   outside the type's range.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Self {
    guard let value = try readIfPresent(from: row, at: position) else {
      throw VaultError.wrongStorageClass(in: row, at: position, reading: Self.self)
    }
    return value
  }

  /// Reads an integer, or `nil` where the column holds no value.
  ///
  /// - Throws: as ``read(from:at:)``.
  @inlinable
  public static func readIfPresent(from row: Row, at position: Int) throws -> Self? {
    let stored = row.integer(at: position)
    // The engine answers 0 for what is no number, so only a 0 needs a second look.
    if stored == 0 {
      let found = row.storageClass(at: position)
      if found == StorageClass.null { return nil }
      if found != StorageClass.integer {
        throw VaultError.wrongStorageClass(in: row, at: position, reading: Self.self)
      }
    }
    guard let value = Self(exactly: stored) else {
      throw VaultError.unreadable("a number out of range", at: position, reading: Self.self)
    }
    return value
  }

  /// Binds an integer.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` for a number above `Int64.max`.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    guard let value = Int64(exactly: self) else { throw Self.aboveInt64 }
    binder.bind(integer: value, at: position)
  }

  /// An integer.
  ///
  /// - Throws: as ``bind(to:at:)``.
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
      remedy: "A file keeps signed 64-bit integers; keep larger numbers as Decimal or String.")
  }
}

extension Int: StorableValue, ObjectIDValue {
  /// `Int`.
  public static var propertyType: PropertyType { .int }
}

extension Int8: StorableValue, ObjectIDValue {
  /// `Int8`.
  public static var propertyType: PropertyType { .int8 }
}

extension Int16: StorableValue, ObjectIDValue {
  /// `Int16`.
  public static var propertyType: PropertyType { .int16 }
}

extension Int32: StorableValue, ObjectIDValue {
  /// `Int32`.
  public static var propertyType: PropertyType { .int32 }
}

extension Int64: StorableValue, ObjectIDValue {
  /// `Int64`.
  public static var propertyType: PropertyType { .int64 }
}

extension UInt: StorableValue, ObjectIDValue {
  /// `UInt`; numbers above `Int64.max` are refused.
  public static var propertyType: PropertyType { .uint }
}

extension UInt8: StorableValue, ObjectIDValue {
  /// `UInt8`.
  public static var propertyType: PropertyType { .uint8 }
}

extension UInt16: StorableValue, ObjectIDValue {
  /// `UInt16`.
  public static var propertyType: PropertyType { .uint16 }
}

extension UInt32: StorableValue, ObjectIDValue {
  /// `UInt32`.
  public static var propertyType: PropertyType { .uint32 }
}

extension UInt64: StorableValue, ObjectIDValue {
  /// `UInt64`; numbers above `Int64.max` are refused.
  public static var propertyType: PropertyType { .uint64 }
}
