import ObjectVaultCondition
import ObjectVaultEngine

/// Every SQL text of one class's table, made once.
///
/// Parameters are numbered by property, the generated objectID after the last: whatever a
/// statement uses, one `encode(into:)` binds it.
struct TableSQL: Sendable {
  private let description: ClassDescription
  /// The table's name, quoted.
  let table: String
  /// The columns of a row in the order objects read them, quoted: for lists of columns to be written.
  let quotedColumns: [String]
  /// The columns of a row in the order objects read them, quoted, with the table's name: without it,
  /// the engine would take the name of a column that somebody took away for a text.
  let qualifiedColumns: [String]
  /// What reads each column of a row in the order objects read them: the ``qualifiedColumns``, and the
  /// contents that shared ones stand for.
  let readColumns: [String]
  /// The ``readColumns``, separated by commas.
  let columns: String
  /// What reads rows, up to the name of the table.
  let select: String
  let insert: String
  /// Inserts ``severalCount`` rows, whose parameters follow each other.
  let insertSeveral: String
  /// How many rows that takes; 0 where each must have a statement of its own.
  let severalCount: Int
  let replace: String
  let update: String
  let remove: String
  let find: String
  /// Counts every row.
  let count: StatementText
  /// The largest objectID there is, where it is the table's rowid.
  let lastNumber: StatementText?
  /// The update that finds its row only while every reference has its object.
  let guardedUpdate: String
  /// The update that finds its row only where it changes something.
  let differingUpdate: String
  /// Says for each reference, in the order of the foreign keys, whether it has its object.
  let references: String
  /// The conditions that references have their objects, each with the columns that it asks for.
  private let guards: [(columns: [Int], text: String)]
  /// The condition that a row has the objectID that is bound, and is within the limits.
  let hasObjectID: String
  private let limits: [Limit]

  /// A property that must have a certain value, or none, in every row that is found by its objectID.
  struct Limit: Sendable {
    let position: Int
    let isNil: Bool
  }

  /// - Parameter limits: What rows are found; their values are bound behind the columns of a row.
  init(
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

  /// How many rows a statement inserts that leaves what it did to the transaction where it fails:
  /// that saves a third of the work, where no journal is opened for the statement. References would
  /// have one opened, and so would triggers.
  private static func severalCount(
    _ description: ClassDescription, _ foreignKeys: [ForeignKey], _ limits: [Limit]
  ) -> Int {
    guard foreignKeys.isEmpty, limits.isEmpty, description.sharedPositions.isEmpty,
      description.search == nil, !description.rowColumns.isEmpty
    else { return 0 }
    // The engine binds 999 values.
    let count = min(8, 999 / description.rowColumns.count)
    return count > 1 ? count : 0
  }

  /// An update of the properties at `positions` only.
  ///
  /// - Parameter isGuarded: Whether to find the row only while every reference that is written has its
  ///   object.
  func update(_ positions: [Int], isGuarded: Bool) -> String {
    let needed = guards.filter { isGuarded && !Set(positions).isDisjoint(with: $0.columns) }
    let update = Self.update(description, table: table, positions: positions, where: hasObjectID)
    return ([update] + needed.map(\.text)).joined(separator: " AND ")
  }

  /// The condition that a row is within the limits, which there are.
  ///
  /// - Parameter parameter: The number of the first value.
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

  /// What the column of a property is compared with, bound by ``VaultObject/encode(into:)``.
  func compared(_ position: Int) -> String {
    Self.compared(position, description.sharedPositions)
  }

  private static func compared(_ position: Int, _ shared: Set<Int>) -> String {
    let value = "?\(position + 1)"
    return shared.contains(position) ? SharedBlobs.digest(of: value) : value
  }

  /// What the column of a property is given.
  private static func stored(_ position: Int, _ shared: Set<Int>) -> String {
    let value = "?\(position + 1)"
    return shared.contains(position) ? SharedBlobs.stored(value) : value
  }

  /// The condition that the reference bound at the positions of its columns has its object.
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

  /// `OR FAIL`, since a statement that may have to undo one row of several opens a journal, which
  /// SQLCipher 3.4 encrypts page by page: six times the cost. For one row both do the same; but not
  /// where the statement stores contents that objects share, which go where it fails.
  private static func update(
    _ description: ClassDescription, table: String, positions: [Int]?, where condition: String
  ) -> String {
    let changeable = description.properties.indices.filter {
      !description.objectIDPositions.contains($0)
    }
    var assigned = positions ?? changeable
    // A class of nothing but its objectID: the statement must still find the row.
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
  /// The statement of a slot.
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

extension ClassDescription {
  /// The columns of a row in the order objects read them: the properties, then a generated ID.
  var rowColumns: [String] {
    properties.map(\.column) + (objectID == .generated ? [Self.generatedIDColumn] : [])
  }

  /// The positions in ``rowColumns`` of the columns that make the objectID.
  var objectIDPositions: [Int] {
    switch objectID {
    case .generated: [properties.count]
    case .properties(let positions): positions
    }
  }

  /// The numbers that the engine may generate for an objectID.
  var generatedNumbers: ClosedRange<Int64> {
    guard case .properties(let positions) = objectID, objectIDIsRowID else { return .min ... .max }
    return properties[positions[0]].type.integerRange
  }

  /// Whether the objectID is the table's rowid: a number that is generated where none is given.
  var objectIDIsRowID: Bool {
    if options.isWithoutRowID { return false }
    return switch objectID {
    case .generated: true
    case .properties(let positions):
      positions.count == 1 && properties[positions[0]].type.family == .integer
    }
  }
}
