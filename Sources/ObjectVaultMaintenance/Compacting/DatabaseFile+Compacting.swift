import Foundation
import ObjectVaultEngine
import ObjectVaultFile
import ObjectVaultKeys

extension DatabaseFile {
  /// Rewrites the file without free pages; its key, cipher format and page size do not change.
  ///
  /// ``Vault/compact(progress:)-((RekeyProgress)->Void)`` describes the steps.
  ///
  /// - Parameter progress: Receives the progress on the calling thread. If it throws, the work ends.
  /// - Returns: The sizes of the file before and after.
  /// - Throws: ``VaultError``: `.notEncrypted` for an unencrypted file; otherwise as
  ///   ``rekey(to:progress:)``. The file is unchanged then.
  @discardableResult
  public func compact(
    progress: @escaping (RekeyProgress) throws -> Void = { _ in }
  ) throws -> CompactionResult {
    try whileOpen(isWritable: true, progress) { file in
      let cipher = try encrypted(file)
      let connection = try file.source.connect(settings)
      let before = try connection.contentSize()
      try connection.close()
      let target = try NewFileKey(
        sameAs: file.key, forFileAt: path, with: cipher.salt, scheme: cipher.scheme,
        pageSize: cipher.pageSize)
      try rewrite(file, target, isCompacting: true, progress)
      var status = stat()
      let after = stat(path, &status) == 0 ? Int(status.st_size) : before
      return CompactionResult(bytesBefore: before, bytesAfter: after)
    }
  }
}
