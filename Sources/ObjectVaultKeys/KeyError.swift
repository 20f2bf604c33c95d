/// Why a key could not be had, or why it does not fit the file.
///
/// ``code`` is for programs, ``message`` for people: it says what happened, to what, and how to
/// mend it. It never holds key material, in no form and no part.
package struct KeyError: Error, Sendable {
  /// A kind of failure.
  package enum Code: String, Sendable, Hashable, CaseIterable {
    /// No key was given, or an empty one.
    case noKey
    /// The key given is not of a form that can be a key: wrong length, not hexadecimal, too long.
    case invalidKey
    /// A page size that SQLite does not have, or a number of rounds that no derivation has.
    case invalidSetting
    /// The key's source (file, environment, descriptor, closure) could not be read.
    case keySourceUnreadable
    /// The file has no content.
    case empty
    /// The file ends before its last page.
    case truncated
    /// The file is a plain SQLite database.
    case notEncrypted
    /// No page of the file answers to the key.
    case wrongKey
    /// The key opens the file, whose pages carry no authentication codes, and the caller did not name that.
    case unauthenticated
    /// The key decrypts the file, whose cipher settings are none that the caller accepts.
    case unsupportedSettings
    /// The raw key opens the file, but the salt given with it is not the file's.
    case saltMismatch
    /// The key is right; the salt or page 1 of the file is damaged.
    case damaged
    /// The vault has a keyring, and there is none beside it.
    case keyringMissing
    /// The keyring cannot be read: cut short, changed by hand, or not a keyring.
    case keyringMalformed
    /// A newer version of the library wrote the keyring.
    case keyringNewer
    /// A slot opens, but the keyring is not as its holder wrote it.
    case keyringTampered
    /// The keyring is older than the one that the vault was last used with.
    case keyringRolledBack
    /// Another process changed the keyring in the meantime, or there is one already.
    case keyringChanged
    /// The keyring could not be read from the disk or written to it.
    case keyringUnwritable
    /// The keyring belongs to another vault.
    case keyringMismatch
    /// The keyring has no slot of that name.
    case noSuchSlot
    /// A slot of that name exists, or what is asked for would leave a keyring without a slot.
    case slotRefused
    /// A recovery code has a typing error.
    case recoveryCodeMistyped
    /// The key was made before this process was forked, and its bytes are not in the child.
    case madeBeforeFork
    /// OpenSSL refused an operation that every build of it offers, or gave no random bytes.
    case cryptography
  }

  package var code: Code
  package var message: String
  /// Further causes to check, in sentences of their own.
  package var detail: String?
  /// The operating system's error number, where one was the cause.
  package var systemError: Int32?
  /// What a closure that supplies keys threw.
  package var underlying: (any Error)?

  package init(
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
  /// A key made before a fork is used in the child.
  static var madeBeforeFork: KeyError {
    KeyError(
      .madeBeforeFork,
      "the key was made before this process was forked, and a forked process does not get the bytes "
        + "of keys; make the key again in this process")
  }
}

extension KeyError: CustomStringConvertible {
  package var description: String { message }
}
