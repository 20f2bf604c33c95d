import Logging
import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultKeys
import ObjectVaultSession

extension VaultFile {
  /// Creates a vault in memory.
  static func inMemory(_ path: String, settings: VaultConfiguration) throws -> VaultFile {
    let connection = Session(
      try Connection.inMemory(options: settings.connectionOptions(.writer)))
    try VaultFunctions.install(on: connection.engine)
    try connection.tell(HookedConnection(settings, path: path, role: .writer))
    try connection.execute("BEGIN IMMEDIATE")
    try SystemTables(connection).create(vaultID: nil)
    try connection.execute("COMMIT")
    settings.logger?.debug("opened in memory", metadata: ["path": "\(path)"])
    return VaultFile(path: path, opened: nil, settings: settings, writer: connection)
  }

  /// Returns the memory database as a source for a copy.
  ///
  /// - Throws: `.invalidArgument` inside a transaction, because its changes must not be copied.
  func memorySource() throws -> FileRewriting.Source {
    if sessions.isInTransaction {
      throw VaultError(
        .invalidArgument,
        "'\(path)' is in memory and cannot be copied inside one of its own transactions. End the "
          + "transaction first.")
    }
    let (size, pageSize) = try read { connection in
      let engine = connection.engine
      let pageSize = try engine.pragma("page_size").flatMap { Int($0) } ?? 4096
      return (try (engine.pragma("page_count").flatMap { Int($0) } ?? 0) * pageSize, pageSize)
    }
    return FileRewriting.Source(
      path: path, held: nil, cipher: nil, isWritable: true,
      memory: MemoryContent(size: size, pageSize: pageSize) {
        try self.read {
          try $0.engine.copyInMemory(options: self.settings.connectionOptions(.reader))
        }
      })
  }

  /// Returns a session on a copy, for an iteration that outlasts a call.
  func copy(of session: Session) throws -> Session {
    let copy = Session(
      try session.engine.copyInMemory(options: settings.connectionOptions(.reader)))
    try VaultFunctions.install(on: copy.engine)
    try copy.tell(HookedConnection(settings, path: path, role: .reader))
    try validate(copy)
    return copy
  }
}

/// The content of a vault in memory, as a source for a copy.
struct MemoryContent {
  /// The size in bytes.
  let size: Int
  let pageSize: Int
  /// Copies the committed content into a new connection.
  let copy: () throws -> Connection

  /// Returns the cipher format for a file created from the content.
  func format(_ settings: VaultConfiguration) throws -> CipherFormat {
    settings.cipherFormat.format(on: try Engine.prove())
  }
}

extension VaultError {
  /// Returns the error for an operation that requires a file.
  static func inMemory(_ path: String) -> VaultError {
    VaultError(
      .invalidArgument,
      "The vault '\(path)' is in memory, but this operation needs a file. Use `backup(to:key:)` to "
        + "store it in an encrypted file.")
  }
}
