internal import ArgumentParser
import ObjectVaultCore

/// The form of the first bytes of a new file.
struct HeaderOption: ParsableArguments, Sendable {
  @Flag(
    help: """
      Leave SQLite's header in plaintext, for a vault in a shared container of iOS. Requires a \
      keyring and SQLCipher 4.
      """)
  var plaintextHeader = false

  var header: FileHeader { plaintextHeader ? .plaintext : .encrypted }
}

/// The form that the first bytes of a file get.
enum HeaderChange: String, EnumerableFlag, Sendable {
  case plaintextHeader, encryptedHeader

  var header: FileHeader { self == .plaintextHeader ? .plaintext : .encrypted }

  static func help(for value: HeaderChange) -> ArgumentHelp? {
    switch value {
    case .plaintextHeader:
      "Write SQLite's header in plaintext; requires a keyring and SQLCipher 4."
    case .encryptedHeader: "Encrypt SQLite's header, and store the salt in the file."
    }
  }
}
