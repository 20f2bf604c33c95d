public import Foundation
public import ObjectVaultDriver

extension VaultError: LocalizedError {
  /// The text of ``description``, which `localizedDescription` and alerts of the system show.
  public var errorDescription: String? { description }
}
