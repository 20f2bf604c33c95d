internal import ArgumentParser
import ObjectVaultCore
import ObjectVaultTerminal

struct ReceiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "receive",
    abstract: "Copy all objects from a PostgreSQL server to a vault.",
    discussion: """
      The opposite of 'send': the vault, which must exist ('objectvault create'), gets the classes \
      and objects of a shared vault, with their object IDs and their order. The server is read in \
      one snapshot and does not change. Sealed values stay encrypted under the same sealing keys, \
      so the programs that use the vault need them.

      If the work is interrupted, run it again: objects that the vault already has are compared \
      with those of the server, and the rest follows. Other classes of the vault are left alone.
      """)

  @OptionGroup var options: VaultOptions

  @OptionGroup(title: "Server") var server: ServerOptions

  @OptionGroup var progress: ProgressOptions

  func run() throws {
    let shared = try server.open(mustExist: true)
    let vault = try options.open(for: .writing)
    defer { vault.close() }
    try ObjectTransfer(from: shared, to: vault).run("receiving", progress.reporter)
  }
}
