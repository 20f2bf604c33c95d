public import ObjectVaultCore

/// Where one operation goes that is not to go to the class's own vault: the name of a registered vault,
/// with which the class is registered too, or any ``Vault``.
///
/// ```swift
/// try student.save(in: "backup")
/// try Student.count(in: vault)
/// ```
public protocol VaultSource: Sendable {}

extension String: VaultSource {}

extension Vault: VaultSource {}

/// The vault that an operation goes to.
struct MeantVault: Sendable {
  let vault: Vault
  /// The name that it was found by, and where; `nil` for a vault that was given by itself.
  var registration: (vaults: Vaults, name: String)?

  /// The vault that an operation of a class goes to.
  ///
  /// - Parameter source: What the operation names; `nil` for the class's own vault, or that of the
  ///   transaction which it is in.
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
        "An operation goes to a vault that is given by its name or by itself, and by nothing else.")
    }
  }

  /// The registered vault, or the one that an open transaction holds on to by that name.
  init(_ registered: RegisteredVault, in vaults: Vaults) {
    let held = TransactionScope.current?.held.last {
      $0.registration.map { $0.vaults === vaults && $0.name == registered.name } ?? false
    }
    vault = held?.vault ?? registered.vault
    registration = (vaults, registered.name)
  }
}
