/// A private key that opens the keyring slots of its ``recipient``.
///
/// ```swift
/// let identity = try KeyringIdentity.generate()
/// let text = identity.text()          // store it where only its owner can read it
/// let recipient = identity.recipient  // send it to the person who manages the keyring
/// ```
///
/// A file of an identity contains one line with its text. Empty lines and lines that begin with `#`
/// are ignored.
public struct KeyringIdentity: Sendable {
  /// The prefix of the text, which is written in upper case.
  private static let prefix = "ovidentity"

  /// The X25519 private key: 32 bytes.
  let privateKey: SharedSecret
  /// The public key, which slots are created for.
  public let recipient: KeyringRecipient

  private init(privateKey: consuming Secret) throws(KeyError) {
    guard
      let recipient = KeyringRecipient(
        publicKey: try KeyAgreement.publicKey(of: privateKey))
    else { throw Self.malformed("it is incomplete") }
    self.recipient = recipient
    self.privateKey = SharedSecret(privateKey)
  }

  /// Returns a new identity from OpenSSL's generator for private values.
  ///
  /// - Returns: The identity.
  /// - Throws: ``KeyError``: `.cryptography` if OpenSSL fails.
  public static func generate() throws(KeyError) -> KeyringIdentity {
    try KeyringIdentity(privateKey: try Secret.random(count: KeyAgreement.keyCount))
  }

  /// Creates an identity from its text, or from the content of an identity file.
  ///
  /// - Parameter text: Text with one line that begins with `OVIDENTITY1`.
  /// - Throws: ``KeyError``: `.noKey` if the text is empty, `.invalidKey` if it has no identity,
  ///   several of them, or a typing error.
  public init(text: borrowing Secret) throws(KeyError) {
    try text.checkProcess()
    var line: Range<Int>?
    var count = 0
    text.withUnsafeBytes { text in
      for candidate in text.indices.split(whereSeparator: { text[$0] == 0x0A }) {
        let first = text[candidate].first { ![0x20, 0x09, 0x0D].contains($0) }
        guard let first, first != UInt8(ascii: "#") else { continue }
        line = candidate.startIndex..<candidate.endIndex
        count += 1
      }
    }
    guard let line else {
      throw KeyError(.noKey, "The identity is empty. Create one with 'keys generate'.")
    }
    guard count == 1 else { throw Self.malformed("it has several lines") }
    let typed = text.withUnsafeBytes { Secret(copying: $0[line]) }
    guard let bytes = Bech32.bytes(of: typed.withoutSpace(), prefix: Self.prefix) else {
      throw Self.malformed("it is incomplete, or has a typing error")
    }
    try self.init(privateKey: bytes)
  }

  /// Creates an identity by reading a file to which only the owner has access (mode 0600).
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: ``KeyError``: `.keySourceUnreadable`, and the errors of ``init(text:)``.
  public init(contentsOf path: String) throws(KeyError) {
    try self.init(text: try KeySource.file(path).bytes())
  }

  /// Returns the text of the identity, which is secret.
  ///
  /// - Returns: 69 characters that begin with `OVIDENTITY1`.
  public func text() -> Secret {
    var text = privateKey.withSecret { Bech32.text(prefix: Self.prefix, of: $0) }
    text.withUnsafeMutableBytes { text in
      for index in text.indices where (0x61...0x7A).contains(text[index]) { text[index] -= 0x20 }
    }
    return text
  }

  private static func malformed(_ reason: String) -> KeyError {
    KeyError(
      .invalidKey,
      "The text is not an identity: \(reason). An identity is one line of 69 characters that begins "
        + "with 'OVIDENTITY1'. Check that it is the right file.")
  }
}

extension KeyringIdentity: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The constant `<secret>`.
  public var description: String { "<secret>" }
  /// The constant `<secret>`.
  public var debugDescription: String { "<secret>" }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
