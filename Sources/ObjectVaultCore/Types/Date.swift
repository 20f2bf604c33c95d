public import Foundation
public import ObjectVaultCondition
public import ObjectVaultEngine

extension Date: StorableValue {
  /// `Date`.
  public static var propertyType: PropertyType { .date }

  /// Reads seconds since 1970-01-01 00:00 UTC.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where the column holds no number.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Date {
    let seconds = row.real(at: position)
    if seconds == 0 {
      let found = row.storageClass(at: position)
      if found != StorageClass.real, found != StorageClass.integer {
        throw VaultError.wrongStorageClass(in: row, at: position, reading: Date.self)
      }
    }
    return Date(timeIntervalSince1970: seconds)
  }

  /// Binds seconds since 1970-01-01 00:00 UTC, rounded to the microsecond.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` for a date that is not a number.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    let seconds = storedSeconds
    if seconds.isNaN { throw VaultError.notANumber(Date.self) }
    binder.bind(real: seconds, at: position)
  }

  /// A real number: seconds since 1970-01-01 00:00 UTC, rounded to the microsecond.
  ///
  /// - Throws: as ``bind(to:at:)``.
  public var storedValue: StoredValue {
    get throws {
      let seconds = storedSeconds
      if seconds.isNaN { throw VaultError.notANumber(Date.self) }
      return .real(seconds)
    }
  }

  /// Seconds since 1970 as the file keeps them. A date that was read stores as what it was read
  /// from.
  @inlinable
  package var storedSeconds: Double { StoredDate.rounded(timeIntervalSince1970) }
}
