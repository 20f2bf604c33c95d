import ObjectVaultModel
import ObjectVaultSession

/// The owners of upgraded objects whose own classes are not upgraded.
extension SchemaUpgrade {
  /// Describes the owners with the new names of the references of their objects.
  ///
  /// Must be called inside a transaction, after the classes of the upgrade were described and the
  /// owners have the new names of the tables.
  func describeOwners(on session: Session) throws {
    let system = SystemTables(session)
    let own = Set(classes.map(\.description.table))
    for (former, removed) in try system.describedClasses() where !own.contains(former.table) {
      var owner = former
      for index in owner.owned.indices { rename(&owner.owned[index]) }
      if owner != former { try system.describe(owner, removed: removed) }
    }
  }

  private func rename(_ owned: inout OwnedDescription) {
    guard
      let upgrade = classes.first(where: {
        $0.description.table.asciiLowercased == owned.target.asciiLowercased
      })
    else { return }
    owned.reference = upgrade.newName(ofReference: owned.reference) ?? owned.reference
  }
}

extension ClassUpgrade {
  /// Returns the name that a reference of the file gets; `nil` if the class does not have it any
  /// more.
  fileprivate func newName(ofReference name: String) -> String? {
    guard let described, change != nil else { return nil }
    return description.references
      .first { formerReference(of: $0, in: described)?.name == name }?.name
  }
}
