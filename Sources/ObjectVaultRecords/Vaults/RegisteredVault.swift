import Foundation
import ObjectVaultCore

/// A vault as it is registered: its name, its classes, and whether it was started.
struct RegisteredVault: Sendable {
  let name: String
  let vault: Vault
  let classes: RecordClasses
  var isStarted = false

  /// Makes the folder of the file, which holds private things, unless nothing may be made.
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
        "The folder of the vault '\(vault.path)' cannot be made. Check the path, and the rights of "
          + "the folder that it is to be in.", underlying: error)
    }
  }

  /// Opens the file and brings the table of every class to its form.
  func open() throws {
    try makeFolder()
    try vault.open()
    for type in classes.types { try Self.makeTable(of: type, in: vault) }
  }

  private static func makeTable<T: Record>(of type: T.Type, in vault: Vault) throws {
    _ = try vault.store(of: T.self)
  }

  /// Opens the file and brings the tables to their forms without blocking the caller's thread.
  func open() async throws {
    try makeFolder()
    try await vault.open()
    for type in classes.types { try await Self.makeTable(of: type, in: vault) }
  }

  private static func makeTable<T: Record>(of type: T.Type, in vault: Vault) async throws {
    _ = try await vault.store(of: T.self)
  }
}

/// Classes of records.
struct RecordClasses: Sendable {
  let types: [any Record.Type]

  func contains(_ type: any Record.Type) -> Bool { types.contains { $0 == type } }
}
