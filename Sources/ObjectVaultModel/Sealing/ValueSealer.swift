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
}
