public import Foundation
public import ObjectVaultCondition
public import ObjectVaultEngine

// Kept as REAL. SQLite has no NaN (it would store NULL) and keeps -0.0 as 0.0 in some columns
// only, so the first is refused and the second normalised before it is bound.
extension Double: StorableValue {
  /// `Double`.
  public static var propertyType: PropertyType { .double }

  /// Reads a number.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where the column holds none.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Double {
    let stored = row.real(at: position)
    if stored == 0 {
      let found = row.storageClass(at: position)
      if found != StorageClass.real, found != StorageClass.integer {
        throw VaultError.wrongStorageClass(in: row, at: position, reading: Double.self)
      }
    }
    return stored
  }

  /// Binds a number; -0.0 as 0.0.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` for NaN.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    if isNaN { throw VaultError.notANumber(Double.self) }
    binder.bind(real: self + 0.0, at: position)
  }

  /// A real number.
  ///
  /// - Throws: as ``bind(to:at:)``.
  public var storedValue: StoredValue {
    get throws {
      if isNaN { throw VaultError.notANumber(Double.self) }
      return .real(self + 0.0)
    }
  }
}

extension Float: StorableValue {
  /// `Float`.
  public static var propertyType: PropertyType { .float }

  /// Reads a number; one that a `Float` wrote comes back exactly.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where the column holds none, or one beyond
  ///   the type's range.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Float {
    let stored = try Double.read(from: row, at: position)
    let value = Float(stored)
    if value.isInfinite, stored.isFinite {
      throw VaultError.unreadable("a number out of range", at: position, reading: Float.self)
    }
    return value
  }

  /// Binds a number; -0.0 as 0.0.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` for NaN.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    if isNaN { throw VaultError.notANumber(Float.self) }
    binder.bind(real: Double(self) + 0.0, at: position)
  }

  /// A real number.
  ///
  /// - Throws: as ``bind(to:at:)``.
  public var storedValue: StoredValue {
    get throws {
      if isNaN { throw VaultError.notANumber(Float.self) }
      return .real(Double(self) + 0.0)
    }
  }
}

extension CGFloat: StorableValue {
  /// `Double`, which a `CGFloat` is on every supported platform.
  public static var propertyType: PropertyType { .double }

  /// Reads a number, as `Double` does.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> CGFloat {
    CGFloat(try Double.read(from: row, at: position))
  }

  /// Binds a number, as `Double` does.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    try Double(self).bind(to: binder, at: position)
  }

  /// A real number.
  public var storedValue: StoredValue { get throws { try Double(self).storedValue } }
}

extension VaultError {
  @usableFromInline @inline(never)
  static func notANumber<T>(_ type: T.Type) -> Self {
    .unstorable(
      "NaN", of: type, remedy: "SQLite has no such value; make the property optional and use nil.")
  }
}
