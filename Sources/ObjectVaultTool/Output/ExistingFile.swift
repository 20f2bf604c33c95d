import ObjectVaultTerminal
import ObjectVaultCore

import ObjectVaultPlatform

/// The file at a path.
///
/// It is inspected without being opened.
struct ExistingFile: Equatable {
  private let device: UInt64
  private let inode: UInt64
  let size: Int64
  let mode: UInt32

  /// Creates the description of a file, or returns `nil` if nothing is found.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(status.st_size)
    mode = UInt32(status.st_mode)
  }

  var isRegular: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }

  /// Returns whether both paths lead to the same file.
  static func == (a: ExistingFile, b: ExistingFile) -> Bool {
    a.device == b.device && a.inode == b.inode
  }

  /// Throws ``ToolError`` if the path does not exist.
  static func check(_ path: String, isWhat what: String) throws {
    guard ExistingFile(path) == nil, errno == ENOENT || errno == ENOTDIR else { return }
    throw ToolError(
      .noInput, "There is no \(what) at '\(PrintableText.escaped(path))'. Check the path.")
  }

  /// Returns the path of the file that a link leads to, or the path itself if it is not a link.
  static func resolved(_ path: String) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
      let real = realpath(path, nil)
    else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Returns whether a name is taken, even by a broken link.
  static func isTaken(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Returns the path of a new file, spelled so that the system finds the file that the library
  /// finds.
  ///
  /// For the library, a path may end with a slash, and lead through folders that are missing.
  static func plain(_ path: String) throws -> String {
    let canonical = try Vault.canonical(path)
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    let isPlain =
      names.last == canonical.split(separator: "/").last
      && !names.drop { $0 == ".." }.contains("..")
    return isPlain ? path : canonical
  }

  /// Throws ``ToolError`` if a new file would be mistaken for a log or keyring of another file.
  static func refuseCompanion(_ path: String) throws {
    do {
      try CompanionFile.refuse(path)
    } catch {
      throw ToolError(.cannotCreate, error.message)
    }
  }

  /// Throws ``ToolError`` if the path for a new file is taken, or that of a log or keyring.
  static func refuseTaken(_ path: String) throws {
    try refuseCompanion(path)
    guard isTaken(path) else { return }
    throw ToolError(
      .cannotCreate,
      "'\(PrintableText.escaped(path))' already exists and was not changed. Use another path, or "
        + "remove it first.")
  }

  /// Throws ``ToolError`` if a keyring is next to the path for a backup.
  ///
  /// A backup replaces only a keyring that was created for a file that was never finished.
  static func refuseKeyring(besideVault path: String) throws {
    let file = KeyringFile(besideVault: path)
    guard file.exists, (try? file.read().keyring.isNeverFinished(beside: nil)) != true else {
      return
    }
    throw ToolError(
      .cannotCreate,
      "'\(PrintableText.escaped(file.path))' already exists and was not changed. It may have slots "
        + "that were removed from the vault since. Use another path, or move it away first.")
  }

  /// Returns whether the path leads to a regular file that this user can read and write.
  static func isUsable(_ path: String) -> Bool {
    ExistingFile(path)?.isRegular == true && access(path, R_OK | W_OK) == 0
  }

  /// Returns whether the path leads to the vault, one of its companion files or its keyring.
  ///
  /// Writing to such a file would destroy the vault. Opening and closing it would drop the engine's
  /// locks on it.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - vault: The path of the vault.
  ///   - keyring: The path of its keyring, if that is not next to it.
  /// - Returns: Whether the path leads to such a file.
  static func isPart(_ path: String, ofVault vault: String, keyring: String?) -> Bool {
    guard let file = ExistingFile(path) else { return false }
    // The companions of a vault are next to the file, not next to a link to it.
    let vault = resolved(vault)
    var keyrings = [KeyringFile(besideVault: vault)]
    if let keyring { keyrings.append(KeyringFile(at: keyring)) }
    return
      ((CompanionFile.engineSuffixes + [""]).map { vault + $0 }
      + keyrings.flatMap { [$0.path, $0.sparePath] })
      .contains { ExistingFile($0) == file }
  }
}
