import Logging
import ObjectVaultDriver
import ObjectVaultSession

/// The condition under which a vault is compacted when it is opened.
///
/// ```swift
/// configuration.compaction = .whenFree(.mebibytes(64), fraction: 0.5)
/// ```
public struct CompactionRule: Sendable {
  /// Compacts a file that was just opened, if the condition holds.
  let apply: @Sendable (VaultFile, VaultConfiguration) throws -> Void

  package init(apply: @escaping @Sendable (VaultFile, VaultConfiguration) throws -> Void) {
    self.apply = apply
  }
}

extension VaultFile {
  /// Compacts the file if a rule requires it.
  ///
  /// A failure is logged and does not prevent the opening: the original file is unchanged then.
  func compact(by rule: CompactionRule, _ settings: VaultConfiguration) {
    guard !isReadOnly, !isInMemory else { return }
    do {
      try rule.apply(self, settings)
    } catch {
      let failure = VaultError.from(error, path: path) as? VaultError
      settings.logger?.log(
        level: failure?.code == .busy ? .debug : .warning, "not compacted",
        metadata: ["path": "\(path)", "reason": "\(failure?.message ?? "\(type(of: error))")"])
    }
  }
}
