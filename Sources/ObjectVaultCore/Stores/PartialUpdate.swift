/// An update of some properties of an object.
struct PartialUpdate: Sendable {
  /// Where the properties stand, each once.
  let positions: [Int]
  /// The statement.
  let plain: String
  /// The statement that finds its row only while every reference that is written has its object.
  let guarded: String
}

extension PartialUpdate {
  fileprivate init(_ positions: [Int], _ sql: TableSQL) {
    self.init(
      positions: positions, plain: sql.update(positions, isGuarded: false),
      guarded: sql.update(positions, isGuarded: true))
  }
}

extension ObjectStore {
  /// An update of the properties with these names.
  ///
  /// - Throws: as ``ClassDescription/changeablePositions(of:)``.
  func partialUpdate(of names: [String]) throws(VaultError) -> PartialUpdate {
    guard let partition else { return try state.partialUpdate(of: names) }
    return PartialUpdate(try classDescription.changeablePositions(of: names), partition.sql)
  }
}

extension TableState {
  /// An update of the properties with these names; the latest are kept, as for conditions.
  ///
  /// - Throws: as ``ClassDescription/changeablePositions(of:)``.
  func partialUpdate(of names: [String]) throws(VaultError) -> PartialUpdate {
    if let known = partialUpdates.withLock({ $0[names] }) { return known }
    let made = PartialUpdate(try description.changeablePositions(of: names), sql)
    partialUpdates.withLock { updates in
      if updates.count >= 128 { updates.removeAll() }
      updates[names] = made
    }
    return made
  }
}
