import ObjectVaultEngine

/// Process-wide settings that an application can make for its vaults.
///
/// The library makes none of them itself, because other parts of the process may use the engine
/// too.
public enum VaultProcess {
  /// Turns off the engine's memory accounting, which makes reads from several threads faster.
  ///
  /// The accounting takes a process-wide lock at each allocation.
  ///
  /// Call this once, before the first vault is opened and before anything else in the process uses
  /// SQLite or SQLCipher. From then on `sqlite3_memory_used` and similar functions return 0 for the
  /// whole process, and the engine's heap limits have no effect.
  ///
  /// ```swift
  /// VaultProcess.tuneEngine()
  /// let vault = try Vault(at: "school.vault", key: .passphrase("correct horse"))
  /// ```
  ///
  /// - Returns: Whether the engine accepted the setting; `false` if the process used it before.
  @discardableResult
  public static func tuneEngine() -> Bool { Engine.countNoMemory() }
}
