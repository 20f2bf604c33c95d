import ObjectVaultDriver
import ObjectVaultModel

/// An update of some properties of an object.
@usableFromInline
final class PartialUpdate: Sendable {
  /// The positions of the properties, without duplicates.
  @usableFromInline let positions: [Int]
  /// The parameters of the update, as one bit for each position below 64.
  let parameters: UInt64
  /// The statement without a check of references.
  let plain: StatementText
  /// The statement that finds its row only if every written reference has its object.
  let guarded: StatementText

  fileprivate init(
    _ positions: [Int], _ sql: TableStatements, of table: Table
  ) throws(VaultError) {
    self.positions = positions
    parameters = table.parameters(of: positions)
    plain = StatementText(try sql.update(positions, isGuarded: false))
    guarded = StatementText(try sql.update(positions, isGuarded: true))
  }
}

/// The cache of a table's recent partial updates.
struct PartialUpdates: Sendable {
  fileprivate var all: [[String]: PartialUpdate] = [:]
  /// The previous update, which is usually the next one too.
  fileprivate var last: (names: [String], update: PartialUpdate)?
}

extension StoreAccess {
  /// Returns an update of the properties with these names; `nil` without names.
  ///
  /// - Throws: As ``ClassDescription/changeablePositions(of:)``.
  @usableFromInline
  func partialUpdate(of names: [String]) throws(VaultError) -> PartialUpdate? {
    if names.isEmpty { return nil }
    guard let partition else { return try table.partialUpdate(of: names) }
    return try PartialUpdate(
      table.description.changeablePositions(of: names), partition.sql, of: table)
  }
}

extension Table {
  /// Returns the parameters of an update of some properties, as one bit for each position below 64.
  fileprivate func parameters(of positions: [Int]) -> UInt64 {
    // A check of references names all parts of a reference.
    guard foreignKeys.isEmpty else { return .max }
    var parameters: UInt64 = 0
    for position in positions where position < 64 { parameters |= 1 << UInt64(position) }
    for position in objectIDPositions where position < 64 { parameters |= 1 << UInt64(position) }
    return parameters
  }

  /// Returns an update of the properties with these names from the cache of recent ones.
  ///
  /// - Throws: As ``ClassDescription/changeablePositions(of:)``.
  func partialUpdate(of names: [String]) throws(VaultError) -> PartialUpdate {
    let known = partialUpdates.withLock { updates -> PartialUpdate? in
      if let last = updates.last, last.names == names { return last.update }
      guard let known = updates.all[names] else { return nil }
      updates.last = (names, known)
      return known
    }
    if let known { return known }
    let made = try PartialUpdate(description.changeablePositions(of: names), sql, of: self)
    partialUpdates.withLock { updates in
      if updates.all.count >= 128 { updates.all.removeAll() }
      updates.all[names] = made
    }
    return made
  }
}

extension ClassDescription {
  /// Returns the positions of the named properties, which an update must be able to change.
  func changeablePositions(of names: [String]) throws(VaultError) -> [Int] {
    var positions: [Int] = []
    for name in names {
      guard let position = properties.firstIndex(where: { $0.name == name }) else {
        throw noSuchProperty(name)
      }
      if objectIDPositions.contains(position) {
        throw VaultError(
          .invalidArgument,
          "Property '\(name)' is part of the object ID of class '\(self.name)', which an update "
            + "cannot change. Use `changeID(of:to:)`.")
      }
      if !positions.contains(position) { positions.append(position) }
    }
    return positions
  }
}
