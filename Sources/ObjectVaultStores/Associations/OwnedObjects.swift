import ObjectVaultModel

/// The treatment of owned objects when their owner is saved.
public enum OwnedSaving: Sendable {
  /// Changes the stored objects to match the given ones.
  ///
  /// Changed objects are updated, new ones inserted, and missing ones removed. A property that is
  /// `nil` leaves them unchanged.
  case save
  /// Leaves the stored objects unchanged.
  case leave
}

/// The properties with owned objects of a class, as cached in the state of its table.
final class OwnedObjects<Owner: VaultObject>: Sendable {
  let properties: [(property: OwnedProperty<Owner>, description: OwnedDescription)]

  init(_ properties: [OwnedProperty<Owner>], _ descriptions: [OwnedDescription]) {
    self.properties = zip(properties, descriptions).map { ($0, $1) }
  }

  /// Returns whether any property with owned objects is not `nil`.
  func areGiven(_ owner: Owner) -> Bool {
    properties.contains { $0.property.relation.areGiven(owner) }
  }
}

extension OwnedRelation {
  /// Returns whether the owner's property is not `nil`.
  fileprivate func areGiven(_ owner: Owner) -> Bool { children(owner) != nil }
}
