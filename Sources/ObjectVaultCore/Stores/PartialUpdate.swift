/// An update of some properties of an object.
struct PartialUpdate: Sendable {
  /// Where the properties stand, each once.
  let positions: [Int]
  /// The statement.
  let plain: String
  /// The statement that finds its row only while every reference that is written has its object.
  let guarded: String
}

extension TableState {
  /// An update of the properties with these names; the latest are kept, as for conditions.
  ///
  /// - Throws: as ``ClassDescription/changeablePositions(of:)``.
  func partialUpdate(of names: [String]) throws(VaultError) -> PartialUpdate {
    if let known = partialUpdates.withLock({ $0[names] }) { return known }
    let positions = try description.changeablePositions(of: names)
    let made = PartialUpdate(
      positions: positions, plain: sql.update(positions, isGuarded: false),
      guarded: sql.update(positions, isGuarded: true))
    partialUpdates.withLock { updates in
      if updates.count >= 128 { updates.removeAll() }
      updates[names] = made
    }
    return made
  }
}
