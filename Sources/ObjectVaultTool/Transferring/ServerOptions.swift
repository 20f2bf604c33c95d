internal import ArgumentParser
import Foundation
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

  /// Returns whether an address contains a password: as a parameter, or after the user of a URL.
  static func hasPassword(_ address: String) -> Bool {
    // The names of parameters can be encoded in a URL.
    for text in [address, address.removingPercentEncoding ?? address]
    where text.contains(/password\s*=/.ignoresCase()) { return true }
    guard let start = address.firstRange(of: "://")?.upperBound else { return false }
    func isAfterUser(_ text: Substring) -> Bool {
      text.lastIndex(of: "@").map { text[..<$0].contains(":") } ?? false
    }
    // The client library ends the user and the password at the first '@' before a '/'. A password
    // with '/' must be encoded, but its owner may not know that.
    let rest = address[start...]
    let parameters = rest.firstRange(of: /\?\w+=[^&]*(&\w+=[^&]*)*$/)
    return isAfterUser(rest.prefix { $0 != "/" })
      || isAfterUser(rest[..<(parameters?.lowerBound ?? rest.endIndex)])
  }

  /// Returns a handle on the shared vault; replaces this program by the one that contains the
  /// client if it does not.
  ///
  /// - Parameter mustExist: Whether the schema must exist. Otherwise it is created if needed.
  /// - Returns: The handle.
  /// - Throws: ``ToolError`` if the other program is missing; ``VaultError`` for an invalid address.
  func open(mustExist: Bool) throws -> any Database {
    guard let open = Tool.sharedVault else { try CompanionProgram.server.replaceThisOne() }
    return try open(
      SharedVaultPlace(
        address: address, schema: schema, isUnprotected: unprotected, mustExist: mustExist))
  }
}
