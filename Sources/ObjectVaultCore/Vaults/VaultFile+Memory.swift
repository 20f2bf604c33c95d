import Logging
import ObjectVaultEngine
import ObjectVaultKeys

extension VaultFile {
  /// Makes a vault in memory.
  static func inMemory(_ path: String, settings: VaultConfiguration) throws -> VaultFile {
    let connection = VaultConnection(
      try Connection.inMemory(options: settings.connectionOptions(.writer)))
    try ConditionFunctions.install(on: connection.engine)
    try connection.tell(HookedConnection(settings, path: path, role: .writer))
    try connection.execute("BEGIN IMMEDIATE")
    try SystemTables(connection).create(vaultID: nil)
    try connection.execute("COMMIT")
    settings.logger?.debug("opened in memory", metadata: ["path": "\(path)"])
    return VaultFile(path: path, opened: nil, settings: settings, writer: connection)
  }

  /// What is in memory, as something to read for a copy.
  ///
  /// - Throws: `.invalidArgument` inside a transaction, whose changes must not come into a copy.
  func memorySource() throws -> FileRewriting.Source {
    if isInTransaction {
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

  /// Calls `body` with the one connection that there is, alone among all threads.
  func readInMemory<R>(_ body: (VaultConnection) throws -> R) throws -> R {
    try withWriter { connection in
      try cancellable(connection) { try body(connection) }
    }
  }

  /// A connection to a copy, for an iteration that outlasts a call.
  func copy(of connection: VaultConnection) throws -> VaultConnection {
    let copy = VaultConnection(
      try connection.engine.copyInMemory(options: settings.connectionOptions(.reader)))
    try ConditionFunctions.install(on: copy.engine)
    try copy.tell(HookedConnection(settings, path: path, role: .reader))
    try tellReady(copy)
    return copy
  }
}

/// What a vault in memory holds, to be read for a copy.
struct MemoryContent {
  /// The size in bytes.
  let size: Int
  let pageSize: Int
  /// Copies it as it is committed, into a connection of its own.
  let copy: () throws -> Connection

  /// The cipher format that a file of it gets.
  func format(_ settings: VaultConfiguration) throws -> CipherFormat {
    settings.cipherFormat.format(on: try Engine.prove())
  }
}

extension VaultError {
  /// What only a file can have done to it.
  static func inMemory(_ path: String) -> VaultError {
    VaultError(
      .invalidArgument,
      "The vault '\(path)' is in memory, and this is done to files only. Use `backup(to:key:)` to keep it "
        + "in an encrypted file.")
  }
}
