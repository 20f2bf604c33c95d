import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile
import ObjectVaultModel
import ObjectVaultSchema

extension Salvage {
  /// Adds the positions of ordered objects to a table that is created from a description, and the
  /// triggers that maintain them.
  mutating func addOrders(ofTable table: String, of descriptions: [ClassDescription]) throws {
    for order in ListOrder.all(in: descriptions) where order.table == table {
      try target.execute(order.addition(SQLiteCatalog()))
      looseIndexes.append(
        StoredSchema.Entry(
          type: "trigger", name: order.triggerName, table: table, root: 0,
          sql: order.triggerDefinition))
    }
  }
}
