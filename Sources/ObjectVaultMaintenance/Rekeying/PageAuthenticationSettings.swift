import ObjectVaultDriver
import ObjectVaultKeys

/// The page authentication settings of a file, if they differ from the defaults of its cipher
/// format.
///
/// A setting that is `nil` is detected by trying the values of SQLCipher releases and betas. The
/// absence of authentication codes is never detected; it must be named.
///
/// ```swift
/// var settings = PageAuthenticationSettings()
/// settings.isOff = true
/// let file = try DatabaseFile(at: "old.db", key: key, pageAuthentication: settings)
/// ```
public struct PageAuthenticationSettings: Sendable, Hashable {
  /// The byte order of page numbers in authentication codes.
  public enum ByteOrder: Sendable, Hashable, CaseIterable {
    /// `cipher_hmac_pgno = le`, the default.
    case littleEndian
    /// `cipher_hmac_pgno = be`.
    case bigEndian
  }

  /// Whether the pages carry no authentication codes (`cipher_use_hmac = OFF`).
  ///
  /// The default is `false`.
  public var isOff = false
  /// The byte order of page numbers (`cipher_hmac_pgno`).
  public var pageNumberOrder: ByteOrder?
  /// The mask of the salt (`cipher_hmac_salt_mask`).
  public var saltMask: UInt8?
  /// The rounds that derive the key of the authentication codes (`fast_kdf_iter`).
  public var rounds: Int?

  /// Creates settings that are all detected.
  public init() {}

  var named: NamedCipherSettings {
    get throws {
      if let rounds, !(1...Int(Int32.max)).contains(rounds) {
        throw VaultError(
          .invalidArgument,
          "\(rounds) is not a number of rounds of page authentication. Use a number from 1 to "
            + "\(Int32.max).")
      }
      var named = NamedCipherSettings()
      named.isUnauthenticated = isOff
      named.pageNumberOrder = pageNumberOrder.map {
        $0 == .bigEndian ? .bigEndian : .littleEndian
      }
      named.saltMask = saltMask
      named.authenticationRounds = rounds
      return named
    }
  }
}
