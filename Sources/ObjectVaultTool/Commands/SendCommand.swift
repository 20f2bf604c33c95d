internal import ArgumentParser
import ObjectVaultCore
import ObjectVaultTerminal

struct SendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send",
    abstract: "Copy all objects of a vault to a PostgreSQL server.",
    discussion: """
      Programs then open the same classes with SharedVault. The objects keep their object IDs and \
      their order, and sealed values stay encrypted. The vault is read in one snapshot and does not \
      change. All other values are readable for the server.

      If the work is interrupted, run it again: objects that the server already has are compared \
      with those of the vault, and the rest follows. The tables of other classes in the schema are \
      left alone. At the end of each class, digests of both copies are compared.

      A class with a full-text index, a shared blob or a history cannot be sent: a server does \
      not support it.

      The connection uses TLS with a verified certificate, unless the address is a socket. The \
      program 'objectvault-server', which contains the client of PostgreSQL, is searched next to \
      this one and on PATH.
      """)

  @OptionGroup var options: VaultOptions

  @OptionGroup(title: "Server") var server: ServerOptions

  @OptionGroup var progress: ProgressOptions

  func run() throws {
    let shared = try server.open(mustExist: false)
    let vault = try options.open(for: .reading)
    defer { vault.close() }
    try ObjectTransfer(from: vault, to: shared).run("sending", progress.reporter)
  }
}
