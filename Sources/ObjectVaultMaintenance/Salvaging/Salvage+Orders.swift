import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

extension Salvage {
  /// Adds the positions of ordered objects to a table that is created from a description, and the
  /// triggers that maintain them.
  mutating func addOrders(ofTable table: String, of descriptions: [ClassDescription]) throws {
    let schema = Schema(on: Session(target))
    for order in ListOrder.all(in: descriptions) where order.table == table {
      if try !order.hasColumn(in: schema) {
        try target.execute(order.addition(SQLiteCatalog()))
      }
      looseIndexes.append(
        StoredSchema.Entry(
          type: "trigger", name: order.triggerName, table: table, root: 0,
          sql: order.triggerDefinition))
    }
  }
}
