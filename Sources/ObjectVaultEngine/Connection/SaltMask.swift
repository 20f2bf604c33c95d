package import ObjectVaultDriver

internal import ObjectVaultPlatform

/// The mask of the salt for page authentication (`cipher_hmac_salt_mask`), a setting of the whole
/// process.
///
/// A connection uses the mask when it derives its keys, with its first page. Therefore, the mask
/// differs from the default only while one connection is opened, and no other connection is opened
/// at the same time.
package enum SaltMask {
  fileprivate final class ReadWriteLock: @unchecked Sendable {
    // The lock never moves and is used only through its address.
    private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

    init() { pthread_rwlock_init(lock, nil) }

    func acquire(exclusively: Bool) {
      _ = exclusively ? pthread_rwlock_wrlock(lock) : pthread_rwlock_rdlock(lock)
    }

    func release() { pthread_rwlock_unlock(lock) }
  }

  fileprivate static let lock = ReadWriteLock()

  /// Calls `body`, which opens a connection, while the mask is set.
  ///
  /// - Parameters:
  ///   - mask: The mask.
  ///   - connection: The connection that is opened.
  ///   - engine: The engine.
  ///   - body: The work to do.
  /// - Throws: The errors of `body`, and ``DriverError/Code/unsupportedSettings`` if the engine
  ///   does not set the mask.
  package static func whileSet(
    _ mask: UInt8, by connection: Connection, _ engine: EngineInfo,
    _ body: () throws(DriverError) -> Void
  ) throws(DriverError) {
    let standard = CipherSettings.standardSaltMask
    lock.acquire(exclusively: mask != standard)
    defer { lock.release() }
    guard mask != standard else { return try body() }
    let setter = try Connection.keyedInMemory()
    defer { try? setter.close() }
    do throws(DriverError) {
      try setter.setSaltMask(mask)
    } catch {
      try? setter.setSaltMask(standard)
      throw .lacks("cipher_hmac_salt_mask", of: engine, error)
    }
    let result = Result(catching: body)
    // All connections that are opened later depend on the default.
    try setter.setSaltMask(standard)
    try result.get()
  }
}

extension Connection {
  /// Calls `body`, which writes the first page of a new file under the standard mask.
  ///
  /// No connection with another mask is opened meanwhile.
  ///
  /// - Parameter body: The work to do. It opens no connection.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  package static func whileWritingFirstPage<R>(_ body: () throws -> R) rethrows -> R {
    SaltMask.lock.acquire(exclusively: false)
    defer { SaltMask.lock.release() }
    return try body()
  }

  /// Writes the first page of a new file.
  ///
  /// Its keys are derived then, so a mask that another thread sets later does not matter.
  ///
  /// - Throws: ``DriverError`` if the page cannot be written.
  package func writeFirstPage() throws {
    try Connection.whileWritingFirstPage { try commitFirstPage() }
  }

  /// Commits the first page of a new file; the caller holds the lock of the mask.
  func commitFirstPage() throws(DriverError) {
    try execute("BEGIN IMMEDIATE")
    try execute("COMMIT")
  }

  fileprivate func setSaltMask(_ mask: UInt8) throws(DriverError) {
    let digits = (mask < 16 ? "0" : "") + String(mask, radix: 16)
    pragmaBeingSet = "cipher_hmac_salt_mask"
    defer { pragmaBeingSet = nil }
    try execute("PRAGMA cipher_hmac_salt_mask = \"x'\(digits)'\"")
    try expectPragma("cipher_hmac_salt_mask", digits)
  }
}

extension DriverError {
  /// Returns the error for an engine that lacks a setting that the file requires.
  static func lacks(_ setting: String, of engine: EngineInfo, _ error: DriverError) -> DriverError {
    DriverError(
      .unsupportedSettings,
      "The file needs SQLCipher's setting \(setting), which SQLCipher \(engine.cipherVersion) does "
        + "not accept. Use a version that supports it, such as 3.4.",
      resultCode: error.resultCode)
  }
}
