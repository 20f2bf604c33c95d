public import ObjectVaultModel

extension ObjectStore {
  /// Inserts new objects in one transaction, or none if one fails.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - owned: The handling of their owned objects.
  /// - Returns: The object IDs, in the order of the objects.
  /// - Throws: ``VaultError`` as ``insert(_:owned:)->T``.
  @available(*, noasync, message: "Use 'try await vault.transaction { … }'.")
  @discardableResult
  @inlinable
  public func insert(
    contentsOf objects: some Sequence<T>, owned: OwnedSaving = .save
  ) throws -> [T.ObjectIDType] {
    if access.hasOwned { return try insertWithOwned(objects, owned) }
    var ids: [T.ObjectIDType] = []
    ids.reserveCapacity(objects.underestimatedCount)
    try access.inserting { insertion in
      let inOneRoom: Void? = try objects.withContiguousStorageIfAvailable {
        try insert($0, &insertion, &ids)
      }
      guard inOneRoom == nil else { return }
      let limit = insertion.togetherCount
      guard limit > 0 else {
        for object in objects { ids.append(try insertOne(of: object, &insertion)) }
        return
      }
      var some: [T] = []
      for object in objects {
        some.append(object)
        guard some.count == limit else { continue }
        try some.withUnsafeBufferPointer { try insert($0, &insertion, &ids) }
        some.removeAll(keepingCapacity: true)
      }
      try some.withUnsafeBufferPointer { try insert($0, &insertion, &ids) }
    }
    return ids
  }

  /// Inserts objects that are contiguous in memory.
  @inlinable
  func insert(
    _ objects: UnsafeBufferPointer<T>, _ insertion: inout Insertion, _ ids: inout [T.ObjectIDType]
  ) throws {
    if insertion.togetherCount > 0 { return try insertTogether(objects, &insertion, &ids) }
    let count = insertion.severalCount
    var next = 0
    while next < objects.count {
      if count > 0, objects.count - next >= count,
        areNameless(objects, from: next, count),
        let first = try insertion.insertSeveral({ offset, binder in
          try lend(objects, at: next + offset) { try $0.encode(into: binder) }
        })
      {
        for offset in 0..<count {
          guard let id = try generatedID(first + Int64(offset)) else { continue }
          if T.self is AnyObject.Type {
            var object = objects[next + offset]
            name(&object, id)
          }
          ids.append(id)
        }
        next += count
      } else {
        ids.append(try lend(objects, at: next) { try insertOne(of: $0, &insertion) })
        next += 1
      }
    }
  }

  /// Inserts objects that are contiguous in memory, many at once.
  ///
  /// If the engine rejects some of them, all are inserted one by one, which finds the error.
  @usableFromInline
  func insertTogether(
    _ objects: UnsafeBufferPointer<T>, _ insertion: inout Insertion, _ ids: inout [T.ObjectIDType]
  ) throws {
    ids.reserveCapacity(ids.count + objects.count)
    // Outside of the loops, because unspecialized code requests the type's metadata each time.
    var id: T.ObjectIDType?
    for start in stride(from: 0, to: objects.count, by: insertion.togetherCount) {
      let count = min(insertion.togetherCount, objects.count - start)
      let isPossible = !insertion.generatesNumbers || areNameless(objects, from: start, count)
      guard count > 1, isPossible,
        let numbers = try insertion.insertTogether(
          count, { try objects[start + $0].encode(into: $1) })
      else {
        for offset in 0..<count {
          ids.append(try insertOne(of: objects[start + offset], &insertion))
        }
        continue
      }
      for offset in 0..<count {
        var object = objects[start + offset]
        guard insertion.generatesNumbers else {
          ids.append(try objectID(of: object))
          continue
        }
        id = try generatedID(numbers[offset])
        guard let id else { continue }
        if T.self is AnyObject.Type { name(&object, id) }
        ids.append(id)
      }
    }
  }

  /// Returns whether the objects have no object IDs yet, and are different instances of a class.
  ///
  /// An instance has an object ID when it is inserted for the second time.
  @inlinable
  func areNameless(_ objects: UnsafeBufferPointer<T>, from start: Int, _ count: Int) -> Bool {
    // Outside of the loop, because unspecialized code requests the type's metadata each time.
    var id: T.ObjectIDType?
    for position in start..<start + count {
      id = lend(objects, at: position) { $0.storedObjectID }
      if id != nil { return false }
    }
    guard T.self is AnyObject.Type else { return true }
    let instances = (start..<start + count).map {
      unsafeBitCast(objects[$0], to: UnsafeRawPointer.self)
    }
    // A set costs more than to compare a few.
    guard count <= 16 else { return Set(instances).count == count }
    return instances.indices.allSatisfy { !instances[..<$0].contains(instances[$0]) }
  }

  /// Inserts one of several objects.
  ///
  /// - Returns: Its object ID.
  @inlinable
  func insertOne(of object: T, _ insertion: inout Insertion) throws -> T.ObjectIDType {
    guard let id = try insert(object, &insertion) else { return try objectID(of: object) }
    if T.self is AnyObject.Type {
      var object = object
      name(&object, id)
    }
    return id
  }
}
