import ObjectVaultCondition
package import ObjectVaultDriver
import ObjectVaultModel

/// The limit of a store to the objects in which some properties have certain values.
package final class Partition: Sendable {
  /// A property with its value in every object of the partition.
  struct Term: Sendable, Equatable {
    let property: PropertyDescription
    /// The position of the property in a row.
    let position: Int
    let value: StoredValue
    /// The value as an object binds it.
    let bound: BoundValue
  }

  /// The properties with their values, in the order of the class.
  let terms: [Term]
  /// The condition that every condition on the objects is combined with.
  let condition: ResolvedCondition
  /// The statements of the class, limited to objects of the partition.
  let sql: TableStatements

  init(_ terms: [Term], of table: Table) throws(VaultError) {
    self.terms = terms
    condition = .all(terms.map(\.condition))
    sql = try TableStatements(
      table.description, foreignKeys: table.foreignKeys,
      limits: terms.map { TableStatements.Limit(position: $0.position, isNil: $0.value.isNull) },
      replacing: table.sql.replacing, dialect: table.sql.dialect,
      collated: table.sql.queried.collated)
  }

  /// Returns the condition that a row is in the partition, to append to another one.
  ///
  /// - Parameter parameter: The number of the first value, which ``bind(to:at:)`` binds.
  /// - Returns: The SQL text.
  func clause(from parameter: Int) -> String {
    " AND " + sql.limitation(from: parameter)
  }

  /// Binds the values at the parameters that ``sql`` or ``clause(from:)`` uses.
  ///
  /// - Parameters:
  ///   - binder: The binder of the statement.
  ///   - start: The index of the first parameter, counted from 0.
  func bind(to binder: Binder, at start: Int) {
    for (offset, term) in terms.enumerated() { term.value.bind(to: binder, at: start + offset) }
  }

  /// Binds the values after those of an object, as the statements of ``sql`` require.
  func bind(to binder: Binder) { bind(to: binder, at: sql.quotedColumns.count) }

  /// Returns whether the row of a statement is in the partition.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - places: The positions of the class's columns in the row.
  /// - Returns: `true` if the row has the values of the partition.
  package func contains(_ row: Row, at places: [Int]) -> Bool {
    terms.allSatisfy {
      $0.property.type.restored(row.storedValue(at: places[$0.position])) == $0.value
    }
  }
}

extension Partition.Term {
  init(_ property: PropertyDescription, at position: Int, is value: StoredValue) {
    self.property = property
    self.position = position
    self.value = value
    bound = BoundValue.values(1) { value.bind(to: $0, at: 0) }[0]
  }

  fileprivate var condition: ResolvedCondition {
    let shape = ValueShape(
      PropertyShape(
        property.name, at: position, type: property.type, isOptional: property.isOptional))
    return value.isNull ? .isNil(shape) : .compare(shape, .equal, .value(value), [])
  }
}
