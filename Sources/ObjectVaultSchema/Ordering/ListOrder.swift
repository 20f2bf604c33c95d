package import ObjectVaultDriver
package import ObjectVaultModel
package import ObjectVaultSession

/// The column with the positions of the objects in an ordered property of their owners.
///
/// The column belongs to the table of the owned objects. No property can have its name. A row
/// without a position comes after all others. A trigger removes the position of a row that moves to
/// another owner, for every program that writes to the file.
package struct ListOrder: Hashable {
  /// The prefix of the columns' names, which is reserved for the library.
  package static let prefix = "ov_order_"

  /// The table of the owned objects.
  package let table: String
  /// The name of the column.
  package let column: String
  /// The columns of the owned objects' object ID.
  private let key: [String]
  /// The columns of the reference to the owner, and those that they refer to.
  let reference: [String]
  private let targetColumns: [String]
  /// The table of the class with the property.
  let owner: String

  /// Creates the order of an owned property, if it is ordered and the class has its reference.
  ///
  /// - Parameters:
  ///   - owned: The property.
  ///   - child: The class of the owned objects.
  ///   - owner: The table of the class with the property. The file's description of the owned
  ///     objects can contain a former name of it.
  package init?(
    _ owned: OwnedDescription, of child: ClassDescription, ownedBy owner: String
  ) {
    guard owned.isOrdered, let reference = child.reference(named: owned.reference) else {
      return nil
    }
    let columns = child.columns(of: reference.properties)
    guard let first = columns.first else { return nil }
    table = child.table
    column = Self.column(first)
    key = child.objectIDPositions.map { child.rowColumns[$0] }
    self.reference = columns
    targetColumns = reference.targetColumns
    self.owner = owner
  }

  /// Returns the name of the column for a reference, by the reference's first column.
  static func column(_ reference: String) -> String { prefix + reference }

  /// Returns the orders of the classes' owned properties, each once.
  ///
  /// - Parameters:
  ///   - owners: The classes with owned properties.
  ///   - child: Returns the class that is stored in a table, if it is known.
  /// - Returns: The orders, without those of unknown classes.
  package static func all(
    of owners: [ClassDescription], _ child: (String) throws -> ClassDescription?
  ) rethrows -> [ListOrder] {
    var orders: [ListOrder] = []
    for owner in owners {
      for owned in owner.owned where owned.isOrdered {
        guard let child = try child(owned.target),
          let order = ListOrder(owned, of: child, ownedBy: owner.table), !orders.contains(order)
        else { continue }
        orders.append(order)
      }
    }
    return orders
  }

  /// Returns the orders of declared classes, which may own objects of other classes of the file.
  package static func all(
    of declarations: [ClassDeclaration], on session: Session
  ) throws -> [ListOrder] {
    let declared = declarations.map(\.description)
    return try all(of: declared) { table in
      try declared.first { $0.table == table } ?? SystemTables(session).description(ofTable: table)
    }
  }

  /// Returns the orders of all classes that are described in a file.
  package static func all(in descriptions: [ClassDescription]) -> [ListOrder] {
    all(of: descriptions) { table in descriptions.first { $0.table == table } }
  }

  // MARK: The trigger

  /// Returns the common prefix of a table's trigger names.
  static func triggerPrefix(ofTable table: String) -> String { "objectvault_\(table)_order_" }

  /// The name of the trigger.
  package var triggerName: String { Self.triggerPrefix(ofTable: table) + reference[0] }

  /// The trigger that removes the position of an object that moves to another owner.
  ///
  /// If the object ID of the owner itself changes, no row has the old one any more and the position
  /// stays.
  private var trigger: ClearingTrigger {
    func each(_ separator: String, _ term: (Int) -> String) -> String {
      reference.indices.map(term).joined(separator: separator)
    }
    let columns = reference.map(SQL.quoted)
    let isNone = each(" OR ") { "new.\(columns[$0]) IS NULL" }
    let isOwner = each(" AND ") { "\(SQL.quoted(targetColumns[$0])) = old.\(columns[$0])" }
    return ClearingTrigger(
      name: triggerName, table: table, key: key, cleared: column, columns: reference,
      condition: "\(isNone) OR EXISTS (SELECT 1 FROM \(SQL.quoted(owner)) WHERE \(isOwner))")
  }

  /// The definition of the trigger.
  package var triggerDefinition: String { trigger.definition }

  // MARK: The file

  /// Returns whether the file has the column.
  package func hasColumn(in schema: Schema) throws -> Bool {
    try schema.columns(of: table).contains { $0.name == column }
  }

  /// Returns whether the file has the column and the trigger.
  package func isComplete(in schema: Schema) throws -> Bool {
    guard try hasColumn(in: schema) else { return false }
    return try schema.objects("trigger", of: table)
      .contains { $0.sql == triggerDefinition }
  }

  /// Returns the statement that adds the column.
  package func addition(_ catalog: any Catalog) -> String {
    "ALTER TABLE \(SQL.quoted(table)) ADD COLUMN \(SQL.quoted(column)) "
      + catalog.columnType("INTEGER")
  }

  /// Creates the column and the trigger if they are missing, inside a transaction.
  func create(in schema: Schema) throws {
    if try schema.columns(of: table).isEmpty { return }
    if try !hasColumn(in: schema) { try schema.session.execute(addition(schema.catalog)) }
    if try isComplete(in: schema) { return }
    let catalog = schema.catalog
    try schema.session.execute(catalog.dropTrigger(triggerName))
    for sql in catalog.make(trigger) { try schema.session.execute(sql) }
  }
}

extension Schema {
  /// Drops the orders of a table that no class declares any more, inside a transaction.
  ///
  /// Their triggers are dropped. The positions are removed, because nothing maintains them.
  ///
  /// - Parameters:
  ///   - table: The table of the owned objects.
  ///   - former: The former name of the table, if it was renamed.
  ///   - declared: The orders that classes declare.
  ///   - areRenamed: Whether columns of the table were renamed. The triggers of declared orders are
  ///     dropped too then, because they may name other columns.
  /// - Throws: The errors of the statements.
  func dropOrders(
    ofTable table: String, formerly former: String? = nil, except declared: [ListOrder],
    areRenamed: Bool = false
  ) throws {
    let own = declared.filter { $0.table == table }
    for object in try objects("trigger", of: table) {
      // The engine may have shortened the name.
      let name = SQLToken.tokens(of: object.sql).dropFirst(2).first?.name ?? object.name
      guard areRenamed || !own.contains(where: { $0.triggerName == name }),
        [table, former].compactMap({ $0 }).map(ListOrder.triggerPrefix)
          .contains(where: name.hasPrefix)
      else { continue }
      try session.execute(catalog.dropTrigger(name))
    }
    for column in try columns(of: table).map(\.name)
    where column.hasBytePrefix(ListOrder.prefix) && !own.contains(where: { $0.column == column }) {
      try session.execute(
        "UPDATE \(SQL.quoted(table)) SET \(SQL.quoted(column)) = NULL "
          + "WHERE \(SQL.quoted(column)) IS NOT NULL")
    }
  }
}
