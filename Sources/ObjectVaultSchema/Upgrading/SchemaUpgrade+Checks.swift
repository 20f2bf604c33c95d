import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSession

extension SchemaUpgrade {
  /// Checks that no newer program gave the table of a missing class to a class with another name.
  ///
  /// - Throws: `.newerSchema` with the names of both classes.
  static func checkRenamed(_ all: [ClassUpgrade], on session: Session) throws {
    let missing = all.filter { $0.table == nil }.map(\.description)
    if missing.isEmpty { return }
    let declared = Set(all.map(\.description.table))
    let others = try SystemTables(session).descriptions().filter { !declared.contains($0.table) }
    for description in missing {
      let name = description.table.asciiLowercased
      guard
        let newer = others.first(where: { other in
          other.version > description.version
            && other.renamedFrom.contains { $0.asciiLowercased == name }
        })
      else { continue }
      throw VaultError(
        .newerSchema,
        "Table '\(description.table)' of class '\(description.name)', which has version "
          + "\(description.version) in this program, was renamed to '\(newer.table)' by a newer "
          + "program: class '\(newer.name)' has version \(newer.version). Use the newer program. If "
          + "'\(description.name)' is another class, set its version to \(newer.version), or set "
          + "another name of its table with `table:`.")
    }
  }

  /// Checks that each order of the classes has a column of its own.
  ///
  /// - Parameters:
  ///   - orders: The orders of the classes.
  ///   - declared: The classes.
  ///   - session: A session of the file, which can describe further orders.
  /// - Throws: `.invalidClass` if two orders have the same column.
  static func checkOrders(
    _ orders: [ListOrder], of declared: [ClassDescription], on session: Session
  ) throws {
    if orders.isEmpty { return }
    let own = Set(declared.map(\.table))
    let others = try SystemTables(session).descriptions().filter { !own.contains($0.table) }
    let all = ListOrder.all(in: declared + others)
    for order in orders {
      guard let other = all.first(where: { order.isStored(like: $0) }),
        let owner = declared.first(where: { $0.table == order.owner })
      else { continue }
      throw owner.invalid(
        "the positions of its ordered objects of table '\(order.table)' would be in the same column "
          + "as those for '\(other.owner)', because both references begin with the same column",
        remedy: "Remove `ordered` from one of the two properties, and sort its objects by a "
          + "property.")
    }
  }
}

extension ListOrder {
  /// Returns whether another order has the same column for another reference.
  fileprivate func isStored(like other: ListOrder) -> Bool {
    table == other.table && column == other.column && reference != other.reference
  }
}
