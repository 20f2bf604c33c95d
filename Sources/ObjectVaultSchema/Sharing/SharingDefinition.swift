import ObjectVaultDriver
import ObjectVaultModel

/// The triggers of a table with columns that contain digests of shared contents.
///
/// They count the uses of each content and delete it with the last use. They call no functions of
/// the library, so that every program that changes rows maintains the counts. A digest without a
/// content is rejected.
package struct SharingDefinition {
  let table: String
  let columns: [String]

  package init(table: String, columns: [String]) {
    self.table = table
    self.columns = columns
  }

  /// Returns the common prefix of a table's trigger names.
  static func prefix(ofTable table: String) -> String { "objectvault_\(table)_shared_" }

  /// Returns the columns in the definition of a trigger that counts their contents after updates;
  /// none for another trigger.
  ///
  /// The definition has the present names, although another program renamed the table or a column.
  package static func columns(ofTrigger name: String, _ sql: String) -> [SharedBlobs.Column] {
    guard name.hasSuffix("_shared_update"), counts(name, sql) else { return [] }
    let target = SQLToken.target(ofTrigger: SQLToken.tokens(of: sql))
    guard let table = target.table else { return [] }
    return target.columns.map { SharedBlobs.Column(table: table, column: $0) }
  }

  /// Returns whether a trigger counts the contents of a table, also under a former name of it.
  static func counts(_ name: String, _ sql: String) -> Bool {
    name.hasBytePrefix("objectvault_") && sql.contains(SharedBlobs.uses)
      && ["insert", "delete", "update"].contains { name.hasSuffix("_shared_\($0)") }
  }

  /// The SQL statements by trigger name; empty if no column contains digests.
  package var statements: [String: String] {
    guard !columns.isEmpty else { return [:] }
    func differs(_ column: String) -> String {
      "old.\(SQL.quoted(column)) IS NOT new.\(SQL.quoted(column))"
    }
    return Dictionary(
      uniqueKeysWithValues: [
        trigger("insert", "AFTER INSERT", columns.flatMap { use($0) }),
        trigger("delete", "AFTER DELETE", columns.flatMap { release($0) }),
        trigger(
          "update", "AFTER UPDATE OF \(SQL.list(columns))",
          // Uses are added before they are released, so that a content that moves between columns
          // is retained.
          columns.flatMap { use($0, where: differs($0)) }
            + columns.flatMap { release($0, where: differs($0)) },
          when: columns.map(differs).joined(separator: " OR ")),
      ])
  }

  private func trigger(
    _ ending: String, _ event: String, _ body: [String], when condition: String? = nil
  ) -> (String, String) {
    SQL.trigger(Self.prefix(ofTable: table) + ending, event, on: table, body, when: condition)
  }

  private func use(_ column: String, where condition: String? = nil) -> [String] {
    let new = "new.\(SQL.quoted(column))"
    let also = condition.map { " AND \($0)" } ?? ""
    return [
      "SELECT RAISE(ABORT, 'bytes that objects share are written by a store, or as ov_share(bytes)') "
        + "WHERE (\(SharedBlobs.isLong(new)) OR \(SharedBlobs.isDigest(new)) AND NOT EXISTS (SELECT 1 "
        + "FROM \(SharedBlobs.contents) WHERE \"digest\" = \(new)))\(also)",
      "UPDATE \(SharedBlobs.uses) SET \"uses\" = \"uses\" + 1 WHERE \"digest\" = \(new)\(also)",
    ]
  }

  private func release(_ column: String, where condition: String? = nil) -> [String] {
    let old = "old.\(SQL.quoted(column))"
    let also = condition.map { " AND \($0)" } ?? ""
    return [
      "UPDATE \(SharedBlobs.uses) SET \"uses\" = \"uses\" - 1 WHERE \"digest\" = \(old)\(also)",
      "DELETE FROM \(SharedBlobs.contents) WHERE \"digest\" = \(old) AND (SELECT \"uses\" FROM "
        + "\(SharedBlobs.uses) WHERE \"digest\" = \(old)) <= 0",
      "DELETE FROM \(SharedBlobs.uses) WHERE \"digest\" = \(old) AND \"uses\" <= 0",
    ]
  }
}
