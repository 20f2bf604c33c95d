internal import CPostgreSQL
import ObjectVaultDriver

/// A statement of a server, prepared once for each combination of the types of its values.
final class ServerStatement: ForeignStatement {
  let sql: String
  private let text: ParameterText
  private unowned(unsafe) let connection: ServerConnection
  /// The names of the prepared statements by the types of the parameters.
  private var names: [[UInt32]: String] = [:]
  /// The generation of the connection that has prepared them.
  private var generation = 0
  private var rows: ServerResult?
  private var knownColumns: [String]?

  init(_ sql: String, _ text: ParameterText, on connection: ServerConnection) {
    self.sql = sql
    self.text = text
    self.connection = connection
  }

  var parameterCount: Int { text.count }

  var isBusy: Bool { rows != nil }

  var row: RowValues? { rows?.row }

  /// The names of the columns, for which a statement is prepared that has not run yet.
  var columnNames: [String] {
    if let knownColumns { return knownColumns }
    let names = (try? describe()) ?? []
    knownColumns = names
    return names
  }

  private func describe() throws(DriverError) -> [String] {
    let types = [UInt32](repeating: 0, count: text.numbers.count)
    return try connection.columns(of: prepared(types))
  }

  func step(_ values: [BoundValue]) throws(DriverError) -> Bool {
    let result: ServerResult
    if let rows {
      result = rows
    } else {
      result = try run(values)
      rows = result
    }
    result.position += 1
    return result.position < result.rowCount
  }

  private func run(_ values: [BoundValue]) throws(DriverError) -> ServerResult {
    let values = text.numbers.map { number in
      values.indices.contains(number - 1) ? values[number - 1] : .null
    }
    let types = values.map(\.serverType)
    let result = try connection.perform(text) { () throws(DriverError) in
      do throws(DriverError) {
        return try connection.run(prepared(types), values)
      } catch {
        // A change of the schema invalidates prepared statements, and a NULL alone has no type.
        let typed = types.map { $0 == 0 ? ServerType.text : $0 }
        guard !connection.isInFailedTransaction else { throw error }
        if error.resultCode == SQLState.indeterminateType, typed != types {
          return try connection.run(prepared(typed), values)
        }
        if [SQLState.changedPlan, SQLState.noStatement].contains(error.resultCode) {
          names = [:]
          return try connection.run(prepared(types), values)
        }
        throw error
      }
    }
    if knownColumns == nil { knownColumns = result.names }
    return result
  }

  private func prepared(_ types: [UInt32]) throws(DriverError) -> String {
    adoptGeneration()
    if let name = names[types] { return name }
    let name = try connection.prepare(text.text, types)
    adoptGeneration()
    names[types] = name
    return name
  }

  /// Forgets the statements of an earlier generation of the connection.
  private func adoptGeneration() {
    guard generation != connection.generation else { return }
    names = [:]
    knownColumns = nil
    generation = connection.generation
  }

  func reset() { rows = nil }

  func finalize() {
    rows = nil
    let names = names.values
    self.names = [:]
    connection.forget(Array(names), generation)
  }
}

extension BoundValue {
  /// The type with which the value is sent; 0 to let the server choose.
  var serverType: UInt32 {
    switch self {
    case .null: 0
    case .integer: ServerType.int8
    case .real: ServerType.float8
    case .text: ServerType.text
    case .blob: ServerType.bytea
    }
  }

  /// The bytes of the value; `nil` for NULL.
  var serverBytes: [UInt8]? {
    switch self {
    case .null: nil
    case .integer(let value): withUnsafeBytes(of: value.bigEndian, Array.init)
    case .real(let value): withUnsafeBytes(of: value.bitPattern.bigEndian, Array.init)
    case .text(let bytes), .blob(let bytes): bytes
    }
  }
}
