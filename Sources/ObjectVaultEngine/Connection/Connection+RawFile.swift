internal import CSQLCipher
package import ObjectVaultDriver

/// Access to the file's raw bytes through the engine's own descriptor.
///
/// Closing any other descriptor of the file in this process would drop the engine's locks.
extension Connection {
  /// The size of the file in bytes, without its write-ahead log.
  package var fileSize: Int64 {
    get throws(DriverError) {
      let file = try rawFile()
      var size: sqlite3_int64 = 0
      let code = file.pointee.pMethods.pointee.xFileSize(file, &size)
      guard code == SQLITE_OK else { throw rawFailure(code) }
      return size
    }
  }

  /// Returns bytes of the file; fewer than `count` at its end.
  package func readRaw(offset: Int64, count: Int) throws(DriverError) -> [UInt8] {
    guard offset >= 0, count >= 0 else {
      throw DriverError(.range, "The requested offset in the file is negative.")
    }
    let available = max(0, try fileSize - offset)
    let length = Int(min(Int64(count), available))
    guard length > 0 else { return [] }
    guard let amount = Int32(exactly: length) else {
      throw DriverError(.tooBig, "The requested range of the file is larger than 2 GiB.")
    }
    let file = try rawFile()
    var code: Int32 = SQLITE_OK
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, initialized in
      code = file.pointee.pMethods.pointee.xRead(file, buffer.baseAddress, amount, offset)
      initialized = code == SQLITE_OK ? length : 0
    }
    guard code == SQLITE_OK else { throw rawFailure(code) }
    return bytes
  }

  /// The state of the write-ahead log in the index that all connections share; `nil` if it is
  /// unknown.
  ///
  /// Use it only after this connection has read or written the log. Otherwise, the engine would open
  /// the index. Source: "The WAL-Index File Format" of SQLite's documentation.
  package var logState: LogState? {
    guard let file = try? rawFile(), file.pointee.pMethods.pointee.iVersion >= 2,
      let map = file.pointee.pMethods.pointee.xShmMap
    else { return nil }
    var region: UnsafeMutableRawPointer?
    guard map(file, 0, LogState.regionSize, 0, &region) == SQLITE_OK, let header = region else {
      return nil
    }
    return LogState(
      frames: Int(header.load(fromByteOffset: 16, as: UInt32.self)),
      changes: header.load(fromByteOffset: 8, as: UInt32.self),
      checksum: header.load(fromByteOffset: 24, as: UInt64.self),
      salts: header.load(fromByteOffset: 32, as: UInt64.self))
  }

  private func rawFile() throws(DriverError) -> UnsafeMutablePointer<sqlite3_file> {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(try open(), "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard code == SQLITE_OK, let file, file.pointee.pMethods != nil else {
      throw DriverError(.cannotOpen, "The engine has no open file.", resultCode: code)
    }
    return file
  }

  private func rawFailure(_ code: Int32) -> DriverError {
    DriverError(
      .inputOutput,
      "Reading the file failed; another process may have truncated it. Check the file.",
      resultCode: code, systemErrno: database.map { sqlite3_system_errno($0) } ?? 0)
  }
}

/// The state of a write-ahead log, which differs after each commit of any connection.
package struct LogState: Equatable, Sendable {
  /// The size of the first part of the index in bytes.
  static let regionSize: Int32 = 32_768

  /// The number of pages in the log.
  package let frames: Int
  /// The number of commits, which may overflow.
  let changes: UInt32
  /// The checksum of the last page.
  let checksum: UInt64
  /// The numbers that differ each time the log starts again.
  let salts: UInt64
}

extension Connection {
  /// Overwrites the start of the file with zeros, bypassing the engine.
  ///
  /// This invalidates a file that was replaced by another one, so that processes that still have it
  /// open fail instead of reading stale data. The first bytes are overwritten last, so that an
  /// unencrypted file is recognised if the call is interrupted. The connection can only be closed
  /// afterwards.
  ///
  /// - Parameter count: The number of bytes; at least the first page.
  /// - Throws: ``DriverError/Code/inputOutput`` if writing fails.
  package func overwrite(count: Int) throws(DriverError) {
    let file = try rawFile()
    // The engine writes the number of bytes modulo 2^17 (`seekAndWriteFd` in SQLite's `os_unix.c`).
    let zeros = [UInt8](repeating: 0, count: min(count, 1 << 16))
    var code: Int32 = SQLITE_OK
    var rest = count
    while rest > 0, code == SQLITE_OK {
      let part = min(zeros.count, rest)
      rest -= part
      code = file.pointee.pMethods.pointee.xWrite(file, zeros, Int32(part), Int64(rest))
    }
    if code == SQLITE_OK { code = file.pointee.pMethods.pointee.xSync(file, SQLITE_SYNC_FULL) }
    guard code == SQLITE_OK else {
      throw DriverError(
        .inputOutput, "The old file cannot be overwritten. Check the file and its disk.",
        resultCode: code,
        systemErrno: database.map { sqlite3_system_errno($0) } ?? 0)
    }
  }

  /// Sets whether the engine retains the write-ahead log when the connection closes.
  ///
  /// By then, the log with that name may belong to a file that replaced this one, or the log must
  /// be overwritten first.
  package func keepLogWhenClosing(_ isKept: Bool = true) throws(DriverError) {
    var keeps: Int32 = isKept ? 1 : 0
    try expectTaken(
      "persist_wal",
      sqlite3_file_control(try open(), "main", SQLITE_FCNTL_PERSIST_WAL, &keeps))
  }
}
