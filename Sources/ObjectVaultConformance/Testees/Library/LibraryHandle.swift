import ObjectVaultCore

/// A handle of a case and its stores.
final class LibraryHandle {
  let vault: Vault
  /// The stores by class label.
  var stores: [String: LibraryStore] = [:]

  init(_ vault: Vault) { self.vault = vault }
}
