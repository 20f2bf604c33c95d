import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

/// A save of owners and their owned objects on all levels; inside a transaction.
///
/// Updates and moves are first, then inserts. Removals are last, after every object that moved
/// refers to its new owner. Objects that nothing else in the save can have or refer to are removed
/// first, so that others can have their unique values.
final class OwnedSave {
  let database: any Database
  let session: Session
  private var claimsByType: [ObjectIdentifier: AnyObject] = [:]
  private var removals: [(OwnedSave) throws -> Void] = []

  /// The tables of classes that only one property of the save can own.
  private let soleOwnedTables: Set<String>

  init(_ database: any Database, _ session: Session, soleOwnedTables: Set<String>) {
    self.database = database
    self.session = session
    self.soleOwnedTables = soleOwnedTables
  }

  /// Returns whether objects of a class must be removed before others are stored, and can be.
  func removesFirst(_ description: ClassDescription) throws -> Bool {
    guard description.indexes.contains(where: \.isUnique),
      soleOwnedTables.contains(description.table)
    else { return false }
    return try session.referenceGraph().incoming[description.table] == nil
  }

  /// Returns the owned objects of a class.
  func claims<Child: StoredObject>(of type: Child.Type) -> OwnedClaims<Child> {
    if let known = claimsByType[ObjectIdentifier(type)] as? OwnedClaims<Child> { return known }
    let new = OwnedClaims<Child>()
    claimsByType[ObjectIdentifier(type)] = new
    return new
  }

  /// Adds a function that removes objects at the end of the save.
  ///
  /// The function must not retain the save.
  func addRemoval(_ removal: @escaping (OwnedSave) throws -> Void) { removals.append(removal) }

  /// Removes the objects that no longer belong to an owner.
  func finish() throws {
    for removal in removals { try removal(self) }
    try session.checkReferences()
  }
}

extension OwnedObjects {
  /// Prepares a save of the owned objects of owners.
  ///
  /// - Parameters:
  ///   - owners: The owners, which are stored.
  ///   - save: The save.
  ///   - areNew: Whether no stored object can have one of the owners.
  ///   - names: The properties to save; `nil` for all of them.
  /// - Returns: The functions that save one property each, to be called in this order.
  /// - Throws: The errors of ``OwnedRelation/prepare(_:_:_:isSaved:areNew:)``.
  func prepare(
    _ owners: [Owner], _ save: OwnedSave, areNew: Bool, only names: [String]?
  ) throws -> [(_ owners: inout [Owner]) throws -> Void] {
    try properties.compactMap { owned in
      let isSaved = names?.contains(owned.description.name) ?? true
      return try owned.property.relation.prepare(
        owners, owned.description, save, isSaved: isSaved, areNew: areNew)
    }
  }
}

extension OwnedRelation {
  /// Prepares a save of the owners' objects.
  ///
  /// Prepare all properties of the owners before the first of them is saved.
  ///
  /// - Parameters:
  ///   - owners: The owners, which are stored.
  ///   - description: The description of the association.
  ///   - save: The save.
  ///   - isSaved: Whether to save the objects; otherwise they only count as objects of the property.
  ///   - areNew: Whether no stored object can have one of the owners.
  /// - Returns: The function that changes the stored objects to match the owners' objects and
  ///   updates the owners' copies; `nil` if the property is `nil` in all owners. It throws the
  ///   errors of storing.
  /// - Throws: `.ownership` if an object appears twice, or with other values in another property.
  func prepare(
    _ owners: [Owner], _ description: OwnedDescription, _ save: OwnedSave, isSaved: Bool,
    areNew: Bool
  ) throws -> ((_ owners: inout [Owner]) throws -> Void)? {
    let store = try save.database.store(of: Child.self)
    try store.table.checkSchema(on: save.session)
    let given = OwnedGiven<Owner, Child>()
    let note = try noteFormerOwners(given, save)
    var newInstances: Set<ObjectIdentifier> = []
    var objects: [Child] = []
    objects.reserveCapacity(owners.count)
    for index in owners.indices {
      guard let children = children(owners[index]), let owner = owners[index].storedObjectID else {
        continue
      }
      let start = objects.count
      for var child in children {
        note?(child)
        claim(&child, owner)
        var isRepeated = false
        if let id = child.storedObjectID {
          let place = OwnedPlace(object: objects.count, owner: given.owners.count)
          isRepeated = given.places.updateValue(place, forKey: ExactID(id)) != nil
        } else if note != nil {
          isRepeated = !newInstances.insert(ObjectIdentifier(child as AnyObject)).inserted
        }
        if isRepeated, isSaved {
          throw VaultError(
            .ownership,
            "An object of class '\(store.classDescription.name)' appears twice among the owned "
              + "objects '\(description.name)' of the saved objects. Nothing was stored. Assign "
              + "it once, to one owner.")
        }
        objects.append(child)
      }
      given.owners.append((index, owner, start..<objects.count))
    }
    given.objects = objects
    guard !given.owners.isEmpty else { return nil }
    let claims = save.claims(of: Child.self)
    let relation = self
    let property = OwnedClaims<Child>.Property(
      name: description.name, reference: description.reference, isSaved: isSaved,
      objects: given.places.isEmpty ? [] : given.objects, places: given.places,
      newInstances: newInstances,
      assign: { child, owner in
        note?(child)
        relation.claim(&child, given.owners[owner].id)
      },
      release: { child in
        guard let owner = relation.owner(child), given.ownerIDs.contains(ExactID(owner)) else {
          return
        }
        note?(child)
        relation.release?(&child)
      })
    try claims.add(property, of: store.classDescription)
    return { (owners: inout [Owner]) in
      if isSaved {
        try relation.save(given, &owners, description, save, areNew: areNew)
      } else if claims.hasSeveral {
        var objects = given.objects
        claims.adjust(&objects, given.places, of: description.reference)
        for owner in given.owners {
          relation.take(&owners[owner.position], Array(objects[owner.objects]))
        }
      }
    }
  }

  /// Restores the owners of class instances if the transaction is rolled back.
  ///
  /// - Parameters:
  ///   - given: The objects of the property.
  ///   - save: The save.
  /// - Returns: A function to call before an instance refers to another owner; `nil` for structs.
  /// - Throws: The errors of opening the database.
  private func noteFormerOwners(
    _ given: OwnedGiven<Owner, Child>, _ save: OwnedSave
  ) throws -> ((Child) -> Void)? {
    guard Child.self is AnyObject.Type else { return nil }
    let relation = self
    try save.database.opened().sessions.onRollback {
      for (object, owner) in given.formerOwners.reversed() {
        var object = object
        if let owner {
          relation.claim(&object, owner)
        } else {
          relation.release?(&object)
        }
      }
    }
    return { given.formerOwners.append(($0, relation.owner($0))) }
  }

  /// Changes the stored objects to match those given.
  private func save(
    _ given: OwnedGiven<Owner, Child>, _ owners: inout [Owner], _ description: OwnedDescription,
    _ save: OwnedSave, areNew: Bool
  ) throws {
    let store = try save.database.store(of: Child.self)
    let links = try OwnedLinks(store, description)
    let claims = save.claims(of: Child.self)
    var objects = given.objects
    // Nothing else needs them, and objects without a second array are changed in place.
    given.objects = []
    claims.adjust(&objects, given.places, of: description.reference)
    var stored: [(id: ExactID<Child.ObjectIDType>, owner: Owner.ObjectIDType)] = []
    var lists: [ListPositions<Child.ObjectIDType>] = []
    for owner in given.owners where !areNew || description.isOrdered {
      let present = areNew ? [] : try links.children(of: owner.id, on: save.session)
      for child in present { stored.append((ExactID(child.id), owner.id)) }
      if description.isOrdered { lists.append(ListPositions(present)) }
    }
    let known = Set(stored.map(\.id))
    let gone = stored.filter { given.places[$0.id] == nil }
    let removesFirst = try !gone.isEmpty && save.removesFirst(store.classDescription)
    if removesFirst {
      try remove(gone, store, links, on: save.session) {
        try $0.collect()
        try $0.delete()
      }
    }
    var new: [Int] = []
    for index in objects.indices {
      guard let storedID = objects[index].storedObjectID else {
        new.append(index)
        continue
      }
      let id = ExactID(storedID)
      let isChanged = try store.updateDiffering(objects[index], on: save.session)
      // An instance without a place has its ID because another property has stored it.
      if !isChanged, given.places[id] != nil, !known.contains(id), !claims.isStored(id) {
        new.append(index)
      }
    }
    let areAllNew = new.count == objects.count
    if areAllNew {
      try store.insertAll(&objects, on: save.session)
    } else {
      for index in new { try store.put(&objects[index], .insert, on: save.session) }
    }
    claims.noteStored(given.places.keys)
    if claims.hasSeveral, given.places.count < objects.count {
      claims.noteInserted(
        objects.lazy.compactMap(\.storedObjectID).filter { given.places[ExactID($0)] == nil },
        by: description.reference)
    }
    if description.isOrdered {
      for (owner, list) in zip(given.owners, lists) {
        let ids = objects[owner.objects].compactMap(\.storedObjectID)
        try links.setPositions(list.changes(to: ids), on: save.session)
      }
    }
    try store.saveOwned(&objects, save, areNew: areNew && areAllNew)
    for owner in given.owners { take(&owners[owner.position], Array(objects[owner.objects])) }
    guard !gone.isEmpty, !removesFirst else { return }
    save.addRemoval { save in
      var removed: [(id: ExactID<Child.ObjectIDType>, owner: Owner.ObjectIDType)] = []
      for object in gone {
        let references = claims.references(of: object.id)
        if references.isEmpty {
          removed.append(object)
        } else if !references.contains(description.reference) {
          try links.release(object.id.id, from: object.owner, description, on: save.session)
        }
      }
      guard !removed.isEmpty else { return }
      try store.releaseClaimed(from: removed.map(\.id.id), save)
      try remove(removed, store, links, on: save.session) { try $0.run() }
    }
  }

  /// Removes those of the objects that refer to their owners.
  private func remove(
    _ objects: [(id: ExactID<Child.ObjectIDType>, owner: Owner.ObjectIDType)],
    _ store: ObjectStore<Child>, _ links: OwnedLinks<Child>, on session: Session,
    _ run: (Removal) throws -> Void
  ) throws {
    try Removal.with(store.removalScope(on: session), on: session) { removal in
      for (id, owner) in objects {
        // An object that refers to another owner now has moved to another property.
        try removal.add(links.selectOne(removal.seedColumns)) { statement in
          let binder = statement.binder
          try store.bind(id.id, to: binder)
          try owner.bindObjectID(to: binder, at: store.table.sql.quotedColumns.count)
        }
      }
      try run(removal)
    }
  }

  /// Removes the references of objects to owners that a save removes, if another property of the
  /// save has the objects.
  ///
  /// Otherwise the removal of the owners would delete these objects.
  ///
  /// - Parameters:
  ///   - owners: The object IDs of the owners.
  ///   - description: The description of the association.
  ///   - save: The save, of which all properties are prepared.
  /// - Throws: `.ownership` if the reference of such an object is not optional.
  func releaseClaimed(
    from owners: [Owner.ObjectIDType], _ description: OwnedDescription, _ save: OwnedSave
  ) throws {
    let store = try save.database.store(of: Child.self)
    let claims = save.claims(of: Child.self)
    guard store.table.hasOwned || claims.hasReference(otherThan: description.reference) else {
      return
    }
    let links = try OwnedLinks(store, description)
    var removed: [Child.ObjectIDType] = []
    for owner in owners {
      for child in try links.children(of: owner, on: save.session) {
        if claims.references(of: ExactID(child.id)).isEmpty {
          removed.append(child.id)
        } else {
          try links.release(child.id, from: owner, description, on: save.session)
        }
      }
    }
    try store.releaseClaimed(from: removed, save)
  }

  /// Loads the stored objects of the owners, with one query for each level of ownership.
  ///
  /// The number of queries does not depend on the number of owners.
  func load(
    _ owners: inout [Owner], _ description: OwnedDescription, _ database: any Database,
    _ session: Session
  ) throws {
    guard !owners.isEmpty else { return }
    let store = try database.store(of: Child.self)
    let links = try OwnedLinks(store, description)
    let ids = owners.map { $0.storedObjectID }
    let outer = session.reads?.beginOwned()
    var (children, childOwners) = try links.children(ofAll: ids.compactMap { $0 }, on: session)
    try store.loadOwned(&children, on: session)
    if let outer, let reads = session.reads { reads.endOwned(outer, ids, childOwners) }
    let groups = Self.groups(children, by: childOwners)
    for index in owners.indices {
      guard let id = ids[index] else { continue }
      let own = groups[ExactID(id)] ?? []
      if !isMany, own.count > 1 {
        throw VaultError(
          .ownership,
          "\(own.count) objects of class '\(store.classDescription.name)' belong to one object as "
            + "its '\(description.name)', which can be only one. Remove all but one, or fetch with "
            + "`withoutOwned()`.")
      }
      take(&owners[index], own)
    }
  }

  /// Returns the objects by their owners.
  private static func groups(
    _ children: [Child], by owners: [Owner.ObjectIDType]
  ) -> [ExactID<Owner.ObjectIDType>: [Child]] {
    var groups: [ExactID<Owner.ObjectIDType>: [Child]] = [:]
    var start = 0
    while start < children.count {
      let owner = ExactID(owners[start])
      // Objects of one owner are most often next to each other.
      var end = start + 1
      while end < children.count, ExactID(owners[end]) == owner { end += 1 }
      let own = Array(children[start..<end])
      if let others = groups.updateValue(own, forKey: owner) { groups[owner] = others + own }
      start = end
    }
    return groups
  }
}
