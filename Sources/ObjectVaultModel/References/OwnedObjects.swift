/// The properties with owned objects of a class, as cached in the state of its table.
package final class OwnedObjects<Owner: VaultObject>: Sendable {
  package let properties: [(property: OwnedProperty<Owner>, description: OwnedDescription)]

  package init(_ properties: [OwnedProperty<Owner>], _ descriptions: [OwnedDescription]) {
    self.properties = zip(properties, descriptions).map { ($0, $1) }
  }

  /// Returns whether any property with owned objects is not `nil`.
  package func areGiven(_ owner: Owner) -> Bool {
    properties.contains { $0.property.relation.areGiven(owner) }
  }
}

extension OwnedRelation {
  /// Returns whether the owner's property is not `nil`.
  fileprivate func areGiven(_ owner: Owner) -> Bool { children(owner) != nil }
}
