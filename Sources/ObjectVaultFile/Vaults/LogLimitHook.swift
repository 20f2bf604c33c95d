import ObjectVaultSession

/// Keeps the write-ahead log small.
final class LogLimitHook: SessionHook {
  private unowned let file: VaultFile

  init(of file: VaultFile) {
    self.file = file
  }

  func didCommit(on session: Session) -> (() -> Void)? {
    file.limitLog(of: session)
    return nil
  }
}
