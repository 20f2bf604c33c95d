import ObjectVaultCore

/// A handle of a case, with the stores that were made on it.
final class LibraryHandle {
  let vault: Vault
  /// By the label of the class.
  var stores: [String: LibraryStore] = [:]

  init(_ vault: Vault) { self.vault = vault }
}
