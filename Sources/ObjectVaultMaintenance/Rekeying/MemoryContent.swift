import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile
import ObjectVaultKeys
import ObjectVaultSession
import ObjectVaultStores

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

extension VaultFile {
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
}
