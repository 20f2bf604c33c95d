/// The form of the first bytes of an encrypted file.
public enum FileHeader: String, Sendable, Hashable, CaseIterable {
  /// The salt of the file, in 16 bytes, and then only ciphertext.
  ///
  /// Nothing in the file shows that it is a database. This is the default.
  case encrypted
  /// The first 32 bytes of SQLite's own header, in plaintext and unauthenticated.
  ///
  /// The salt is not in the file but in its keyring (`cipher_plaintext_header_size = 32`). iOS
  /// recognises such a file in a shared container as a database with a write-ahead log, and does
  /// not terminate a suspended app that has it open.
  case plaintext

  /// The number of bytes at the start of the file that are neither encrypted nor authenticated.
  package var count: Int { self == .plaintext ? 32 : FileSalt.count }
}
