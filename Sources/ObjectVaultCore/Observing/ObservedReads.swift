import ObjectVaultEngine

/// What is read for somebody who observes: from which tables, and what stands for the content.
final class ObservedReads {
  /// The tables, in lower case.
  private(set) var tables: Set<String> = []
  /// The digests of the objects at hand, in their order.
  private(set) var digests: [RowDigest] = []

  /// Notes the tables that a statement reads.
  func note(_ statement: Statement) { tables.formUnion(statement.readTables) }

  /// Notes a table by its name.
  func note(table: String) { tables.insert(table.asciiLowercased) }

  /// Notes the content of one more object.
  func note(_ row: Row) { digests.append(RowDigest(row)) }

  /// Gives the digests away.
  func takeDigests() -> [RowDigest] {
    defer { digests = [] }
    return digests
  }

  // MARK: Owned objects

  /// The objects read from now on belong to those at hand.
  ///
  /// - Returns: The digests of the owners, for ``endOwned(_:_:_:)``.
  func beginOwned() -> [RowDigest] { takeDigests() }

  /// The objects that belong to others are all read: their content is part of that of their owners,
  /// which are at hand again.
  ///
  /// - Parameters:
  ///   - outer: The digests of the owners.
  ///   - ids: The objectIDs of the owners.
  ///   - owners: For each object that was read, the objectID of its owner.
  func endOwned<ID: ObjectIDValue>(_ outer: [RowDigest], _ ids: [ID?], _ owners: [ID?]) {
    let owned = takeDigests()
    digests = outer
    var positions: [ExactID<ID>: Int] = [:]
    for (position, id) in ids.enumerated() { if let id { positions[ExactID(id)] = position } }
    for (digest, owner) in zip(owned, owners) {
      guard let owner, let position = positions[ExactID(owner)], digests.indices.contains(position)
      else { continue }
      digests[position] = RowDigest(digests[position], with: digest)
    }
  }
}

extension ObjectStore {
  /// The objects of all rows a statement gives, noted for who observes; none that is kept.
  func objects(_ statement: Statement, noting reads: ObservedReads?) throws -> [T] {
    var objects: [T] = []
    while try statement.step() {
      reads?.note(statement.row)
      objects.append(try object(statement))
    }
    return objects
  }
}

extension VaultConnection {
  /// Calls `body`, which reads for somebody who observes.
  func observing<R>(_ reads: ObservedReads, _ body: () throws -> R) rethrows -> R {
    let outer = self.reads
    self.reads = reads
    defer { self.reads = outer }
    return try body()
  }

  /// Whether another connection committed since this was asked last, or it never was.
  func takeForeignCommits() -> Bool {
    // Who cannot look now looks next time.
    guard let version = try? engine.dataVersion else { return false }
    defer { dataVersion = version }
    return version != dataVersion
  }
}
