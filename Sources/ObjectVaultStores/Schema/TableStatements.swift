import ObjectVaultCondition
package import ObjectVaultDriver
package import ObjectVaultModel
package import ObjectVaultSchema

/// All SQL texts for the table of one class, created once.
///
/// The parameters are numbered by property, and the generated object ID comes after the last
/// property. A single `encode(into:)` therefore binds the parameters of every statement.
package final class TableStatements: Sendable {
  private let description: ClassDescription
  /// The SQL of the engine.
  let dialect: any Dialect
  /// The table as queries name it.
  package let queried: QueriedTable
  /// The quoted name of the table.
  package let table: String
  /// The quoted columns of a row in reading order, for lists of columns to write.
  let quotedColumns: [String]
  /// The quoted columns of a row in reading order, qualified with the table's name.
  ///
  /// Without the table's name, the engine would treat the quoted name of a missing column as a
  /// text.
  let qualifiedColumns: [String]
  /// The ``qualifiedColumns`` as values that compare by their bytes.
  let comparedColumns: [String]
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
  /// The rows for an engine that inserts many of them faster than by a statement; `nil` if the
  /// statement must compute a value.
  let copy: RowCopy?
  let replace: String
  let update: String
  let remove: String
  let find: String
  /// A statement that counts all rows.
  let count: StatementText
  /// A statement that returns the greatest object ID; `nil` if the object ID is not the number of
  /// the row, or if the statement costs a round trip.
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
  /// The rule of ``replace``.
  let replacing: ConflictRule

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
    _ description: ClassDescription, foreignKeys: [ForeignKey] = [], limits: [Limit] = [],
    replacing: ConflictRule = .replace, dialect: any Dialect, collated: CollatedColumns? = nil,
    sealers: SealerSource? = nil
  ) throws(VaultError) {
    self.description = description
    self.replacing = replacing
    self.dialect = dialect
    self.limits = limits
    let table = SQL.quoted(description.table)
    self.table = table
    let quoted = description.rowColumns.map(SQL.quoted)
    quotedColumns = quoted
    let qualified = quoted.map { "\(table).\($0)" }
    qualifiedColumns = qualified
    let own = collated?.positions(of: description.rowColumns, in: description.table) ?? []
    queried = QueriedTable(
      name: table, columns: quotedColumns, dialect: dialect, own: own, collated: collated,
      sealers: sealers)
    var compared = qualified
    for position in own { compared[position] = dialect.comparedByBytes(qualified[position]) }
    comparedColumns = compared
    let shared = description.sharedPositions
    var read: [String] = []
    for (position, column) in qualified.enumerated() {
      read.append(try dialect.read(column, isShared: shared.contains(position)))
    }
    readColumns = read
    columns = readColumns.joined(separator: ", ")
    let positions = 0..<description.rowColumns.count
    let isTimed = description.options.keepsInsertionTime
    let names = quotedColumns + (isTimed ? [InsertionTime.quotedColumn] : [])
    let time = isTimed ? [dialect.now] : []
    let key = description.objectIDPositions.map { quoted[$0] }
    var parameters: [String] = []
    for position in positions {
      parameters.append(try Self.stored(position, description, dialect))
    }
    func insertion(_ rows: [[String]], _ conflict: ConflictRule) -> String {
      dialect.insertion(
        into: table, names, key: key, isGenerated: description.objectIDIsRowID,
        rows: rows.map { $0 + time }, conflict)
    }
    insert = insertion([parameters], Self.insertionRule(description))
    replace = insertion([parameters], replacing)
    let isPlain =
      limits.isEmpty && shared.isEmpty && !isTimed && !description.hasSealed
      && description.search == nil && !names.isEmpty
    copy =
      isPlain
      ? RowCopy(
        table: table, columns: names,
        types: positions.map { description.rowType(at: $0).columnType },
        generated: description.objectIDIsRowID ? description.objectIDPositions[0] : nil) : nil
    severalCount = Self.severalCount(description, foreignKeys, limits, dialect)
    let rows = (0..<severalCount).map { row in
      positions.map {
        dialect.parameter(row * positions.count + $0 + 1, as: description.rowType(at: $0))
      }
    }
    insertSeveral = insertion(rows, .failLeavingRows)
    let isMeant = description.objectIDPositions.map {
      Self.equality(
        qualified[$0], compared[$0],
        dialect.parameter($0 + 1, as: description.rowType(at: $0)))
    }
    hasObjectID =
      (isMeant + Self.limitations(limits, qualified, compared, from: positions.count + 1, dialect))
      .joined(separator: " AND ")
    update = try Self.update(
      description, table: table, positions: nil, where: hasObjectID, dialect)
    guards = foreignKeys.map { Self.guarding($0, description, dialect) }
    guardedUpdate = ([update] + guards.map(\.text)).joined(separator: " AND ")
    var differs: [String] = []
    for position in description.properties.indices
    where !description.objectIDPositions.contains(position) {
      differs.append(
        dialect.equality(
          SQLOperand(compared[position], nil),
          SQLOperand(try Self.compared(position, description, dialect), nil), negated: true))
    }
    let differ = differs.isEmpty ? dialect.constant(false) : differs.joined(separator: " OR ")
    differingUpdate = "\(update) AND (\(differ))"
    references = "SELECT \(guards.map(\.text).joined(separator: ", "))"
    remove = "DELETE FROM \(table) WHERE \(hasObjectID)"
    select = "SELECT \(columns) FROM \(table)"
    find = "\(select) WHERE \(hasObjectID)"
    count = StatementText("SELECT count(*) FROM \(table)")
    lastNumber =
      description.objectIDIsRowID && dialect.isInProcess
      ? StatementText("SELECT max(\(qualified[description.objectIDPositions[0]])) FROM \(table)")
      : nil
  }

  /// Returns the rule for a single row that conflicts with another one.
  ///
  /// With the triggers of a history, an insert opens a statement journal unless nothing must be
  /// undone. The row and its change are rejected together, whatever the rule.
  private static func insertionRule(_ description: ClassDescription) -> ConflictRule {
    let recordsOnly = description.sharedPositions.isEmpty && description.search == nil
    return description.options.history == .changes && recordsOnly ? .failLeavingRows : .fail
  }

  /// Returns the number of rows in a statement that inserts several rows; 0 if rows must be
  /// inserted one by one.
  ///
  /// If such a statement fails, its effect is left to the transaction. This saves a third of the
  /// work, provided that no statement journal is opened. References and triggers would open one.
  private static func severalCount(
    _ description: ClassDescription, _ foreignKeys: [ForeignKey], _ limits: [Limit],
    _ dialect: any Dialect
  ) -> Int {
    guard foreignKeys.isEmpty, limits.isEmpty, description.sharedPositions.isEmpty,
      description.search == nil, !description.hasSealed, !description.rowColumns.isEmpty,
      dialect.numbersRowsInOrder || !description.objectIDIsRowID
    else { return 0 }
    let count = min(8, dialect.parameterLimit / description.rowColumns.count)
    return count > 1 ? count : 0
  }

  /// Returns an update of only the properties at `positions`.
  ///
  /// If `isGuarded` is `true`, the update finds the row only if the targets of all written
  /// references exist.
  func update(_ positions: [Int], isGuarded: Bool) throws(VaultError) -> String {
    let needed = guards.filter { isGuarded && !Set(positions).isDisjoint(with: $0.columns) }
    let update = try Self.update(
      description, table: table, positions: positions, where: hasObjectID, dialect)
    return ([update] + needed.map(\.text)).joined(separator: " AND ")
  }

  /// Returns the condition that a row satisfies the limits.
  ///
  /// There must be limits.
  ///
  /// The values of the limits are bound from the parameter number `parameter` on.
  func limitation(from parameter: Int) -> String {
    Self.limitations(limits, qualifiedColumns, comparedColumns, from: parameter, dialect)
      .joined(separator: " AND ")
  }

  private static func limitations(
    _ limits: [Limit], _ columns: [String], _ compared: [String], from parameter: Int,
    _ dialect: any Dialect
  ) -> [String] {
    limits.enumerated().map { offset, limit in
      limit.isNil
        ? "\(columns[limit.position]) IS NULL"
        : equality(
          columns[limit.position], compared[limit.position],
          dialect.parameter(parameter + offset))
    }
  }

  /// Returns a column of the table as a value that compares by its bytes.
  func compared(_ column: String) -> String {
    description.rowColumns.firstIndex(of: column).map { comparedColumns[$0] }
      ?? "\(table).\(SQL.quoted(column))"
  }

  /// Returns the condition that a column of the table has the value of a numbered parameter.
  func isEqual(_ column: String, to parameter: String) -> String {
    Self.equality("\(table).\(SQL.quoted(column))", compared(column), parameter)
  }

  /// Returns a comparison, which for a column with a collation uses its index first.
  private static func equality(
    _ column: String, _ compared: String, _ parameter: String
  ) -> String {
    let test = "\(compared) = \(parameter)"
    return column == compared ? test : "\(column) = \(parameter) AND \(test)"
  }

  /// Returns the condition that a property's column equals the bound value, compared as in a unique
  /// index of the table.
  ///
  /// Its parameter is bound by ``VaultObject/encode(into:)``, or the index of a sealed value.
  func isEqual(_ position: Int) throws(VaultError) -> String {
    let value = try Self.compared(position, description, dialect)
    let column = qualifiedColumns[position]
    let isSealed = description.sealedColumn(position) != nil
    return "\(isSealed ? SQL.sealedIndex(of: column) : column) = \(value)"
  }

  private static func compared(
    _ position: Int, _ description: ClassDescription, _ dialect: any Dialect
  ) throws(VaultError) -> String {
    try dialect.compared(
      dialect.parameter(position + 1, as: description.rowType(at: position)),
      isShared: description.sharedPositions.contains(position))
  }

  /// Returns the expression that is stored in a property's column.
  private static func stored(
    _ position: Int, _ description: ClassDescription, _ dialect: any Dialect
  ) throws(VaultError) -> String {
    try dialect.stored(
      dialect.parameter(position + 1, as: description.rowType(at: position)),
      isShared: description.sharedPositions.contains(position))
  }

  /// Returns the condition that the target of a reference exists.
  ///
  /// The reference is bound at the positions of its columns.
  private static func guarding(
    _ key: ForeignKey, _ description: ClassDescription, _ dialect: any Dialect
  ) -> (columns: [Int], text: String) {
    let positions = key.columns.compactMap(description.rowColumns.firstIndex(of:))
    func parameter(_ position: Int) -> String {
      dialect.parameter(position + 1, as: description.rowType(at: position))
    }
    let isNil = positions.map { "\(parameter($0)) IS NULL" }.joined(separator: " OR ")
    let target = SQL.quoted(key.target)
    let isMeant = zip(key.targetColumns, positions)
      .map { "\(target).\(SQL.quoted($0)) = \(parameter($1))" }.joined(separator: " AND ")
    return (positions, "(\(isNil) OR EXISTS (SELECT 1 FROM \(target) WHERE \(isMeant)))")
  }

  /// Returns an update of one row.
  ///
  /// A failure must undo the shared contents that it stored, and what triggers did to a full-text
  /// index.
  private static func update(
    _ description: ClassDescription, table: String, positions: [Int]?, where condition: String,
    _ dialect: any Dialect
  ) throws(VaultError) -> String {
    let changeable = description.properties.indices.filter {
      !description.objectIDPositions.contains($0)
    }
    var assigned = positions ?? changeable
    // If the class has no other properties than its object ID, the statement must still find the
    // row.
    if assigned.isEmpty { assigned = description.objectIDPositions }
    let shared = description.sharedPositions
    var assignments: [String] = []
    for position in assigned {
      let column = SQL.quoted(description.rowColumns[position])
      assignments.append("\(column) = \(try stored(position, description, dialect))")
    }
    let update = dialect.update(
      table, assignments, isUndone: !shared.isEmpty || description.search != nil)
    return "\(update) WHERE \(condition)"
  }
}

extension TableStatements {
  /// Returns the statement of a slot.
  func text(of slot: Table.Slot) -> String {
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
