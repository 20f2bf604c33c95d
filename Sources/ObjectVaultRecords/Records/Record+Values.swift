public import Foundation
public import ObjectVaultCore

// Objects made of names and values, or of JSON, and given back as such: see `ObjectStore`. Nothing is
// stored.

extension Record {
  /// Makes an object of names and values, without storing it.
  ///
  /// ```swift
  /// var ann = try Student.object(from: ["name": "Ann", "age": 7])
  /// try ann.save()
  /// ```
  ///
  /// - Parameters:
  ///   - values: The values by the names of the properties.
  ///   - ignoringUnknown: Whether names that the class does not have are passed over. By default they
  ///     are errors.
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; otherwise as
  ///   `ObjectStore.object(from:ignoringUnknown:)`.
  public static func object(
    from values: [String: Any?], ignoringUnknown: Bool = false
  ) throws -> Self {
    try store().object(from: values, ignoringUnknown: ignoringUnknown)
  }

  /// Makes an object of a JSON object, without storing it.
  ///
  /// - Parameters:
  ///   - json: The text of one JSON object, in UTF-8.
  ///   - ignoringUnknown: Whether members that the class does not have are passed over. By default they
  ///     are errors.
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; otherwise as
  ///   `ObjectStore.object(fromJSON:ignoringUnknown:)`.
  public static func object(fromJSON json: Data, ignoringUnknown: Bool = false) throws -> Self {
    try store().object(fromJSON: json, ignoringUnknown: ignoringUnknown)
  }

  /// What would be stored of the object, by the names of the properties.
  ///
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; otherwise as `ObjectStore.values(of:)`.
  public func values() throws -> [String: StoredValue] { try Self.store().values(of: self) }

  /// The object as a JSON object in one line, in UTF-8. It is no longer encrypted.
  ///
  /// - Throws: ``VaultError``: `.noSuchVault` as every operation; otherwise as `ObjectStore.json(of:)`.
  public func json() throws -> Data { try Self.store().json(of: self) }
}
