import ObjectVaultCondition

/// Every SQL text of one class's table, made once.
///
/// Parameters are numbered by property, the generated objectID after the last: whatever a
/// statement uses, one `encode(into:)` binds it.
struct TableSQL: Sendable {
  private let description: ClassDescription
  /// The table's name, quoted.
  let table: String
  /// The columns of a row in the order objects read them, quoted.
  let quotedColumns: [String]
  /// The columns of a row in the order objects read them, quoted and separated by commas.
  let columns: String
  let insert: String
  let replace: String
  let update: String
  let remove: String
  let find: String
  /// The condition that one row has the objectID bound from `objectIDPosition` on.
  private let hasObjectID: String

  init(_ description: ClassDescription) {
    self.description = description
    table = SQL.quoted(description.table)
    quotedColumns = description.rowColumns.map(SQL.quoted)
    columns = quotedColumns.joined(separator: ", ")
    let positions = 0..<description.rowColumns.count
    let values =
      "INTO \(table) (\(columns)) VALUES (\(SQL.parameters(positions)))"
    insert = "INSERT \(values)"
    replace = "INSERT OR REPLACE \(values)"
    hasObjectID = description.objectIDPositions.map {
      "\(SQL.quoted(description.rowColumns[$0])) = ?\($0 + 1)"
    }.joined(separator: " AND ")
    update = Self.update(description, table: table, positions: nil, where: hasObjectID)
    remove = "DELETE FROM \(table) WHERE \(hasObjectID)"
    find = "SELECT \(columns) FROM \(table) WHERE \(hasObjectID)"
  }

  /// An update of the properties at `positions` only.
  func update(_ positions: [Int]) -> String {
    Self.update(description, table: table, positions: positions, where: hasObjectID)
  }

  /// `OR FAIL`, since a statement that may have to undo one row of several opens a journal, which
  /// SQLCipher 3.4 encrypts page by page: six times the cost. For one row both do the same.
  private static func update(
    _ description: ClassDescription, table: String, positions: [Int]?, where condition: String
  ) -> String {
    let changeable = description.properties.indices.filter {
      !description.objectIDPositions.contains($0)
    }
    var assigned = positions ?? changeable
    // A class of nothing but its objectID: the statement must still find the row.
    if assigned.isEmpty { assigned = description.objectIDPositions }
    let assignments = assigned.map { "\(SQL.quoted(description.rowColumns[$0])) = ?\($0 + 1)" }
    return "UPDATE OR FAIL \(table) SET \(assignments.joined(separator: ", ")) WHERE \(condition)"
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
    switch objectID {
    case .generated: true
    case .properties(let positions):
      positions.count == 1 && properties[positions[0]].type.family == .integer
    }
  }
}
