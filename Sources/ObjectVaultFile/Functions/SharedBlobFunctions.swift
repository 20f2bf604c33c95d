import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
package import ObjectVaultKeys
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultStores

/// The SQL functions that read and write shared contents.
enum SharedBlobFunctions {
  /// Registers the functions on a connection.
  ///
  /// - `ov_share` stores a content and returns the value for its column: a short content itself, or
  ///   else its digest. Use it in the statement that writes the column.
  /// - `ov_digest` returns the same value and stores nothing.
  /// - `ov_content` returns the content for the value of a column, and fails if the content is
  ///   missing.
  /// - `ov_content_key` returns a new random key for the digests.
  ///
  /// The functions of a value return NULL for NULL.
  static func install(on connection: Connection) throws(DriverError) {
    var digests = LastDigest()
    try connection.register(
      function: SharedBlobs.shareFunction, arguments: 1, deterministic: false
    ) { [unowned connection] arguments, result in
      try answer(arguments, result) { content in
        let digest = try digests.digest(of: content, on: connection)
        try keep(content, under: digest, on: connection)
        return digest
      }
    }
    var compared = LastDigest()
    try connection.register(
      function: SharedBlobs.digestFunction, arguments: 1, deterministic: true
    ) { [unowned connection] arguments, result in
      try answer(arguments, result) { try compared.digest(of: $0, on: connection) }
    }
    try connection.register(
      function: SharedBlobs.contentFunction, arguments: 1, deterministic: false
    ) { [unowned connection] arguments, result in
      if arguments.isNull(at: 0) { return result.setNull() }
      guard arguments.storage(at: 0) == .text else {
        return arguments.withBytes(at: 0) { result.set(bytes: $0) }
      }
      let find = try connection.statement(
        "SELECT \"content\" FROM \(SharedBlobs.contents) WHERE \"digest\" = ?1")
      defer { find.reset() }
      find.binder.bind(text: arguments.text(at: 0) ?? "", at: 0)
      guard try find.step() else { throw lost }
      find.row.withBytes(at: 0) { result.set(bytes: $0) }
    }
    try connection.register(
      function: SharedBlobs.newKeyFunction, arguments: 0, deterministic: false
    ) { _, result in
      try ContentCode.makeKey().withUnsafeBytes { result.set(bytes: $0) }
    }
  }

  private static var lost: DriverError {
    DriverError(
      .corrupt, "\(DriverError.lostContent). Verify the file, and restore it from a backup.")
  }

  private static func answer(
    _ arguments: FunctionArguments, _ result: FunctionResult,
    _ digest: (UnsafeRawBufferPointer) throws -> String
  ) throws {
    if arguments.isNull(at: 0) { return result.setNull() }
    guard arguments.storage(at: 0) == .blob else {
      throw DriverError(.misuse, "Only bytes can be shared.", resultCode: 0)
    }
    try arguments.withBytes(at: 0) { content in
      guard content.count >= ClassDescription.leastSharedSize else {
        return result.set(bytes: content)
      }
      result.set(try digest(content))
    }
  }

  /// Stores a content if it is missing.
  ///
  /// The triggers of the written table count its use. ``UnusedContentsHook`` deletes it before the
  /// commit if the row with its digest was not stored.
  private static func keep(
    _ content: UnsafeRawBufferPointer, under digest: String, on connection: Connection
  ) throws {
    let find = try connection.statement(
      "SELECT 1 FROM \(SharedBlobs.contents) WHERE \"digest\" = ?1")
    defer { find.reset() }
    find.binder.bind(text: digest, at: 0)
    if try find.step() { return }
    let insert = try connection.statement(
      "INSERT INTO \(SharedBlobs.contents) (\"digest\", \"content\") VALUES (?1, ?2)")
    let binder = insert.binder
    binder.bind(text: digest, at: 0)
    binder.bind(bytes: content, at: 1)
    do {
      try insert.run()
    } catch {
      guard error.code == .readOnly else { throw error }
      throw DriverError(
        .misuse,
        "It stores bytes, and the statement only reads. Use it in the statement that writes the "
          + "column.", resultCode: 0)
    }
    let row = connection.lastInsertRowID
    connection.firstRowOfFunctions = min(row, connection.firstRowOfFunctions ?? row)
    let count = try connection.statement(
      "INSERT OR IGNORE INTO \(SharedBlobs.uses) (\"digest\", \"uses\") VALUES (?1, 0)")
    count.binder.bind(text: digest, at: 0)
    try count.run()
  }
}

/// A cache of the last computed digest.
///
/// Consecutive objects often have the same content, and comparing bytes costs a fraction of a
/// digest.
private struct LastDigest {
  /// The maximum size in bytes of a cached content.
  private static let longest = 4 << 20

  private var content: [UInt8] = []
  private var digest = ""
  /// The digest of an empty content, which identifies the key.
  ///
  /// The key of a file can change if the transaction that created it is rolled back.
  private var mark = ""

  mutating func digest(
    of content: UnsafeRawBufferPointer, on connection: Connection
  ) throws -> String {
    let find = try connection.statement(SharedBlobs.selectKey)
    defer { find.reset() }
    guard try find.step() else {
      throw DriverError(
        .corrupt,
        "The file has no key for shared contents. Verify the file, and restore it from a backup.",
        resultCode: 0)
    }
    return try find.row.withBytes(at: 0) { key in
      let mark = try SharedBlobs.digest(
        of: UnsafeRawBufferPointer(start: nil, count: 0), under: key)
      if mark == self.mark, content.count == self.content.count, isLast(content) {
        return digest
      }
      let made = try SharedBlobs.digest(of: content, under: key)
      if content.count <= Self.longest {
        (self.content, digest, self.mark) = ([UInt8](content), made, mark)
      }
      return made
    }
  }

  private func isLast(_ content: UnsafeRawBufferPointer) -> Bool {
    self.content.withUnsafeBytes { last in
      guard let last = last.baseAddress, let start = content.baseAddress else { return false }
      return memcmp(last, start, content.count) == 0
    }
  }
}

extension SharedBlobs {
  /// Returns the digest of a content with the file's key.
  package static func digest(
    of content: UnsafeRawBufferPointer, under key: UnsafeRawBufferPointer
  ) throws(KeyError) -> String {
    SQL.hexadecimal(try ContentCode.code(of: content, under: key))
  }
}
