/// A data key and the file that it encrypts; each rotation creates an epoch.
package struct KeyringEpoch: Sendable, Hashable {
  /// The state of an epoch.
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// The file is encrypted with the key of the epoch.
    case current
    /// A file with the key of the epoch is being written, or has just replaced the old one.
    case pending
    /// Files with the key of the epoch are older copies.
    case retired
  }

  /// The identifier: 16 random bytes that never change.
  package let id: [UInt8]
  /// The data key, wrapped with a key derived from the master key.
  package let wrapped: WrappedKey
  /// The salt of the epoch's file, which identifies the epoch that opens a file.
  package let salt: FileSalt
  package let format: CipherFormat
  package let pageSize: Int
  /// The form of the first bytes of the epoch's file.
  ///
  /// The file does not contain the salt if they are in plaintext.
  package let header: FileHeader
  package var state: State

  /// The lowest version of a document that can have the epoch.
  var documentVersion: UInt32 { header == .plaintext ? 2 : 1 }
}

extension KeyringEpoch {
  /// Creates an epoch that wraps a data key of 32 bytes.
  init(
    wrapping dataKey: borrowing Secret, under master: borrowing Secret, salt: FileSalt,
    format: CipherFormat, pageSize: Int, header: FileHeader, state: State, vaultID: [UInt8],
    id: [UInt8]? = nil
  ) throws(KeyError) {
    let id = if let id { id } else { try RandomBytes.make(16) }
    self.init(
      id: id,
      wrapped: try WrappedKey(
        wrapping: dataKey, under: try Self.wrappingKey(master),
        context: Self.context(
          id: id, salt: salt, format: format, pageSize: pageSize, header: header,
          vaultID: vaultID)),
      salt: salt, format: format, pageSize: pageSize, header: header, state: state)
  }

  /// Returns the data key, or `nil` if the master key is wrong or a bit was changed.
  func dataKey(under master: borrowing Secret, vaultID: [UInt8]) throws(KeyError) -> Secret? {
    try wrapped.unwrapped(
      under: try Self.wrappingKey(master),
      context: Self.context(
        id: id, salt: salt, format: format, pageSize: pageSize, header: header, vaultID: vaultID))
  }

  /// Returns a separate key for wrapping, because the master key also authenticates the keyring.
  private static func wrappingKey(_ master: borrowing Secret) throws(KeyError) -> Secret {
    try KeyDerivation.hkdf(master, purpose: "objectvault epoch v1")
  }

  private static func context(
    id: [UInt8], salt: FileSalt, format: CipherFormat, pageSize: Int, header: FileHeader,
    vaultID: [UInt8]
  ) -> [UInt8] {
    var context = LengthPrefixed("OVEP")
    context.append(UInt32(header == .plaintext ? 2 : 1))
    context.append(vaultID)
    context.append(id)
    context.append(salt.bytes)
    context.append(UInt32(format.rawValue))
    context.append(UInt32(pageSize))
    if header == .plaintext { context.append(UInt32(header.count)) }
    return context.bytes
  }

  /// Appends the epoch to the bytes that the code of the keyring covers.
  func append(to bytes: inout LengthPrefixed) {
    bytes.append(id)
    bytes.append(wrapped.nonce)
    bytes.append(wrapped.sealed)
    bytes.append(salt.bytes)
    bytes.append(UInt32(format.rawValue))
    bytes.append(UInt32(pageSize))
    bytes.append(state.rawValue)
    if header == .plaintext { bytes.append(UInt32(header.count)) }
  }
}
