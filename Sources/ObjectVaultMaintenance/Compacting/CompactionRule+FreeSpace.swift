import Logging
import ObjectVaultDriver
import ObjectVaultEngine
public import ObjectVaultFile
import ObjectVaultSession
import ObjectVaultStores

extension CompactionRule {
  /// Returns a rule that compacts a file with much free space.
  ///
  /// The rule is applied when this process opens the file and no handle has it open yet. If another
  /// process has the file open, or the folder has no room for the copy, the vault opens without
  /// being compacted. Opening takes as long as ``Vault/compact(progress:)-((RekeyProgress)->Void)`` otherwise, and a vault
  /// with a passphrase derives its key once more.
  ///
  /// - Parameters:
  ///   - bytes: The free space that the file must have.
  ///   - fraction: The part of the file that must be free, from 0 to 1. Other values count as the
  ///     nearest of them.
  /// - Returns: The rule; both conditions must hold.
  public static func whenFree(
    _ bytes: ByteCount = .mebibytes(64), fraction: Double = 0.5
  ) -> CompactionRule {
    CompactionRule { file, settings in
      guard try file.hasFree(bytes, fraction: fraction) else { return }
      // Another process may use the file for long: do not wait for it.
      var settings = settings
      settings.busyTimeout = .zero
      let result = try file.measuringSize {
        try file.replaceFileWhileOpening { try $0.compaction(of: file.path, settings, { _ in }) }
      }
      settings.logger?.info(
        "compacted",
        metadata: [
          "path": "\(file.path)", "bytesBefore": "\(result.bytesBefore)",
          "bytesAfter": "\(result.bytesAfter)",
        ])
    }
  }
}

extension VaultFile {
  /// Returns whether the free pages are as many as a rule requires.
  fileprivate func hasFree(_ bytes: ByteCount, fraction: Double) throws -> Bool {
    try excludingWriters {
      let writer = try sessions.writerSession()
      guard let free = try writer.engine.pragma("freelist_count").flatMap({ Int($0) }),
        let all = try writer.engine.pragma("page_count").flatMap({ Int($0) }),
        let size = try writer.engine.pragma("page_size").flatMap({ Int($0) })
      else { return false }
      return free > 0 && free * size >= bytes.bytes
        && Double(free) >= fraction.clamped(to: 0...1) * Double(all)
    }
  }
}

extension Double {
  /// Returns the nearest number in a range; its lower bound for NaN.
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
