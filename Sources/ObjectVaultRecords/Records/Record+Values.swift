public import Foundation
public import ObjectVaultCore

// Conversions between objects and dictionaries of values or JSON: see `ObjectStore`. They store
// nothing.

extension Record {
  /// Returns an object with the given values without storing it.
  ///
  /// ```swift
  /// var ann = try Student.object(from: ["name": "Ann", "age": 7])
  /// try ann.save()
  /// ```
  ///
  /// - Parameters:
  ///   - values: The values, keyed by property name.
  ///   - ignoringUnknown: Whether unknown property names are ignored. By default they are errors.
  /// - Returns: The object, which is not stored.
  /// - Throws: ``VaultError``: `.noSuchVault` if the class is not registered with a vault;
  ///   otherwise the errors of `ObjectStore.object(from:ignoringUnknown:)`.
  public static func object(
    from values: [String: Any?], ignoringUnknown: Bool = false
  ) throws -> Self {
    try store().object(from: values, ignoringUnknown: ignoringUnknown)
  }

  /// Returns an object with the values of a JSON object without storing it.
  ///
  /// - Parameters:
  ///   - json: The text of one JSON object, in UTF-8.
  ///   - ignoringUnknown: Whether unknown members are ignored. By default they are errors.
  /// - Returns: The object, which is not stored.
  /// - Throws: ``VaultError``: `.noSuchVault` if the class is not registered with a vault;
  ///   otherwise the errors of `ObjectStore.object(fromJSON:ignoringUnknown:)`.
  public static func object(fromJSON json: Data, ignoringUnknown: Bool = false) throws -> Self {
    try store().object(fromJSON: json, ignoringUnknown: ignoringUnknown)
  }

  /// Returns the values that would be stored for the object, keyed by property name.
  ///
  /// - Throws: ``VaultError``: `.noSuchVault` if the class is not registered with a vault;
  ///   otherwise the errors of `ObjectStore.values(of:)`.
  public func values() throws -> [String: StoredValue] { try Self.store().values(of: self) }

  /// Returns the object as an unencrypted JSON object in one line, in UTF-8.
  ///
  /// - Throws: ``VaultError``: `.noSuchVault` if the class is not registered with a vault;
  ///   otherwise the errors of `ObjectStore.json(of:)`.
  public func json() throws -> Data { try Self.store().json(of: self) }
}
