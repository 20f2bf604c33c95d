internal import ObjectVaultPrimitives

/// An error from reading a key or from opening a file with it.
///
/// ``code`` is for programs and ``message`` for people. The message names the failure, its subject
/// and the remedy. It never contains key material or a part of it.
///
/// A vault throws ``VaultError`` with this error as its `underlying` error. Create one to throw it
/// from a ``KeyProvider``.
public struct KeyError: Error, Sendable {
  /// A kind of failure; later versions of the library can add more.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The key is missing or empty.
    case noKey
    /// The key is malformed: wrong length, not hexadecimal, or too long.
    case invalidKey
    /// The page size is not one of SQLite's, or the number of rounds is not possible.
    case invalidSetting
    /// The source of the key (file, environment, descriptor or closure) could not be read.
    case keySourceUnreadable
    /// The file is empty.
    case empty
    /// The file ends before its last page.
    case truncated
    /// The file is an unencrypted SQLite database.
    case notEncrypted
    /// The key authenticates no page of the file.
    case wrongKey
    /// The key opens the file, but its pages have no authentication codes and the caller does not
    /// allow that.
    case unauthenticated
    /// The key decrypts the file, but the caller does not accept its cipher settings.
    case unsupportedSettings
    /// The raw key opens the file, but the salt given with it is not that of the file.
    case saltMismatch
    /// The key is correct, but the salt or page 1 of the file is damaged.
    case damaged
    /// The vault uses a keyring, and the keyring file next to it is missing.
    case keyringMissing
    /// The keyring cannot be read: truncated, edited by hand, or not a keyring.
    case keyringMalformed
    /// The keyring was written by a newer version of the library.
    case keyringNewer
    /// A slot opens, but the keyring is not as its owner wrote it.
    case keyringTampered
    /// The keyring is older than the one that the vault was last used with.
    case keyringRolledBack
    /// Another process changed or created the keyring in the meantime.
    case keyringChanged
    /// The keyring could not be read from the disk or written to it.
    case keyringUnwritable
    /// The keyring belongs to another vault.
    case keyringMismatch
    /// The keyring has no slot with that name.
    case noSuchSlot
    /// A slot with that name exists, or the operation would leave the keyring without a slot.
    case slotRefused
    /// A recovery code has a typing error.
    case recoveryCodeMistyped
    /// The provider of a slot, a program or a service, does not exist on this computer.
    case providerMissing
    /// The provider of a slot needs to be unlocked, connected or confirmed by a person first.
    case providerLocked
    /// The provider of a slot failed, or its answer is invalid.
    case providerFailed
    /// The operation was cancelled before the key was resolved.
    case cancelled
    /// The key was created before this process was forked; its bytes are not in the child.
    case madeBeforeFork
    /// The cryptographic library rejected an operation that every build offers, or returned no
    /// random bytes.
    case cryptography
  }

  /// The kind of failure.
  public var code: Code
  /// The failure, its subject and the remedy, in sentences for people.
  public var message: String
  /// Further causes to check, in separate sentences.
  public var detail: String?
  /// The operating system's error number, if the system caused the failure.
  public var systemError: Int32?
  /// The error of a closure or a provider that supplies keys.
  public var underlying: (any Error)?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - message: The failure, its subject and the remedy. It must contain no key.
  ///   - detail: Further causes to check.
  ///   - systemError: The operating system's error number.
  ///   - underlying: The error that caused this one.
  public init(
    _ code: Code, _ message: String, detail: String? = nil, systemError: Int32? = nil,
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.detail = detail
    self.systemError = systemError
    self.underlying = underlying
  }
}

extension KeyError {
  /// Returns the error for an operation that the cryptographic library rejected.
  ///
  /// - Parameter operation: The operation, such as `compute SHA-256`.
  /// - Returns: The error.
  static func cryptography(_ operation: String) -> KeyError {
    KeyError(
      .cryptography, "\(Cryptography.name) cannot \(operation). Check its configuration.")
  }

  /// The error for a generator that returned nothing.
  static var noRandomBytes: KeyError {
    KeyError(
      .cryptography,
      "\(Cryptography.name) did not return random bytes. Check that the system's random generator "
        + "works.")
  }

  /// The error for a key that was created before a fork and is used in the child.
  static var madeBeforeFork: KeyError {
    KeyError(
      .madeBeforeFork,
      "The key was created before this process was forked, and a child process does not inherit "
        + "the bytes of keys. Create the key again in this process.")
  }
}

extension KeyError {
  /// Whether the error says that a provider did not answer, and not that a key is wrong.
  var isOfProvider: Bool {
    code == .providerMissing || code == .providerLocked || code == .providerFailed
  }
}

extension KeyError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
