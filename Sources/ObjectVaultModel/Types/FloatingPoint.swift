public import Foundation
public import ObjectVaultCondition
public import ObjectVaultDriver

// Stored as REAL. SQLite has no NaN (it would store NULL) and stores -0.0 as 0.0 in some columns
// only. NaN is therefore rejected, and -0.0 is normalized before it is bound.
extension Double: StorableValue {
  /// The property type `Double`.
  public static var propertyType: PropertyType { .double }

  /// Returns the number in a column.
  ///
  /// To be fast, the storage class is examined only if SQLite returns 0: from a text that begins with
  /// another number, that number is read.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the column does not contain a number.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Double {
    let stored = row.real(at: position)
    if stored == 0 {
      let found = row.storageClass(at: position)
      if found != StorageCode.real, found != StorageCode.integer {
        throw VaultError.wrongStorageClass(in: row, at: position, reading: Double.self)
      }
    }
    return stored
  }

  /// Binds the number, with -0.0 as 0.0.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` for NaN.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    if isNaN { throw VaultError.notANumber(Double.self) }
    binder.bind(real: self + 0.0, at: position)
  }

  /// The number as a real number.
  ///
  /// - Throws: The errors of ``bind(to:at:)``.
  public var storedValue: StoredValue {
    get throws {
      if isNaN { throw VaultError.notANumber(Double.self) }
      return .real(self + 0.0)
    }
  }
}

extension Float: StorableValue {
  /// The property type `Float`.
  public static var propertyType: PropertyType { .float }

  /// Returns the number in a column, which is exact if it was stored as a `Float`.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the column does not contain a number, or
  ///   if it exceeds the type's range.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Float {
    let stored = try Double.read(from: row, at: position)
    let value = Float(stored)
    if value.isInfinite, stored.isFinite {
      throw VaultError.unreadable("a number out of range", at: position, reading: Float.self)
    }
    return value
  }

  /// Binds the number, with -0.0 as 0.0.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` for NaN.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    if isNaN { throw VaultError.notANumber(Float.self) }
    binder.bind(real: Double(self) + 0.0, at: position)
  }

  /// The number as a real number.
  ///
  /// - Throws: The errors of ``bind(to:at:)``.
  public var storedValue: StoredValue {
    get throws {
      if isNaN { throw VaultError.notANumber(Float.self) }
      return .real(Double(self) + 0.0)
    }
  }
}

extension CGFloat: StorableValue {
  /// The property type `Double`, the representation of `CGFloat` on all supported platforms.
  public static var propertyType: PropertyType { .double }

  /// Returns the number in a column, as for `Double`.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> CGFloat {
    CGFloat(try Double.read(from: row, at: position))
  }

  /// Binds the number, as for `Double`.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    try Double(self).bind(to: binder, at: position)
  }

  /// The number as a real number.
  public var storedValue: StoredValue { get throws { try Double(self).storedValue } }
}

extension VaultError {
  @usableFromInline @inline(never)
  static func notANumber<T>(_ type: T.Type) -> Self {
    .unstorable(
      "NaN", of: type,
      remedy: "SQLite has no such value. Declare the property optional and use nil.")
  }
}
