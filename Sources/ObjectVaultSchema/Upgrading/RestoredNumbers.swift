import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSession

/// The generated object IDs that objects had before their class got another object ID, and get
/// again because references still lead to them.
///
/// Objects that were stored in the meantime get the numbers after the last one.
struct RestoredNumbers {
  private static let column = ClassDescription.generatedIDColumn

  private let table: PresentTable
  /// The last number that was generated, or that an object has.
  private let last: Int64

  /// Finds the numbers of a class whose object IDs are generated from now on.
  ///
  /// The result is `nil` if the object IDs were generated before too, if the table has no numbers, or
  /// if neither a foreign key nor a removed reference leads to them.
  ///
  /// - Parameters:
  ///   - description: The class.
  ///   - change: The changes to its table.
  ///   - table: Its table in the file.
  ///   - schema: The tables of the file.
  /// - Throws: The errors of reading the file.
  init?(
    of description: ClassDescription, _ change: TableUpgrade, in table: PresentTable,
    _ schema: Schema
  ) throws {
    guard description.objectID == .generated, change.changesObjectID,
      let column = change.column(Self.column), column.affinity == "INTEGER",
      change.former(ofColumn: Self.column) == nil,
      try Self.isReferredTo(table.name, in: schema)
    else { return nil }
    self.table = table
    let sequence = GeneratedSequence(table: table.name)
    let greatest = try schema.session.with(
      "SELECT max(\(SQL.quoted(column.name))) FROM \(SQL.quoted(table.name))"
    ) { try $0.integer() }
    last = max(greatest ?? 0, try sequence.recorded(on: schema.session) ?? 0, 0)
  }

  /// Returns whether foreign keys or removed references lead to the numbers of a table.
  private static func isReferredTo(_ table: String, in schema: Schema) throws -> Bool {
    let leads = try schema.foreignKeys().flatMap(\.keys).contains { key in
      key.table.asciiLowercased == table.asciiLowercased
        && key.targetColumns.map(\.asciiLowercased) == [column.asciiLowercased]
    }
    if leads { return true }
    return try SystemTables(schema.session).describedClasses().contains { described in
      described.removed.contains { property in
        property.references.contains { $0.leads(to: column, ofTable: table) }
      }
    }
  }

  /// Returns the number of a row as SQL over the present table.
  func number(of alias: String) -> String {
    let (name, number) = (SQL.quoted(table.name), SQL.quoted(Self.column))
    let new = "FROM \(name) AS n WHERE n.\(number) IS NULL"
    let place: String
    if let row = table.rowIDName {
      place = "\(alias).\(row) - (SELECT min(n.\(row)) \(new)) + 1"
    } else {
      let (own, other) = (table.order(alias), table.order("n"))
      place =
        "(SELECT COUNT(*) \(new) AND (\(other.joined(separator: ", "))) <= "
        + "(\(own.joined(separator: ", "))))"
    }
    return "coalesce(\(alias).\(number), \(last) + \(place))"
  }

  /// Returns the statement that numbers the objects that were stored in the meantime.
  ///
  /// - Parameters:
  ///   - name: The new name of the table.
  ///   - order: The column with the order of insertion.
  /// - Returns: The statement.
  func completion(ofTable name: String, by order: String) -> String {
    let (name, number) = (SQL.quoted(name), SQL.quoted(Self.column))
    return "UPDATE \(name) SET \(number) = \(last) + \(order) - "
      + "(SELECT min(n.\(order)) FROM \(name) AS n WHERE n.\(number) IS NULL) + 1 "
      + "WHERE \(number) IS NULL"
  }
}
