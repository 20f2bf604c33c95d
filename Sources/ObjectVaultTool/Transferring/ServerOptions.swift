internal import ArgumentParser
import ObjectVaultCore

/// The shared vault of a subcommand.
struct ServerOptions: ParsableArguments, Sendable {
  @Argument(
    help: ArgumentHelp(
      "The address of the database on a PostgreSQL server, such as "
        + "postgresql://app@db.example/registry."))
  var address: String

  @Option(help: ArgumentHelp("The schema with the tables.", valueName: "name"))
  var schema = "public"

  @Flag(help: "Accept a connection without TLS, or with a certificate that is not verified.")
  var unprotected = false

  func validate() throws {
    guard !Self.hasPassword(address) else {
      throw ValidationError(
        "The address contains a password, which other users of this computer can read. Put it into "
          + "~/.pgpass or a file named by PGPASSFILE.")
    }
  }

  /// Returns whether an address contains a password: as the keyword, or after the user of a URL.
  static func hasPassword(_ address: String) -> Bool {
    if address.lowercased().contains("password") { return true }
    let parts = address.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return false }
    // A password can contain every character, also '/'.
    guard let end = parts[1].lastIndex(of: "@") else { return false }
    return parts[1][..<end].contains(":")
  }

  /// Returns a handle on the shared vault; replaces this program by the one that contains the
  /// client if it does not.
  ///
  /// - Throws: ``ToolError`` if the other program is missing; ``VaultError`` for an invalid address.
  func open() throws -> any Database {
    guard let open = Tool.sharedVault else { try CompanionProgram.server.replaceThisOne() }
    return try open(
      SharedVaultPlace(address: address, schema: schema, isUnprotected: unprotected))
  }
}
