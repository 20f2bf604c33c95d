import ObjectVaultEngine

/// An update of some properties of an object.
@usableFromInline
final class PartialUpdate: Sendable {
  /// Where the properties stand, each once.
  @usableFromInline let positions: [Int]
  /// The parameters that it has, a bit for each position below 64.
  let parameters: UInt64
  /// The statement.
  let plain: StatementText
  /// The statement that finds its row only while every reference that is written has its object.
  let guarded: StatementText

  fileprivate init(_ positions: [Int], _ sql: TableSQL, of state: TableState) {
    self.positions = positions
    parameters = state.parameters(of: positions)
    plain = StatementText(sql.update(positions, isGuarded: false))
    guarded = StatementText(sql.update(positions, isGuarded: true))
  }
}

/// The updates of properties that a table was asked for lately.
struct PartialUpdates: Sendable {
  fileprivate var all: [[String]: PartialUpdate] = [:]
  /// The one before: mostly the next one, too.
  fileprivate var last: (names: [String], update: PartialUpdate)?
}

extension StoreAccess {
  /// An update of the properties with these names; `nil` for none of them.
  ///
  /// - Throws: as ``ClassDescription/changeablePositions(of:)``.
  @usableFromInline
  func partialUpdate(of names: [String]) throws(VaultError) -> PartialUpdate? {
    if names.isEmpty { return nil }
    guard let partition else { return try state.partialUpdate(of: names) }
    return PartialUpdate(
      try state.description.changeablePositions(of: names), partition.sql, of: state)
  }
}

extension TableState {
  /// The parameters that an update of some properties has, a bit for each position below 64.
  fileprivate func parameters(of positions: [Int]) -> UInt64 {
    // A guard names all parts of a reference.
    guard foreignKeys.isEmpty else { return .max }
    var parameters: UInt64 = 0
    for position in positions where position < 64 { parameters |= 1 << UInt64(position) }
    for position in objectIDPositions where position < 64 { parameters |= 1 << UInt64(position) }
    return parameters
  }

  /// An update of the properties with these names; the latest are kept, as for conditions.
  ///
  /// - Throws: as ``ClassDescription/changeablePositions(of:)``.
  fileprivate func partialUpdate(of names: [String]) throws(VaultError) -> PartialUpdate {
    let known = partialUpdates.withLock { updates -> PartialUpdate? in
      if let last = updates.last, last.names == names { return last.update }
      guard let known = updates.all[names] else { return nil }
      updates.last = (names, known)
      return known
    }
    if let known { return known }
    let made = PartialUpdate(try description.changeablePositions(of: names), sql, of: self)
    partialUpdates.withLock { updates in
      if updates.all.count >= 128 { updates.all.removeAll() }
      updates.all[names] = made
    }
    return made
  }
}
