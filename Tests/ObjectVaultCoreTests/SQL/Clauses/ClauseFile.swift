import ObjectVaultCore
import ObjectVaultEngine
import TestSupport

/// A file in which statements of clauses run, with tables of any kind.
final class ClauseFile {
  private let folder: TemporaryFolder
  let connection: Connection

  init(_ tables: String...) throws {
    folder = try TemporaryFolder()
    connection = try Connection.plain(path: folder.file("clauses.db"), mode: .create)
    try VaultFunctions.install(on: connection)
    for table in tables { try connection.execute(table) }
  }

  /// The rows that a statement gives.
  @discardableResult
  func rows(_ clause: some SQLConvertible) throws -> [[StoredValue]] {
    let statement = clause.statement
    try statement.check()
    let prepared = try connection.prepare(statement.sql, persistent: false)
    guard prepared.parameterCount == statement.values.count else {
      throw VaultError(.invalidArgument, "The text has another number of parameters.")
    }
    let binder = prepared.binder
    for (position, value) in statement.values.enumerated() {
      try bind(value, to: binder, at: position)
    }
    var rows: [[StoredValue]] = []
    while try prepared.step() {
      rows.append(
        (0..<prepared.columnCount).map { column in
          switch prepared.row.storage(at: column) {
          case .integer: .integer(prepared.row.integer(at: column))
          case .real: .real(prepared.row.real(at: column))
          case .text: .text(prepared.row.text(at: column) ?? "")
          case .blob: .blob([])
          case .null: .null
          }
        })
    }
    return rows
  }

  /// The first column of the rows as text.
  func column(_ clause: some SQLConvertible) throws -> [String] {
    try rows(clause).map { row in
      switch row[0] {
      case .integer(let value): "\(value)"
      case .real(let value): "\(value)"
      case .text(let value): value
      case .blob: "blob"
      case .null: "NULL"
      }
    }
  }

  private func bind(_ value: StoredValue, to binder: Binder, at position: Int) throws {
    switch value {
    case .null: try (nil as Int?).bind(to: binder, at: position)
    case .integer(let number): try number.bind(to: binder, at: position)
    case .real(let number): try number.bind(to: binder, at: position)
    case .text(let text): try text.bind(to: binder, at: position)
    case .blob(let bytes): try bytes.bind(to: binder, at: position)
    }
  }
}

/// The text and the values of a clause, for comparing both at once.
func written(_ clause: some SQLConvertible) -> String {
  let statement = clause.statement
  let values = statement.values.map { value in
    switch value {
    case .null: "nil"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "'\(text)'"
    case .blob(let bytes): "\(bytes)"
    }
  }
  return values.isEmpty ? statement.sql : "\(statement.sql) | \(values.joined(separator: ", "))"
}

func written(_ expression: SQLExpression) -> String { written(expression.statement) }
