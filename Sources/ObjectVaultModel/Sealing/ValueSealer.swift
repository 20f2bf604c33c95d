package import ObjectVaultCondition

/// The encryption of a vault's sealed values.
package protocol ValueSealer: Sendable {
  /// The code of each key in hexadecimal digits, by the number of the key.
  ///
  /// - Throws: `VaultError` if the cryptographic library fails.
  func codes() throws -> [(number: UInt32, code: String)]

  /// Encrypts a value for a column of an object.
  ///
  /// - Parameters:
  ///   - value: The encoded value.
  ///   - column: The column.
  ///   - objectID: The encoded parts of the object ID.
  /// - Returns: The sealed value.
  /// - Throws: `VaultError` if the cryptographic library fails.
  func sealed(
    _ value: [UInt8], in column: SealedColumn, of objectID: [[UInt8]]
  ) throws -> [UInt8]

  /// Decrypts the value in a column of an object.
  ///
  /// - Returns: The encoded value.
  /// - Throws: `VaultError`: `.wrongKey` if its key is missing; `.damaged` if the bytes were not
  ///   sealed for this column of this object.
  func opened(
    _ sealed: [UInt8], in column: SealedColumn, of objectID: [[UInt8]]
  ) throws -> [UInt8]

  /// Returns the index of an encoded value in a findable column.
  ///
  /// - Throws: `VaultError` if the cryptographic library fails.
  func index(of value: [UInt8], in column: SealedColumn) throws -> [UInt8]

  /// The identifier of the store with the erasable keys.
  ///
  /// - Throws: `VaultError`: `.noKey` if the configuration has no erasable keys; the errors of
  ///   opening their store.
  func erasableKeysID() throws -> String

  /// Returns the encryption of the values that also need an erasable key.
  ///
  /// - Parameters:
  ///   - name: The name of the key.
  ///   - column: A column of such values, for errors.
  ///   - making: Whether a key is made if there is none.
  /// - Returns: The encryption; `nil` if the key was destroyed.
  /// - Throws: `VaultError`: `.noKey` if the configuration has no erasable keys; `.wrongKey` if the
  ///   key is missing and must not be made; the errors of reading and writing their store.
  func erasable(
    _ name: String, in column: SealedColumn, making: Bool
  ) throws -> (any ValueSealer)?
}
