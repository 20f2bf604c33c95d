import ObjectVaultEngine

/// The settings of the whole process that an application may make for its vaults.
///
/// The library makes none of them by itself: another part of the process may use the engine too.
public enum VaultProcess {
  /// Has the engine keep no account of the memory that it uses, which makes reads from several threads
  /// faster: the account takes a lock of the whole process at each allocation.
  ///
  /// Call it once, before the first vault is opened and before anything else in the process uses SQLite
  /// or SQLCipher. From then on `sqlite3_memory_used` and its like return 0 for the whole process, and the
  /// engine's heap limits have no effect.
  ///
  /// ```swift
  /// VaultProcess.tuneEngine()
  /// let vault = try Vault(at: "school.vault", key: .passphrase("correct horse"))
  /// ```
  ///
  /// - Returns: Whether the engine took the setting; `false` if the process used it before.
  @discardableResult
  public static func tuneEngine() -> Bool { Engine.countNoMemory() }
}
