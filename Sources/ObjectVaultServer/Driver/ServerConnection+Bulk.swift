internal import CPostgreSQL
import Foundation
import ObjectVaultDriver

// Many rows with few round trips.

extension ServerConnection {
  /// Prepares a statement on the server, unless it has done so.
  func prepare(_ statement: Prepared) throws(DriverError) {
    guard let sql = statement.sql else { return }
    _ = try ended { server in
      let types = statement.types
      return PQsendPrepare(server, statement.name, sql, Int32(types.count), types)
    }
    statement.sql = nil
  }

  /// Runs prepared statements that write, all or none.
  ///
  /// - Parameters:
  ///   - runs: The statements with their values.
  ///   - count: The number of rows that they must change together; `nil` for any.
  /// - Returns: The numbers of rows that they changed; `nil` if one failed.
  /// - Throws: ``DriverError`` for a lost connection.
  func run(
    _ runs: [(statement: Prepared, values: [BoundValue])], changing count: Int? = nil
  ) throws(DriverError) -> [Int]? {
    guard isInTransaction else { return nil }
    for run in runs { try Self.checkSize(of: run.values) }
    pending.append("SAVEPOINT ov_statement")
    do throws(DriverError) {
      var request = ServerLink.Request()
      request.count = runs.count
      let counts = try ended(&request) { server in
        for run in runs where parameters.send(run.statement.name, run.values, to: server) != 1 {
          return 0
        }
        return 1
      }.map(\.changedCount)
      if let count, counts.reduce(0, &+) != count {
        try undoStatement()
        return nil
      }
      pending.append("RELEASE ov_statement")
      hasChanges = true
      changes = counts.last ?? 0
      totalChanges &+= counts.reduce(0, &+)
      return counts
    } catch {
      guard canRepeat(after: error) else { throw error }
      return nil
    }
  }

  /// Inserts rows by `COPY`, all or none.
  ///
  /// - Parameters:
  ///   - copy: The table.
  ///   - count: The number of rows.
  ///   - given: The numbers of the rows; empty if they are generated.
  ///   - values: Returns the values of a row, counted from 0.
  /// - Returns: The numbers; `nil` if some of the rows were rejected, or skipped by a trigger.
  /// - Throws: The error of `values`, and ``DriverError`` for a lost connection.
  func copy(
    _ copy: RowCopy, count: Int, given: [Int64], _ values: (Int) throws -> [BoundValue]
  ) throws -> [Int64]? {
    guard isInTransaction else { return nil }
    pending.append("SAVEPOINT ov_statement")
    do {
      guard let numbers = try copyNumbering(copy, count: count, given, values) else {
        try undoStatement()
        return nil
      }
      pending.append("RELEASE ov_statement")
      hasChanges = true
      return numbers
    } catch {
      guard canRepeat(after: error), error is DriverError else { throw error }
      return nil
    }
  }

  /// Inserts rows with given numbers, or finds out the numbers that are generated for them.
  ///
  /// - Returns: The numbers; `nil` as ``copyAll(_:count:_:_:)``.
  private func copyNumbering(
    _ copy: RowCopy, count: Int, _ given: [Int64], _ values: (Int) throws -> [BoundValue]
  ) throws -> [Int64]? {
    guard let series = copy.series else { return try copyAll(copy, count: count, [], values) }
    if let greatest = given.max() {
      _ = try numbers(1, "SELECT objectvault.ov_number(\(series), \(greatest))")
      return try copyAll(copy, count: count, given, values)
    }
    if !sharedSeries.contains(series) {
      guard let last = try lastNumber(of: series) else { return nil }
      if last >= 0 {
        guard try copyAll(copy, count: count, [], values) != nil else { return nil }
        if try lastNumber(of: series) == last &+ Int64(count) {
          return (0..<Int64(count)).map { last &+ 1 &+ $0 }
        }
        // Others generated numbers at the same time, so that those of the rows are unknown.
        try undoStatement()
        pending = ["RELEASE ov_statement", "SAVEPOINT ov_statement"]
      }
      sharedSeries.insert(series)
    }
    guard let numbers = try numbers(count, of: series) else { return nil }
    return try copyAll(copy, count: count, numbers, values)
  }

  /// Inserts rows with given or with generated numbers.
  ///
  /// - Returns: The given numbers; `nil` if a value has another type than its column, or if the
  ///   server stored fewer rows.
  private func copyAll(
    _ copy: RowCopy, count: Int, _ numbers: [Int64], _ values: (Int) throws -> [BoundValue]
  ) throws -> [Int64]? {
    try begin(copy, hasNumbers: !numbers.isEmpty)
    guard try send(copy, count: count, numbers, values) == count else { return nil }
    changes = count
    totalChanges &+= count
    return numbers
  }

  /// Undoes the statement after an error.
  ///
  /// - Parameter error: The error.
  /// - Returns: Whether its parts can be run one by one, to find the one that fails.
  private func canRepeat(after error: any Error) -> Bool {
    guard !link.isBroken, (try? undoStatement()) != nil else { return false }
    guard let error = error as? DriverError else { return true }
    let ends = [SQLState.serialization, SQLState.deadlock, SQLState.ended]
    return error.code != .interrupted && !ends.contains(error.resultCode)
  }

  /// Undoes what happened since the savepoint of the statement.
  private func undoStatement() throws(DriverError) {
    pending = []
    try command("ROLLBACK TO ov_statement")
    pending = ["RELEASE ov_statement"]
  }

  /// Returns the last number that was generated, or a negative number if that is unknown; `nil` if
  /// the table has no series.
  ///
  /// A series of another program can have a cache. Its last number is then the last one that a
  /// connection has reserved (PostgreSQL's documentation, "CREATE SEQUENCE").
  private func lastNumber(of series: String) throws(DriverError) -> Int64? {
    try numbers(
      1,
      "SELECT CASE WHEN s IS NULL THEN NULL WHEN EXISTS (SELECT FROM pg_catalog.pg_sequence "
        + "WHERE seqrelid = s AND seqcache = 1 AND seqincrement = 1) "
        + "THEN coalesce(pg_sequence_last_value(s), 0) ELSE -1 END "
        + "FROM (SELECT \(series) AS s OFFSET 0) AS s")?[0]
  }

  /// Generates numbers; returns `nil` if the table has no series.
  private func numbers(_ count: Int, of series: String) throws(DriverError) -> [Int64]? {
    try numbers(
      count,
      "SELECT nextval(s) FROM (SELECT \(series) AS s OFFSET 0) AS s, "
        + "generate_series(1, \(count))")
  }

  private func numbers(_ count: Int, _ sql: String) throws(DriverError) -> [Int64]? {
    let result = try ended { PQsendQueryParams($0, sql, 0, nil, nil, nil, nil, 1) }
    guard result.rowCount == count else { throw link.lost() }
    var numbers: [Int64] = []
    for row in 0..<count {
      result.position = row
      guard result.bytes(at: 0) != nil else { return nil }
      numbers.append(result.integer(at: 0))
    }
    return numbers
  }

  private func begin(_ copy: RowCopy, hasNumbers: Bool) throws(DriverError) {
    // `COPY` cannot be part of a pipeline.
    if !pending.isEmpty { try command(pending.removeLast()) }
    var columns = copy.columns
    if !hasNumbers, let generated = copy.generated { columns.remove(at: generated) }
    let sql = "COPY \(copy.table) (\(columns.joined(separator: ", "))) FROM STDIN (FORMAT binary)"
    _ = try ended(beginningCopy: true) { PQsendQuery($0, sql) }
  }

  /// Sends rows in the binary format (PostgreSQL's documentation, "COPY").
  ///
  /// - Returns: The number of rows; `nil` if a value has another type than its column.
  private func send(
    _ copy: RowCopy, count: Int, _ numbers: [Int64], _ values: (Int) throws -> [BoundValue]
  ) throws -> Int? {
    let types = copy.types.map(ServerType.ofColumn)
    // The server generates the number if none is sent.
    let omitted = numbers.isEmpty ? copy.generated : nil
    let fieldCount = Int16(omitted == nil ? types.count : types.count - 1)
    var bytes = Array("PGCOPY\n\u{FF}\r\n\0".unicodeScalars.map { UInt8($0.value) })
    bytes += [UInt8](repeating: 0, count: 8)
    bytes.reserveCapacity(Self.copiedAtOnce * 2)
    var isComplete = false
    var isAccepted = true
    defer { if !isComplete { _ = try? endCopy(isComplete: false) } }
    for row in 0..<count where isAccepted {
      let values = try values(row)
      try Self.checkSize(of: values)
      guard values.count == types.count else { return nil }
      bytes.append(bigEndian: fieldCount)
      for position in types.indices where position != omitted {
        if position == copy.generated {
          bytes.append(field: .integer(numbers[row]))
        } else {
          let value = values[position]
          guard value.serverType == types[position] || value.isNull else { return nil }
          bytes.append(field: value)
        }
      }
      if bytes.count >= Self.copiedAtOnce { isAccepted = try send(&bytes) }
    }
    bytes.append(bigEndian: Int16(-1))
    if isAccepted { isAccepted = try send(&bytes) }
    isComplete = true
    return try endCopy(isComplete: isAccepted).changedCount
  }

  private static let copiedAtOnce = 64 * 1024

  private func send(_ bytes: inout [UInt8]) throws(DriverError) -> Bool {
    defer { bytes.removeAll(keepingCapacity: true) }
    return try watchingLoss { () throws(DriverError) in
      try link.copy(bytes, within: route.timeLimit, isCancelled: isCancelled)
    }
  }

  private func endCopy(isComplete: Bool) throws(DriverError) -> ServerResult {
    try watchingLoss { () throws(DriverError) in
      try link.endCopy(
        isComplete: isComplete, within: route.timeLimit, isCancelled: isCancelled)
    }
  }
}

extension [UInt8] {
  /// Creates the binary format of an array with one dimension (PostgreSQL's `array_send`).
  init(arrayOf values: [BoundValue], _ type: UInt32) {
    self = []
    // One dimension, no NULL, the type, the length, the first index.
    for part in [1, 0, Int32(type), Int32(values.count), 1] { append(bigEndian: part) }
    for value in values { append(field: value) }
  }

  /// Appends a value with its length, as `COPY` reads it.
  fileprivate mutating func append(field value: BoundValue) {
    append(bigEndian: value.isNull ? Int32(-1) : Int32(value.byteCount))
    append(of: value)
  }
}

extension RowCopy {
  /// The expression of the series of its generated numbers; `nil` if there is none.
  fileprivate var series: String? {
    generated.map { PostgreSQLDialect.series(of: table, columns[$0]) }
  }
}
