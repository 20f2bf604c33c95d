import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

/// A save of owners and their owned objects on all levels; inside a transaction.
///
/// Updates and moves are first, then inserts. Removals are last, after every object that moved
/// refers to its new owner.
final class OwnedSave {
  let database: any Database
  let session: Session
  private var removals: [() throws -> Void] = []

  init(_ database: any Database, _ session: Session) {
    self.database = database
    self.session = session
  }

  func addRemoval(_ removal: @escaping () throws -> Void) { removals.append(removal) }

  /// Removes the objects that no longer belong to an owner.
  func finish() throws {
    for removal in removals { try removal() }
    try session.checkReferences()
  }
}

extension OwnedRelation {
  /// Changes the stored objects to match the owners' objects, and updates the owners' copies.
  ///
  /// - Parameters:
  ///   - owners: The owners, which are stored.
  ///   - description: The description of the association.
  ///   - save: The save.
  ///   - areNew: Whether no stored object can have one of the owners.
  /// - Throws: `.ownership` if an object appears twice, and the errors of storing.
  func save(
    _ owners: inout [Owner], _ description: OwnedDescription, _ save: OwnedSave, areNew: Bool
  ) throws {
    let store = try save.database.store(of: Child.self)
    try store.state.checkSchema(on: save.session)
    let links = try OwnedLinks(store, description)
    var given: [Child] = []
    var places: [(owner: Int, children: Range<Int>)] = []
    var claimed: Set<ExactID<Child.ObjectIDType>> = []
    var stored: [(id: ExactID<Child.ObjectIDType>, owner: Owner.ObjectIDType)] = []
    var lists: [ListPositions<Child.ObjectIDType>] = []
    for index in owners.indices {
      guard let children = children(owners[index]), let owner = owners[index].storedObjectID else {
        continue
      }
      let start = given.count
      for var child in children {
        claim(&child, owner)
        if let id = child.storedObjectID, !claimed.insert(ExactID(id)).inserted {
          throw VaultError(
            .ownership,
            "An object of class '\(store.classDescription.name)' appears twice among the owned "
              + "objects '\(description.name)' of the saved objects. Nothing was stored. Assign it "
              + "once, to one owner.")
        }
        given.append(child)
      }
      places.append((index, start..<given.count))
      let present = areNew ? [] : try links.children(of: owner, on: save.session)
      for child in present { stored.append((ExactID(child.id), owner)) }
      lists.append(ListPositions(present))
    }
    guard !places.isEmpty else { return }
    let known = Set(stored.map(\.id))
    var new: [Int] = []
    for index in given.indices {
      guard let id = given[index].storedObjectID else {
        new.append(index)
        continue
      }
      let isChanged = try store.updateDiffering(given[index], on: save.session)
      if !isChanged, !known.contains(ExactID(id)) { new.append(index) }
    }
    let areAllNew = new.count == given.count
    if areAllNew {
      try store.insertAll(&given, on: save.session)
    } else {
      for index in new { try store.put(&given[index], .insert, on: save.session) }
    }
    if description.isOrdered {
      for (place, list) in zip(places, lists) {
        let ids = given[place.children].compactMap(\.storedObjectID)
        try links.setPositions(list.changes(to: ids), on: save.session)
      }
    }
    try store.saveOwned(&given, save, areNew: areNew && areAllNew)
    for place in places { take(&owners[place.owner], Array(given[place.children])) }
    let gone = stored.filter { !claimed.contains($0.id) }
    guard !gone.isEmpty else { return }
    // The closure is stored in `save` and must not retain it.
    save.addRemoval { [session = save.session] in
      _ = try Removal.with(store.removalScope(on: session), on: session) { removal in
        for (id, owner) in gone {
          // An object that refers to another owner now has moved to another property.
          try removal.add(links.selectOne(removal.seedColumns)) { statement in
            let binder = statement.binder
            try store.bind(id.id, to: binder)
            try owner.bindObjectID(to: binder, at: store.state.sql.quotedColumns.count)
          }
        }
        return try removal.run()
      }
    }
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
      groups[owner, default: []].append(contentsOf: children[start..<end])
      start = end
    }
    return groups
  }
}
