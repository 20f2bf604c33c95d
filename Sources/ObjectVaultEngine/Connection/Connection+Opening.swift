internal import CSQLCipher
import ObjectVaultDriver

internal import ObjectVaultPlatform

extension Connection {
  /// Returns the file opened without a key.
  ///
  /// No page is read yet.
  static func openDatabase(_ path: String, _ mode: Mode) throws(DriverError) -> OpaquePointer {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw DriverError(
        .cannotOpen, "The path is empty or contains a NUL character. Check the path.")
    }
    // The engine creates files that others may read. A file that is created here exclusively cannot
    // be open anywhere, so closing it drops no lock.
    if mode == .create {
      makeForOwnerOnly(path)
    }
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
    switch mode {
    case .readOnly: flags |= SQLITE_OPEN_READONLY
    case .readWrite: flags |= SQLITE_OPEN_READWRITE
    case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    }
    // An engine may be built to treat such names as URIs with parameters.
    let name = path.hasPrefix("file:") ? "./" + path : path
    var database: OpaquePointer?
    let code = sqlite3_open_v2(name, &database, flags, nil)
    guard code == SQLITE_OK, let database else {
      var error = DriverError.from(code, database: database)
      error.message = cannotOpenMessage(error.systemErrno, error.message)
      sqlite3_close(database)
      throw error
    }
    sqlite3_extended_result_codes(database, 1)
    return database
  }

  private static func cannotOpenMessage(_ number: Int32, _ message: String) -> String {
    switch number {
    case ENOENT: "The file or its folder does not exist. Check the path."
    case EACCES, EPERM:
      "This user has no permission to open the file. Check the permissions of the file and its "
        + "folders."
    case EISDIR: "The path leads to a folder, not a file. Check the path."
    case EMFILE, ENFILE: "The process has too many open files. Close some, or raise the limit."
    default: message
    }
  }

  /// Rejects unencrypted and empty files before a page is read.
  func refuseUnencryptedContent() throws(DriverError) {
    let start = try readRaw(offset: 0, count: 92)
    // With a plaintext header, SQLite leaves the 20 bytes at offset 72 zero (file format, section
    // 1.3), and encrypted bytes are not all zero.
    let hasHeader = start.starts(with: "SQLite format 3\0".utf8)
    let isEncrypted = cipher?.hasPlaintextHeader == true && start.dropFirst(72).contains { $0 != 0 }
    if hasHeader, !isEncrypted {
      throw DriverError(
        .plaintextFile,
        "The file is an unencrypted SQLite database. Open it without a key, or encrypt it first.")
    }
    // The engine would accept any key for an empty file.
    guard !start.isEmpty || mode == .create else {
      throw DriverError(
        .emptyFile, "The file is empty. Remove it, or create a new vault in its place.")
    }
  }
}

/// Creates the file with access for its owner only, unless it exists.
private func makeForOwnerOnly(_ path: String) {
  let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
  if descriptor >= 0 { _ = close(descriptor) }
}
