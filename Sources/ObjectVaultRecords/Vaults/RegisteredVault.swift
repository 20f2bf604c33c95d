import Foundation
import ObjectVaultCore

/// A registered vault with its name, its classes and its state.
struct RegisteredVault: Sendable {
  let name: String
  let vault: Vault
  let classes: RecordClasses
  var isStarted = false

  /// Creates the file's folder, accessible to the owner only, unless no file may be created.
  func makeFolder() throws(VaultError) {
    let configuration = vault.configuration
    if configuration.isReadOnly || configuration.creation == .never { return }
    let folder = URL(fileURLWithPath: vault.path).deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw VaultError(
        .cannotOpen,
        "The folder of the vault '\(vault.path)' cannot be created. Check the path and the "
          + "permissions of the parent folder.",
        underlying: error)
    }
  }

  /// Opens the file and creates or updates the table of every class.
  func open() throws {
    try makeFolder()
    try vault.open()
    for type in classes.types { try Self.makeTable(of: type, in: vault) }
  }

  private static func makeTable<T: Record>(of type: T.Type, in vault: Vault) throws {
    _ = try vault.store(of: T.self)
  }

  /// Opens the file and creates or updates the tables without blocking the caller's thread.
  func open() async throws {
    try makeFolder()
    try await vault.open()
    for type in classes.types { try await Self.makeTable(of: type, in: vault) }
  }

  private static func makeTable<T: Record>(of type: T.Type, in vault: Vault) async throws {
    _ = try await vault.store(of: T.self)
  }
}

/// The classes that are registered with one vault.
struct RecordClasses: Sendable {
  let types: [any Record.Type]

  func contains(_ type: any Record.Type) -> Bool { types.contains { $0 == type } }
}
