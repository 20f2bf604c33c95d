public import ObjectVaultCore

/// The vault of one operation, if it is not the class's own vault.
///
/// It is either the name of a registered vault with which the class is registered too, or any
/// ``Vault``.
///
/// ```swift
/// try student.save(in: "backup")
/// try Student.count(in: vault)
/// ```
public protocol VaultSource: Sendable {}

extension String: VaultSource {}

extension Vault: VaultSource {}

/// The vault that an operation uses.
struct MeantVault: Sendable {
  let vault: Vault
  /// The registry and the name that the vault was found by, or `nil` for a vault that was passed
  /// itself.
  var registration: (vaults: Vaults, name: String)?

  /// Creates the resolved vault of an operation on a class.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - source: The vault that the operation names, or `nil` for the vault of the transaction it
  ///     runs in, and otherwise the class's own vault.
  /// - Throws: ``VaultError``: `.noSuchVault` if the class is not registered with the vault;
  ///   `.invalidArgument` if `source` is neither a `String` nor a ``Vault``.
  init(of type: any Record.Type, _ source: (any VaultSource)?) throws {
    switch source {
    case nil:
      if let vault = TransactionScope.current?.vault {
        self.vault = vault
      } else {
        self = try Vaults.current.home(of: type)
      }
    case let vault as Vault: self.vault = vault
    case let name as String: self = try Vaults.current.meant(by: name, for: type)
    case .some:
      throw VaultError(
        .invalidArgument,
        "An operation accepts a vault as a name or a Vault. Pass one of these.")
    }
  }

  /// Creates the registered vault, or the vault that an open transaction already uses by that name.
  init(_ registered: RegisteredVault, in vaults: Vaults) {
    let held = TransactionScope.current?.held.last {
      $0.registration.map { $0.vaults === vaults && $0.name == registered.name } ?? false
    }
    vault = held?.vault ?? registered.vault
    registration = (vaults, registered.name)
  }
}
