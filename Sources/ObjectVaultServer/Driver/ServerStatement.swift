internal import CPostgreSQL
import ObjectVaultDriver

/// A statement of a server, prepared once for each combination of the types of its values.
///
/// A NULL has the type that its parameter had before. Otherwise, the server would store a statement
/// for each combination of missing values.
final class ServerStatement: ForeignStatement {
  let sql: String
  private let variant: Variant
  private var text: ParameterText { variant.text }
  /// The statement in the form that lets the server generate a number, which is faster than a
  /// function that does so if there is none; with the number of the parameter.
  private let generating: (variant: Variant, parameter: Int)?
  private unowned(unsafe) let connection: ServerConnection
  /// The statements that the server has prepared.
  private var forms: [Form: ServerConnection.Prepared] = [:]

  /// A text of the statement.
  private final class Variant {
    let text: ParameterText
    /// The types that the parameters had last; 0 for those that were always NULL.
    var types: [UInt32] = []

    init(_ text: ParameterText) {
      self.text = text
      forgetTypes()
    }

    func forgetTypes() { types = [UInt32](repeating: 0, count: text.numbers.count) }

    /// Records the types of values that are sent.
    func note(_ values: [BoundValue]) {
      for (index, value) in values.enumerated() {
        let type = value.serverType
        if type != types[index], type != 0 { types[index] = type }
      }
    }
  }

  /// A form of the statement that is prepared on its own.
  private struct Form: Hashable {
    /// The types of the parameters.
    let types: [UInt32]
    /// Whether it fails after a change of the schema.
    let isGuarded: Bool
  }
  /// The removal of the rows with one of many keys, in place of this one of the row with one key.
  private let removing: String?
  private var removal: ServerConnection.Prepared?
  private var removalGeneration = 0
  /// The prepared statement of the last run.
  private var last: ServerConnection.Prepared?
  /// The generation of the connection that has prepared them.
  private var generation = 0
  private var rows: ServerResult?
  /// The rows that follow, if they are read while they arrive.
  private var stream: ServerStream?
  /// The current row for readers.
  private(set) var row: RowValues?
  private var knownColumns: [String]?

  init(_ sql: String, _ text: ParameterText, on connection: ServerConnection) {
    self.sql = sql
    variant = Variant(text)
    removing = PostgreSQLDialect.removingMany(text.text)
    generating = PostgreSQLDialect.generating(sql).map {
      (Variant(ParameterText($0.sql)), $0.parameter)
    }
    self.connection = connection
  }

  var parameterCount: Int { text.count }

  var isBusy: Bool { rows != nil }

  /// The names of the columns, for which a statement is prepared that has not run yet.
  var columnNames: [String] {
    adoptGeneration()
    if let knownColumns { return knownColumns }
    let names = (try? describe()) ?? []
    knownColumns = names
    return names
  }

  private func describe() throws(DriverError) -> [String] {
    let types = [UInt32](repeating: 0, count: text.numbers.count)
    return try connection.columns(of: text.text, types)
  }

  func advance() -> Bool { rows?.advance() ?? false }

  func step(_ values: [BoundValue]) throws(DriverError) -> Bool {
    do throws(DriverError) {
      return try read(values)
    } catch {
      // A change has this error for a value that is too long for an index.
      guard error.resultCode == SQLState.tooLarge, !text.writes, !text.definesSchema else {
        throw error
      }
      throw Self.tooLargeRow
    }
  }

  private static var tooLargeRow: DriverError {
    DriverError(
      .tooBig,
      "The server cannot send a row whose values have 1 GiB or more together. Read the properties of "
        + "the object separately, and divide it.", resultCode: SQLState.tooLarge)
  }

  private func read(_ values: [BoundValue]) throws(DriverError) -> Bool {
    let result: ServerResult
    if let rows {
      result = rows
    } else {
      result = try run(values)
      rows = result
      // Without rows, there is nothing to read.
      guard result.rowCount > 0 || stream != nil else { return false }
      row = RowValues(result)
    }
    if result.advance() { return true }
    guard let stream else { return false }
    let next: OpaquePointer?
    do throws(DriverError) {
      next = try connection.watchingLoss { () throws(DriverError) in try stream.next() }
    } catch {
      throw stream.isInTransaction ? error : connection.leavingReplica(after: error)
    }
    guard let next else {
      self.stream = nil
      return false
    }
    result.take(next)
    return result.rowCount > 0
  }

  private func run(_ bound: [BoundValue]) throws(DriverError) -> ServerResult {
    guard !text.endsOrBegins else { return try connection.performTransaction(text) }
    try ServerConnection.checkSize(of: bound)
    try ServerConnection.checkText(of: bound)
    let (variant, values) = inOrder(bound)
    let text = variant.text
    if text.changesSchema { connection.schemaRows = [:] }
    let isRepeatable = text.readsSchema && connection.isInTransaction
    if isRepeatable, let known = connection.schemaRows[ServerConnection.Read(text, values)] {
      if knownColumns == nil { knownColumns = known.names }
      return ServerResult(again: known)
    }
    let result: ServerResult
    do throws(DriverError) {
      result = try perform(variant, values)
    } catch {
      // A column may have another type now.
      if error.code == .sqlError { variant.forgetTypes() }
      throw error
    }
    if knownColumns == nil { knownColumns = result.names }
    if isRepeatable {
      connection.schemaRows[ServerConnection.Read(text, values)] = result
      return ServerResult(again: result)
    }
    return result
  }

  private func perform(
    _ variant: Variant, _ values: [BoundValue]
  ) throws(DriverError) -> ServerResult {
    try connection.perform(variant.text) { (after) throws(DriverError) in
      do throws(DriverError) {
        return try run(variant, values, after)
      } catch {
        // A change of the schema invalidates prepared statements. After an error in a transaction,
        // the next one prepares them again.
        let isInvalid = [SQLState.changedPlan, SQLState.noStatement].contains(error.resultCode)
        if isInvalid { (forms, last) = ([:], nil) }
        guard !connection.isInFailedTransaction else { throw error }
        if isInvalid { return try run(variant, values, after) }
        // A NULL alone has no type.
        guard error.resultCode == SQLState.indeterminateType, variant.types.contains(0) else {
          throw error
        }
        variant.types = variant.types.map { $0 == 0 ? ServerType.text : $0 }
        return try run(variant, values, after)
      }
    }
  }

  /// Returns the statement for bound values, and them in the order of its parameters.
  private func inOrder(_ values: [BoundValue]) -> (Variant, [BoundValue]) {
    var variant = variant
    if let generating,
      generating.parameter > values.count || values[generating.parameter - 1].isNull
    {
      variant = generating.variant
    }
    let text = variant.text
    if text.isInOrder, values.count == text.count { return (variant, values) }
    return (variant, text.numbers.map { values.indices.contains($0 - 1) ? values[$0 - 1] : .null })
  }

  /// Runs the statement, which is prepared with its first run.
  private func run(
    _ variant: Variant, _ values: [BoundValue], _ after: [String]
  ) throws(DriverError) -> ServerResult {
    let statement = prepared(variant, values)
    guard variant.text.mayReturnManyRows, after.isEmpty else {
      return try connection.run(statement, values, after) { note(statement) }
    }
    try prepare(statement)
    guard let stream = try connection.stream(statement, values) else {
      return try connection.run(statement, values) {}
    }
    self.stream = stream
    guard let first = try connection.watchingLoss({ () throws(DriverError) in try stream.next() })
    else { return connection.nothing }
    return ServerResult(first)
  }

  /// Prepares a statement on the server, unless it has done so.
  private func prepare(_ statement: ServerConnection.Prepared) throws(DriverError) {
    guard statement.sql != nil else { return }
    try connection.prepare(statement)
    note(statement)
  }

  /// Forgets the statements of an earlier generation of the connection.
  private func adoptGeneration() {
    guard generation != connection.generation else { return }
    (forms, last, knownColumns) = ([:], nil, nil)
    variant.forgetTypes()
    generating?.variant.forgetTypes()
    generation = connection.generation
  }

  /// Records that the server has prepared a statement.
  private func note(_ statement: ServerConnection.Prepared) {
    statement.sql = nil
    // The types of more parameters are known than before.
    for (form, former) in forms
    where form.isGuarded == statement.isGuarded && form.types != statement.types
      && form.types.count == statement.types.count
      && zip(form.types, statement.types).allSatisfy({ $0 == 0 || $0 == $1 })
    {
      forms[form] = nil
      connection.forget([former.name], generation)
    }
    forms[Form(types: statement.types, isGuarded: statement.isGuarded)] = statement
    last = statement
  }

  private func prepared(
    _ variant: Variant, _ values: [BoundValue]
  ) -> ServerConnection.Prepared {
    adoptGeneration()
    variant.note(values)
    let types = variant.types
    let version = connection.guardedVersion
    let isGuarded = version != nil
    if let last, last.types == types, last.isGuarded == isGuarded { return last }
    if let known = forms[Form(types: types, isGuarded: isGuarded)] {
      last = known
      return known
    }
    return ServerConnection.Prepared(
      name: connection.newName(), sql: variant.text.text(forVersion: version), types: types,
      isGuarded: isGuarded)
  }

  func run(withAll rows: [[BoundValue]]) throws(DriverError) -> [Int]? {
    reset()
    if let removing { return try remove(rows, removing) }
    var runs: [(statement: ServerConnection.Prepared, values: [BoundValue])] = []
    adoptGeneration()
    let rows = rows.map(inOrder)
    // A NULL has the type of another row.
    for (variant, values) in rows { variant.note(values) }
    for (variant, values) in rows {
      let statement = prepared(variant, values)
      try prepare(statement)
      runs.append((statement, values))
    }
    return try connection.run(runs)
  }

  /// Removes the rows with all keys by one statement, or none if a key has no row.
  private func remove(
    _ rows: [[BoundValue]], _ sql: String
  ) throws(DriverError) -> [Int]? {
    let keys = rows.map { inOrder($0).1.first ?? .null }
    guard let type = keys.first?.serverType, let array = ServerType.array(of: type),
      keys.allSatisfy({ $0.serverType == type })
    else { return nil }
    try ServerConnection.checkSize(of: keys)
    let statement: ServerConnection.Prepared
    if let removal, removal.types == [array], removalGeneration == connection.generation {
      statement = removal
    } else {
      statement = ServerConnection.Prepared(name: connection.newName(), sql: sql, types: [array])
      try connection.prepare(statement)
      (removal, removalGeneration) = (statement, connection.generation)
    }
    let value = BoundValue.blob([UInt8](arrayOf: keys, type))
    guard try connection.run([(statement, [value])], changing: keys.count) != nil else {
      return nil
    }
    return [Int](repeating: 1, count: keys.count)
  }

  func copy(
    _ copy: RowCopy, count: Int, given: [Int64], _ values: (Int) throws -> [BoundValue]
  ) throws -> [Int64]? {
    reset()
    return try connection.copy(copy, count: count, given: given, values)
  }

  func reset() {
    stream?.discard()
    (rows, row, stream) = (nil, nil, nil)
  }

  func finalize() {
    reset()
    connection.forget(forms.values.map(\.name), generation)
    forms = [:]
    if let removal { connection.forget([removal.name], removalGeneration) }
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
}
