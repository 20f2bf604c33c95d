public import Foundation
public import ObjectVaultCondition
public import ObjectVaultEngine

extension UUID: StorableValue, ObjectIDValue {
  /// `UUID`.
  public static var propertyType: PropertyType { .uuid }

  /// Reads text in the form of RFC 9562, in upper or lower case.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` where the column holds other text or none.
  @inlinable
  public static func read(from row: Row, at position: Int) throws -> UUID {
    guard let text = row.text(at: position) else {
      throw VaultError.wrongStorageClass(in: row, at: position, reading: UUID.self)
    }
    guard let value = UUID(uuidString: text) else {
      throw VaultError.unreadable("other text", at: position, reading: UUID.self)
    }
    return value
  }

  /// Binds upper-case text.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    binder.bind(text: uuidString, at: position)
  }

  /// Upper-case text.
  public var storedValue: StoredValue { .text(uuidString) }
}
