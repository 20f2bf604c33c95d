import Logging
import ObjectVaultDriver
import ObjectVaultStores

extension Vault {
  /// Removes the objects that have expired by the rules of the configuration.
  ///
  /// - Returns: The number of removed objects; 0 without rules.
  /// - Throws: The errors of ``Database/removeExpired(by:at:batch:)``.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  public func removeExpired() throws -> Int { try removeExpired(by: configuration.expiry) }

  /// Removes expired objects from the vault that was just opened; logs a failure.
  func removeExpiredAfterOpening() {
    if configuration.expiry.isEmpty { return }
    removeAfterOpening("expired objects") { try removeExpired() }
  }

  /// Calls `body` unless the vault that was just opened is read-only, and logs the number of
  /// removed things, or a failure.
  func removeAfterOpening(_ things: String, _ body: () throws -> Int) {
    guard !configuration.isReadOnly, openFile?.isReadOnly == false else { return }
    do {
      let count = try body()
      if count > 0 {
        configuration.logger?.debug(
          "\(things) removed", metadata: ["path": "\(path)", "count": "\(count)"])
      }
    } catch {
      let failure = VaultError.from(error, path: path) as? VaultError
      configuration.logger?.warning(
        "\(things) not removed",
        metadata: ["path": "\(path)", "reason": "\(failure?.message ?? "\(type(of: error))")"])
    }
  }
}
