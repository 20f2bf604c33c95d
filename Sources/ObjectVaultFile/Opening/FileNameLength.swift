import ObjectVaultDriver
import ObjectVaultPlatform

/// The lengths of names that a database file can have.
enum FileNameLength {
  /// The greatest number of bytes: file systems accept 255, and the engine appends `-journal`.
  static let limit = 255 - "-journal".utf8.count

  /// Checks that the engine can create its files next to a new file.
  ///
  /// - Parameter path: The path of the new file.
  /// - Throws: `.invalidArgument`.
  static func check(_ path: String) throws(VaultError) {
    let length = path.fileName.utf8.count
    guard length > limit else { return }
    throw VaultError(
      .invalidArgument,
      "'\(path)' cannot be created: its name has \(length) bytes. It can have at most \(limit), "
        + "because the files of the engine next to it have longer names. Give the vault a shorter "
        + "name.")
  }
}
