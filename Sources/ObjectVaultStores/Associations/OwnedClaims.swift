import ObjectVaultDriver
import ObjectVaultModel

/// The owned objects that one property of all its owners has in a save.
final class OwnedGiven<Owner: VaultObject, Child: StoredObject> {
  /// The objects of all owners, each with the reference to its owner.
  var objects: [Child] = []
  /// The owners by their positions, with the ranges of their objects.
  var owners: [(position: Int, id: Owner.ObjectIDType, objects: Range<Int>)] = []
  /// The objects that had an ID before the save.
  var places: [ExactID<Child.ObjectIDType>: OwnedPlace] = [:]
  /// The instances of a class with the owners that they referred to before a change.
  var formerOwners: [(object: Child, owner: Owner.ObjectIDType?)] = []
  /// The object IDs of the owners.
  lazy var ownerIDs: Set<ExactID<Owner.ObjectIDType>> = Set(owners.map { ExactID($0.id) })
}

/// The positions of an owned object and of its owner.
struct OwnedPlace {
  let object: Int
  let owner: Int
}

/// The objects of one owned class in a save, by the properties that have them.
final class OwnedClaims<Child: StoredObject> {
  /// A property with its objects.
  struct Property {
    let name: String
    /// The name of the reference to the owners.
    let reference: String
    /// Whether the property is saved; the others are unchanged.
    let isSaved: Bool
    let objects: [Child]
    let places: [ExactID<Child.ObjectIDType>: OwnedPlace]
    /// The instances of a class that had no ID before the save.
    let newInstances: Set<ObjectIdentifier>
    /// Assigns the owner at a position to an object.
    let assign: (_ object: inout Child, _ owner: Int) -> Void
    /// Removes the reference of an object to one of the owners, if the reference is optional.
    let release: (_ object: inout Child) -> Void

    /// Returns whether an object without an ID is one of the property's instances.
    ///
    /// Copies of a struct without an ID are different objects.
    func hasNew(_ object: Child) -> Bool {
      !newInstances.isEmpty && newInstances.contains(ObjectIdentifier(object as AnyObject))
    }
  }

  private var properties: [Property] = []
  /// The objects that several properties may have and that one of them has stored.
  private var stored: Set<ExactID<Child.ObjectIDType>> = []
  /// The objects without an ID before the save that a property has stored, by its reference.
  private var inserted: [String: Set<ExactID<Child.ObjectIDType>>] = [:]

  /// Adds a property.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - description: The class of the objects.
  /// - Throws: `.ownership` if another property has one of the objects with other values.
  func add(_ property: Property, of description: ClassDescription) throws {
    if property.isSaved, properties.contains(where: \.isSaved) {
      try compare(property, description)
    }
    properties.append(property)
  }

  /// Throws if another property has an object with other values, except references to owners.
  private func compare(_ property: Property, _ description: ClassDescription) throws {
    let names = Set((properties + [property]).map(\.reference))
    let references = description.references.filter { names.contains($0.name) }
    let parts = Set(references.flatMap(\.properties))
    let ignored = Set(
      description.properties.indices.filter { parts.contains(description.properties[$0].name) })
    let owned = Child.ownedProperties
    for other in properties where other.isSaved {
      for (id, place) in property.places {
        guard let otherPlace = other.places[id] else { continue }
        let form = try StoredForm(property.objects[place.object], description, owned)
        let otherForm = try StoredForm(other.objects[otherPlace.object], description, owned)
        guard form.differs(from: otherForm, except: ignored) else { continue }
        throw VaultError(
          .ownership,
          "An object of class '\(description.name)' has different values in the owned objects "
            + "'\(other.name)' and '\(property.name)'. Nothing was stored. Change it in both, or "
            + "in the only property that is not nil.")
      }
    }
  }

  /// Makes the references of a property's objects agree with the other properties.
  ///
  /// A copy in one property does not know that another property got or lost the object. A new
  /// object can be a copy of an object that another property has.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - places: The positions of those with an ID before the save.
  ///   - reference: The reference of the property.
  func adjust(
    _ objects: inout [Child], _ places: [ExactID<Child.ObjectIDType>: OwnedPlace],
    of reference: String
  ) {
    // The levels of a class that owns objects of its own have the same reference.
    guard hasReference(otherThan: reference) else { return }
    for (id, place) in places {
      let claimed = references(of: id)
      for property in properties where property.reference != reference {
        if let other = property.places[id] {
          property.assign(&objects[place.object], other.owner)
        } else if property.isSaved, !claimed.contains(property.reference) {
          property.release(&objects[place.object])
        }
      }
    }
    guard places.count < objects.count else { return }
    let others = properties.filter { $0.isSaved && $0.reference != reference }
    for index in objects.indices where objects[index].storedObjectID == nil {
      for property in others where !property.hasNew(objects[index]) {
        property.release(&objects[index])
      }
    }
  }

  /// Records the objects without an ID before the save that a property has stored.
  func noteInserted(_ ids: some Sequence<Child.ObjectIDType>, by reference: String) {
    inserted[reference, default: []].formUnion(ids.lazy.map { ExactID($0) })
  }

  /// Records objects that a property has stored.
  func noteStored(_ ids: some Sequence<ExactID<Child.ObjectIDType>>) {
    if hasSeveral { stored.formUnion(ids) }
  }

  /// Returns whether a property has stored an object in this save.
  func isStored(_ id: ExactID<Child.ObjectIDType>) -> Bool { stored.contains(id) }

  /// Whether more than one property was added.
  var hasSeveral: Bool { properties.count > 1 }

  /// Returns whether a property with another reference was added.
  func hasReference(otherThan reference: String) -> Bool {
    properties.contains { $0.reference != reference }
  }

  /// Returns the references of the properties that have an object.
  func references(of id: ExactID<Child.ObjectIDType>) -> [String] {
    properties.filter { $0.places[id] != nil }.map(\.reference)
      + inserted.filter { $0.value.contains(id) }.map(\.key)
  }
}
