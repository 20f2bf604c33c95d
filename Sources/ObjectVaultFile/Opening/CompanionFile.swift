import Foundation
package import ObjectVaultDriver

/// The names of the files next to a database that the engine and the library create and remove.
package enum CompanionFile {
  /// The ends of the names of the files that the engine creates, after the name of the database.
  ///
  /// In this order, a removal leaves no log without its database.
  package static let engineSuffixes = ["-journal", "-wal", "-shm"]
  private static let suffixes =
    engineSuffixes + [".keyring", ".keyring~", ".keyring.new", ".keyring~.new"]

  /// Checks that a new file at the path would not be mistaken for a companion of an existing file.
  ///
  /// The companion need not exist yet.
  ///
  /// - Parameter path: The path of the new file.
  /// - Throws: `.invalidArgument` if the path is that of a companion.
  package static func refuse(_ path: String) throws(VaultError) {
    for suffix in suffixes where path.hasSuffix(suffix) {
      let owner = String(path.dropLast(suffix.count))
      var status = stat()
      guard stat(owner, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      throw VaultError(
        .invalidArgument,
        "'\(path)' is the name of a file that belongs to '\(owner)', and would be replaced or "
          + "removed with it. Choose another path.")
    }
  }
}
