import ObjectVaultModel

extension Query {
  /// Reads the objects and their digests, and records the tables they depend on.
  private func read(noting reads: ObservedReads) throws -> (objects: [T], digests: [RowDigest]) {
    let objects = try store.readWithOwned { session in
      try session.observing(reads) {
        reads.note(table: store.classDescription.table)
        var objects = try QuerySQL.with(self, \.select, on: session) {
          try store.objects($0, noting: reads)
        }
        try store.loadOwned(&objects, on: session)
        return objects
      }
    }
    return (objects, reads.takeDigests())
  }

  /// The observation target that reads the objects if they changed.
  var observedObjects: Observed<[T]> {
    Observed(database: store.database) { [self] in
      var former: [RowDigest]?
      return { reads in
        let (objects, digests) = try read(noting: reads)
        defer { former = digests }
        return digests == former ? nil : objects
      }
    }
  }

  /// The observation target that reads the objects with their changes.
  var observedChanges: Observed<QueryChange<T>> {
    Observed(database: store.database) { [self] in
      var former: ObservedList<T.ObjectIDType>?
      return { reads in
        let (objects, digests) = try read(noting: reads)
        let list = ObservedList(
          ids: try objects.map { ExactID(try store.objectID(of: $0)) }, digests: digests)
        if list == former { return nil }
        var change = QueryChange(objects: objects, isInitial: former == nil)
        list.note(differenceFrom: former ?? ObservedList(ids: [], digests: []), in: &change)
        former = list
        return change
      }
    }
  }

  /// The observation target that reads the number of objects if it changed.
  var observedCount: Observed<Int> {
    Observed(database: store.database) { [self] in
      var former: Int?
      return { reads in
        let count = try store.read { session in
          try session.observing(reads) {
            reads.note(table: store.classDescription.table)
            return try QuerySQL.with(self, \.count, on: session) { try $0.count() }
          }
        }
        defer { former = count }
        return count == former ? nil : count
      }
    }
  }
}

extension ObjectStore {
  /// Returns the observation target that reads one object if it changed; `nil` if it is missing.
  func observedObject(_ id: T.ObjectIDType) -> Observed<T?> {
    Observed(database: database) { [self] in
      var former: [RowDigest]?
      return { reads in
        let object = try readWithOwned { session in
          try session.observing(reads) {
            reads.note(table: classDescription.table)
            var objects = try with(.find, on: session) { statement in
              try bind(id, to: statement)
              return try self.objects(statement, noting: reads)
            }
            try loadOwned(&objects, on: session)
            return objects.first
          }
        }
        let digests = reads.takeDigests()
        defer { former = digests }
        return digests == former ? nil : .some(object)
      }
    }
  }
}
