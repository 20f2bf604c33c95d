import ObjectVaultCondition
import ObjectVaultEngine

/// The objects of a class that a store is limited to: those in which some properties have certain
/// values.
final class Partition: Sendable {
  /// A property, and the value that it has in every object.
  struct Term: Sendable, Equatable {
    let property: PropertyDescription
    /// Where it stands in a row.
    let position: Int
    let value: StoredValue
    /// The same as an object binds it.
    let bound: BoundValue
  }

  /// In the order of the class.
  let terms: [Term]
  /// What conditions on the objects are joined with.
  let condition: ResolvedCondition
  /// The statements of the class, which find no other objects by their objectIDs.
  let sql: TableSQL

  init(_ terms: [Term], of state: TableState) {
    self.terms = terms
    condition = .all(terms.map(\.condition))
    sql = TableSQL(
      state.description, foreignKeys: state.foreignKeys,
      limits: terms.map { TableSQL.Limit(position: $0.position, isNil: $0.value.isNull) })
  }

  /// The condition that a row is of the partition, behind another one.
  ///
  /// - Parameter parameter: The number of the first value, which ``bind(to:at:)`` binds.
  func clause(from parameter: Int) -> String {
    " AND " + sql.limitation(from: parameter)
  }

  /// Binds the values where ``sql`` or ``clause(from:)`` expects them.
  ///
  /// - Parameter start: Where that begins, counted from 0.
  func bind(to binder: Binder, at start: Int) {
    for (offset, term) in terms.enumerated() { term.value.bind(to: binder, at: start + offset) }
  }

  /// Binds the values behind those of an object, where the statements of ``sql`` expect them.
  func bind(to binder: Binder) { bind(to: binder, at: sql.quotedColumns.count) }

  /// Whether the row of a statement is of the partition.
  ///
  /// - Parameter places: Where the class's columns stand in the row.
  func contains(_ row: Row, at places: [Int]) -> Bool {
    terms.allSatisfy { row.storedValue(at: places[$0.position]) == $0.value }
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
