import Foundation
package import ObjectVaultDriver
import ObjectVaultKeys

extension VaultConfiguration {
  /// Sets the file protection of a file, and whether it is excluded from backups.
  ///
  /// The system's function may open and close the file, which drops all locks that the process has
  /// on it. The process must have no connection to the file. Does nothing if nothing is configured,
  /// which is always so on platforms other than Apple's.
  ///
  /// - Parameter path: The path of the file; nothing is done if it is missing.
  /// - Throws: `.inputOutput` if the system rejects an attribute.
  package func setAttributes(ofFileAt path: String) throws(VaultError) {
    #if canImport(Darwin)
      guard fileProtection != nil || excludesFromBackup else { return }
      guard FileManager.default.fileExists(atPath: path) else { return }
      do {
        if let fileProtection {
          try FileManager.default.setAttributes(
            [.protectionKey: fileProtection], ofItemAtPath: path)
        }
        if excludesFromBackup {
          var values = URLResourceValues()
          values.isExcludedFromBackup = true
          var url = URL(fileURLWithPath: path)
          try url.setResourceValues(values)
        }
      } catch {
        throw VaultError(
          .inputOutput,
          "Cannot set the file protection or the exclusion from backups of '\(path)'. Check the "
            + "file and its disk.",
          underlying: error)
      }
    #endif
  }

  /// Sets the attributes of the files of a keyring, which the engine does not open.
  func setAttributes(ofKeyring keyring: KeyringFacts?) throws(VaultError) {
    guard let file = keyring?.file else { return }
    for path in [file.path, file.sparePath] { try setAttributes(ofFileAt: path) }
  }
}
