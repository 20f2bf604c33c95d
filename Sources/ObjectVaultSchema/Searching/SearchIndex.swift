import ObjectVaultDriver
package import ObjectVaultModel
package import ObjectVaultSession

/// The full-text index of a class, as a store maintains it.
package struct SearchIndex {
  private let table: String
  private let definition: SearchDefinition

  /// Creates the index, or returns `nil` for a class without a search.
  package init?(_ description: ClassDescription) {
    guard let definition = SearchDefinition(description) else { return nil }
    self.definition = definition
    table = description.table
  }

  /// Rebuilds the index from all texts, and creates missing triggers; inside a transaction.
  ///
  /// - Parameter session: The connection to use.
  /// - Throws: The errors of the statements.
  package func rebuild(on session: Session) throws {
    let schema = Schema(on: session)
    if try PresentSearch(ofTable: table, in: schema).statements != definition.statementsByName {
      try schema.dropSearch(of: table)
      try schema.createSearch(definition, of: table)
    } else {
      try schema.orderTriggers(of: table)
    }
    try session.execute(definition.rebuild)
  }

  /// Returns whether the index contains exactly the terms of the texts; inside a transaction.
  ///
  /// - Parameter session: The connection to use.
  /// - Returns: Whether the index is correct.
  /// - Throws: Errors other than a difference.
  package func isSound(on session: Session) throws -> Bool {
    let comparesContent = SearchDefinition.comparesContent(session.connection)
    do {
      try session.execute(definition.check(comparingContent: comparesContent))
      return true
    } catch let error as DriverError {
      guard error.code == .corrupt else { throw error }
      return false
    }
  }
}
