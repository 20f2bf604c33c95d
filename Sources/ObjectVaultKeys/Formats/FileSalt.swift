/// The 16 bytes at the start of an encrypted file, which are not secret.
package struct FileSalt: Hashable, Sendable {
  /// The number of bytes of a salt.
  package static let count = 16
  /// The 16 bytes.
  package let bytes: [UInt8]

  /// Creates a salt; returns `nil` unless there are 16 bytes.
  package init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == FileSalt.count else { return nil }
    self.bytes = Array(bytes)
  }

  private init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns a random salt for a new file.
  package static func random() throws(KeyError) -> FileSalt {
    FileSalt(unchecked: try RandomBytes.make(count))
  }

  /// Returns the salt of the HMAC key: every byte combined with a mask, as SQLCipher defines it.
  func ofSeals(mask: UInt8) -> FileSalt {
    FileSalt(unchecked: bytes.map { $0 ^ mask })
  }
}
