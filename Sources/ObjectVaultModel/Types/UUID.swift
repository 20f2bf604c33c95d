public import Foundation
public import ObjectVaultCondition
public import ObjectVaultDriver

extension UUID: StorableValue, ObjectIDValue {
  /// The property type `UUID`.
  public static var propertyType: PropertyType { .uuid }

  /// Returns a UUID from text in the format of RFC 9562, in upper or lower case.
  ///
  /// - Throws: ``VaultError`` with code `.invalidValue` if the column contains anything else.
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

  /// Binds the UUID as upper-case text.
  @inlinable
  public func bind(to binder: Binder, at position: Int) throws {
    binder.bind(text: uuidString, at: position)
  }

  /// The UUID as upper-case text.
  public var storedValue: StoredValue { .text(uuidString) }
}
