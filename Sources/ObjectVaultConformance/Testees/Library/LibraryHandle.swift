import ObjectVaultCore

/// A handle of a case and its stores.
final class LibraryHandle {
  let database: any Database
  /// The stores by class label.
  var stores: [String: LibraryStore] = [:]

  init(_ database: any Database) { self.database = database }

  /// The database as a file.
  ///
  /// - Throws: ``NotSupported`` if it is none.
  var vault: Vault {
    get throws {
      guard let vault = database as? Vault else {
        throw NotSupported(reason: "files: the operation belongs to a file")
      }
      return vault
    }
  }
}
