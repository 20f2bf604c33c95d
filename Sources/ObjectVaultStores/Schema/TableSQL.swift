import ObjectVaultCondition
import ObjectVaultDriver
package import ObjectVaultModel
package import ObjectVaultSchema

/// All SQL texts for the table of one class, created once.
///
/// The parameters are numbered by property, and the generated object ID comes after the last
/// property. A single `encode(into:)` therefore binds the parameters of every statement.
package struct TableSQL: Sendable {
  private let description: ClassDescription
  /// The quoted name of the table.
  let table: String
  /// The quoted columns of a row in reading order, for lists of columns to write.
  let quotedColumns: [String]
  /// The quoted columns of a row in reading order, qualified with the table's name.
  ///
  /// Without the table's name, the engine would treat the quoted name of a missing column as a
  /// text.
  let qualifiedColumns: [String]
  /// The expressions that read the columns of a row in reading order.
  ///
  /// They are the ``qualifiedColumns``, with the contents instead of the digests of shared blobs.
  package let readColumns: [String]
  /// The ``readColumns``, separated by commas.
  let columns: String
  /// The start of a statement that reads rows, up to the name of the table.
  let select: String
  let insert: String
  /// A statement that inserts ``severalCount`` rows.
  ///
  /// The parameters of the rows follow each other.
  let insertSeveral: String
  /// The number of rows in ``insertSeveral``; 0 if each row needs its own statement.
  let severalCount: Int
  let replace: String
  let update: String
  let remove: String
  let find: String
  /// A statement that counts all rows.
  let count: StatementText
  /// A statement that returns the greatest object ID, or `nil` if the object ID is not the table's
  /// rowid.
  let lastNumber: StatementText?
  /// An update that finds its row only if the target of every reference exists.
  let guardedUpdate: String
  /// An update that finds its row only if it changes a value.
  let differingUpdate: String
  /// A query that returns for each reference, in the order of the foreign keys, whether its target
  /// exists.
  let references: String
  /// The conditions that the targets of references exist, each with the columns that it uses.
  private let guards: [(columns: [Int], text: String)]
  /// The condition that a row has the bound object ID and satisfies the limits.
  let hasObjectID: String
  private let limits: [Limit]

  /// A property that must have a certain value, or none, in every row that is found by its object
  /// ID.
  package struct Limit: Sendable {
    let position: Int
    let isNil: Bool
  }

  /// Creates the statements of a class.
  ///
  /// If there are limits, the statements find only rows that satisfy them. The values of the limits
  /// are bound after the columns of a row.
  package init(
    _ description: ClassDescription, foreignKeys: [ForeignKey] = [], limits: [Limit] = []
  ) {
    self.description = description
    self.limits = limits
    let table = SQL.quoted(description.table)
    self.table = table
    quotedColumns = description.rowColumns.map(SQL.quoted)
    let qualified = quotedColumns.map { "\(table).\($0)" }
    qualifiedColumns = qualified
    let shared = description.sharedPositions
    readColumns = qualified.enumerated().map {
      shared.contains($0) ? SharedBlobs.content(of: $1) : $1
    }
    columns = readColumns.joined(separator: ", ")
    let positions = 0..<description.rowColumns.count
    let timed = description.options.keepsInsertionTime
    let names = quotedColumns + (timed ? [InsertionTime.quotedColumn] : [])
    let parameters = positions.map { Self.stored($0, shared) }.joined(separator: ", ")
    let values =
      "INTO \(table) (\(names.joined(separator: ", "))) "
      + "VALUES (\(parameters)\(timed ? ", \(InsertionTime.now)" : ""))"
    insert = "INSERT \(values)"
    severalCount = Self.severalCount(description, foreignKeys, limits)
    let rows = (0..<severalCount).map { row in
      let numbers = positions.map { "?\(row * positions.count + $0 + 1)" }
      return "(\(numbers.joined(separator: ", "))\(timed ? ", \(InsertionTime.now)" : ""))"
    }
    insertSeveral =
      "INSERT OR FAIL INTO \(table) (\(names.joined(separator: ", "))) "
      + "VALUES \(rows.joined(separator: ", "))"
    replace = "INSERT OR REPLACE \(values)"
    let isMeant = description.objectIDPositions.map { "\(qualified[$0]) = ?\($0 + 1)" }
    hasObjectID =
      (isMeant + Self.limitations(limits, qualified, from: positions.count + 1))
      .joined(separator: " AND ")
    update = Self.update(description, table: table, positions: nil, where: hasObjectID)
    guards = foreignKeys.map { Self.guarding($0, columns: description.rowColumns) }
    guardedUpdate = ([update] + guards.map(\.text)).joined(separator: " AND ")
    let differs = description.properties.indices.filter {
      !description.objectIDPositions.contains($0)
    }.map { "\(qualified[$0]) IS NOT \(Self.compared($0, shared))" }
    differingUpdate =
      "\(update) AND (\(differs.isEmpty ? "0" : differs.joined(separator: " OR ")))"
    references = "SELECT \(guards.map(\.text).joined(separator: ", "))"
    remove = "DELETE FROM \(table) WHERE \(hasObjectID)"
    select = "SELECT \(columns) FROM \(table)"
    find = "\(select) WHERE \(hasObjectID)"
    count = StatementText("SELECT count(*) FROM \(table)")
    lastNumber =
      description.objectIDIsRowID
      ? StatementText("SELECT max(\(qualified[description.objectIDPositions[0]])) FROM \(table)")
      : nil
  }

  /// Returns the number of rows in a statement that inserts several rows; 0 if rows must be
  /// inserted one by one.
  ///
  /// If such a statement fails, its effect is left to the transaction. This saves a third of the
  /// work, provided that no statement journal is opened. References and triggers would open one.
  private static func severalCount(
    _ description: ClassDescription, _ foreignKeys: [ForeignKey], _ limits: [Limit]
  ) -> Int {
    guard foreignKeys.isEmpty, limits.isEmpty, description.sharedPositions.isEmpty,
      description.search == nil, !description.rowColumns.isEmpty
    else { return 0 }
    // The engine binds at most 999 values.
    let count = min(8, 999 / description.rowColumns.count)
    return count > 1 ? count : 0
  }

  /// Returns an update of only the properties at `positions`.
  ///
  /// If `isGuarded` is `true`, the update finds the row only if the targets of all written
  /// references exist.
  func update(_ positions: [Int], isGuarded: Bool) -> String {
    let needed = guards.filter { isGuarded && !Set(positions).isDisjoint(with: $0.columns) }
    let update = Self.update(description, table: table, positions: positions, where: hasObjectID)
    return ([update] + needed.map(\.text)).joined(separator: " AND ")
  }

  /// Returns the condition that a row satisfies the limits.
  ///
  /// There must be limits.
  ///
  /// The values of the limits are bound from the parameter number `parameter` on.
  func limitation(from parameter: Int) -> String {
    Self.limitations(limits, qualifiedColumns, from: parameter).joined(separator: " AND ")
  }

  private static func limitations(
    _ limits: [Limit], _ columns: [String], from parameter: Int
  ) -> [String] {
    limits.enumerated().map { offset, limit in
      limit.isNil
        ? "\(columns[limit.position]) IS NULL"
        : "\(columns[limit.position]) = ?\(parameter + offset)"
    }
  }

  /// Returns the expression that a property's column is compared with.
  ///
  /// Its parameter is bound by ``VaultObject/encode(into:)``.
  func compared(_ position: Int) -> String {
    Self.compared(position, description.sharedPositions)
  }

  private static func compared(_ position: Int, _ shared: Set<Int>) -> String {
    let value = "?\(position + 1)"
    return shared.contains(position) ? SharedBlobs.digest(of: value) : value
  }

  /// Returns the expression that is stored in a property's column.
  private static func stored(_ position: Int, _ shared: Set<Int>) -> String {
    let value = "?\(position + 1)"
    return shared.contains(position) ? SharedBlobs.stored(value) : value
  }

  /// Returns the condition that the target of a reference exists.
  ///
  /// The reference is bound at the positions of its columns.
  private static func guarding(
    _ key: ForeignKey, columns: [String]
  ) -> (columns: [Int], text: String) {
    let positions = key.columns.compactMap(columns.firstIndex(of:))
    let isNil = positions.map { "?\($0 + 1) IS NULL" }.joined(separator: " OR ")
    let target = SQL.quoted(key.target)
    let isMeant = zip(key.targetColumns, positions)
      .map { "\(target).\(SQL.quoted($0)) = ?\($1 + 1)" }.joined(separator: " AND ")
    return (positions, "(\(isNil) OR EXISTS (SELECT 1 FROM \(target) WHERE \(isMeant)))")
  }

  /// Returns an update with `OR FAIL`, unless the class has shared blobs.
  ///
  /// A statement that may have to undo one of several rows opens a statement journal, which
  /// SQLCipher 3.4 encrypts page by page, at six times the cost. For a single row, `OR FAIL` has
  /// the same effect as the default. It is not used if the statement also stores shared blobs,
  /// which must be undone if it fails.
  private static func update(
    _ description: ClassDescription, table: String, positions: [Int]?, where condition: String
  ) -> String {
    let changeable = description.properties.indices.filter {
      !description.objectIDPositions.contains($0)
    }
    var assigned = positions ?? changeable
    // If the class has no other properties than its object ID, the statement must still find the
    // row.
    if assigned.isEmpty { assigned = description.objectIDPositions }
    let shared = description.sharedPositions
    let assignments = assigned.map {
      "\(SQL.quoted(description.rowColumns[$0])) = \(stored($0, shared))"
    }
    let verb = shared.isEmpty ? "UPDATE OR FAIL" : "UPDATE"
    return "\(verb) \(table) SET \(assignments.joined(separator: ", ")) WHERE \(condition)"
  }
}

extension TableSQL {
  /// Returns the statement of a slot.
  func text(of slot: TableState.Slot) -> String {
    switch slot {
    case .insert: insert
    case .insertSeveral: insertSeveral
    case .replace: replace
    case .update: update
    case .remove: remove
    case .find: find
    case .guardedUpdate: guardedUpdate
    case .differingUpdate: differingUpdate
    }
  }
}
