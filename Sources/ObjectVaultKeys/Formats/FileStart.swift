/// The first bytes of a file, by which its keyring is compared with it without a key.
package enum FileStart: Hashable, Sendable {
  /// The salt of an encrypted file. The first bytes of an unencrypted file are no epoch's salt.
  case salt(FileSalt)
  /// A plaintext header: the file is encrypted, and its salt is in its keyring.
  case plaintextHeader

  /// The number of bytes that show whether a file has a plaintext header.
  package static let count = 92

  /// Creates the start of a file; returns `nil` if there are fewer than 16 bytes.
  ///
  /// - Parameter bytes: The first bytes of the file, ``count`` or more unless it is shorter.
  package init?(_ bytes: some Collection<UInt8>) {
    if CipherFormat.hasPlaintextHeader(bytes) {
      self = .plaintextHeader
    } else if let salt = FileSalt(bytes.prefix(FileSalt.count)) {
      self = .salt(salt)
    } else {
      return nil
    }
  }
}
