internal import ArgumentParser
import ObjectVaultCore
import ObjectVaultTerminal

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

extension ObjectTransfer {
  /// Transfers the objects and prints a line for each class.
  ///
  /// - Parameters:
  ///   - phase: The name of the work for progress.
  ///   - reporter: The reporter of progress.
  /// - Throws: As ``run(progress:)``.
  func run(_ phase: String, _ reporter: ProgressReporter) throws {
    defer { reporter.finish() }
    var last: Progress?
    let report = try run { progress in
      if let last, last.className != progress.className {
        reporter.endPhase((last.total, last.total))
      }
      last = progress
      reporter.update("\(phase) \(progress.className)", (progress.done, progress.total))
    }
    if let last { reporter.endPhase((last.total, last.total)) }
    reporter.finish()
    var text = ""
    for result in report.classes {
      let present = result.present > 0 ? ", \(result.present) of them were there before" : ""
      text +=
        "\(PrintableText.escaped(result.name)): \(counted(Int(result.count), "object"))\(present)\n"
    }
    try StandardOutput.shared.write(text.isEmpty ? "There are no classes.\n" : text)
  }
}
