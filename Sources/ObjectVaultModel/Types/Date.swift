public import Foundation
public import ObjectVaultCondition
public import ObjectVaultDriver

extension Date: StorableValue {
  /// The property type `Date`.
  public static var propertyType: PropertyType { .date }

  /// Returns a date from the seconds since 1970-01-01 00:00 UTC.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the column does not contain a number.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> Date {
    // SQLite would return the year of a date that is written as text.
    let found = row.storageClass(at: position)
    guard found == StorageCode.real || found == StorageCode.integer else {
      throw VaultError.wrongStorageClass(in: row, at: position, reading: Date.self)
    }
    return Date(timeIntervalSince1970: row.real(at: position))
  }

  /// Binds the seconds since 1970-01-01 00:00 UTC, rounded to microseconds.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` for a date that is NaN.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    let seconds = storedSeconds
    if seconds.isNaN { throw VaultError.notANumber(Date.self) }
    binder.bind(real: seconds, at: position)
  }

  /// The seconds since 1970-01-01 00:00 UTC as a real number, rounded to microseconds.
  ///
  /// - Throws: The errors of ``bind(to:at:)``.
  public var storedValue: StoredValue {
    get throws {
      let seconds = storedSeconds
      if seconds.isNaN { throw VaultError.notANumber(Date.self) }
      return .real(seconds)
    }
  }

  /// The stored number of seconds since 1970, which is stable when a date is read and stored again.
  @inlinable
  package var storedSeconds: Double { StoredDate.rounded(timeIntervalSince1970) }
}
