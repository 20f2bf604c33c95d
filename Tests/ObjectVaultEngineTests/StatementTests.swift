import Foundation
import ObjectVaultDriver
import ObjectVaultEngine
import TestSupport
import Testing

@Suite struct `Statements` {
  let folder: TemporaryFolder
  let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    // Nothing here waits for another connection for long.
    var options = ConnectionOptions()
    options.busyTimeout = 10
    connection = try Connection.test(folder.file("test.db"), options: options)
    try connection.execute("CREATE TABLE t(a)")
  }

  /// Stores what `bind` binds, and gives back the row that holds it.
  private func roundTrip<R>(_ bind: (Binder) -> Void, _ read: (Row) throws -> R) throws -> R {
    let insert = try connection.statement("INSERT INTO t VALUES(?)")
    bind(insert.binder)
    try insert.run()
    let select = try connection.statement("SELECT a FROM t WHERE rowid = ?")
    select.binder.bind(integer: connection.lastInsertRowID, at: 0)
    defer { select.reset() }
    #expect(try select.step())
    return try read(select.row)
  }

  @Test(
    "integers come back equal",
    arguments: [Int64.min, Int64.min + 1, -1, 0, 1, 9_007_199_254_740_993, .max - 1, .max])
  func integersComeBackEqual(value: Int64) throws {
    let (kept, kind) = try roundTrip {
      $0.bind(integer: value, at: 0)
    } _: {
      ($0.integer(at: 0), $0.storageClass(at: 0))
    }
    #expect(kept == value)
    #expect(kind == 1)
  }

  @Test(
    "doubles come back with the same bits",
    arguments: [
      0.0, -0.0, 0.1, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
      9_007_199_254_740_992,
    ] as [Double])
  func doublesComeBackWithTheSame(value: Double) throws {
    let (kept, kind) = try roundTrip {
      $0.bind(real: value, at: 0)
    } _: {
      ($0.real(at: 0), $0.storageClass(at: 0))
    }
    // The engine may keep a whole number as an integer, which has no negative zero.
    #expect(kept == value)
    if value != 0 { #expect(kept.bitPattern == value.bitPattern) }
    #expect(kind == 2)
  }

  @Test(
    "text comes back scalar for scalar",
    arguments: [
      "", "a", "\0", "a\0b\0", "'quotes\" ;--", "e\u{301}", "é", "👩‍👩‍👧‍👦", "\u{10FFFF}", "\u{FEFF}x",
    ])
  func textComesBackScalarForScalar(value: String) throws {
    let (kept, kind) = try roundTrip {
      $0.bind(text: value, at: 0)
    } _: {
      ($0.text(at: 0), $0.storageClass(at: 0))
    }
    #expect(kept.map { Array($0.utf8) } == Array(value.utf8))
    #expect(kind == 3)
  }

  @Test(
    "bytes and text of any size come back", arguments: [0, 1, 255, 4_096, 1_000_000, 5_000_000])
  func bytesAndTextOfAnySize(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let kept = try roundTrip { binder in
      bytes.withUnsafeBytes { binder.bind(bytes: $0, at: 0) }
    } _: { row in
      #expect(row.storageClass(at: 0) == 4)
      return row.withBytes(at: 0) { Array($0) }
    }
    #expect(kept == bytes)
    let text = String(repeating: "ä", count: count)
    #expect(
      try roundTrip {
        $0.bind(text: text, at: 0)
      } _: {
        $0.text(at: 0)
      } == text)
  }

  @Test("empty bytes without an address are bytes, not nothing") func emptyBytesWithoutAnAddress()
    throws
  {
    let kind = try roundTrip {
      $0.bind(bytes: UnsafeRawBufferPointer(start: nil, count: 0), at: 0)
    } _: {
      $0.storageClass(at: 0)
    }
    #expect(kind == 4)
    let text = try roundTrip {
      $0.bind(utf8: UnsafeRawBufferPointer(start: nil, count: 0), at: 0)
    } _: {
      $0.text(at: 0)
    }
    #expect(text == "")
  }

  @Test("nothing comes back as nothing") func nothingComesBackAsNothing() throws {
    let (isNull, text, bytes) = try roundTrip {
      $0.bindNull(at: 0)
    } _: {
      ($0.isNull(at: 0), $0.text(at: 0), $0.withBytes(at: 0) { $0.count })
    }
    #expect(isNull)
    #expect(text == nil)
    #expect(bytes == 0)
  }

  @Test("what was bound before is gone when values are bound anew") func whatWasBoundBeforeIsGone()
    throws
  {
    let statement = try connection.prepare("SELECT ?, ?")
    var binder = statement.binder
    binder.bind(text: "first", at: 0)
    binder.bind(text: String(repeating: "x", count: 300_000), at: 1)
    #expect(try statement.step())
    binder = statement.binder
    binder.bind(integer: 1, at: 0)
    #expect(try statement.step())
    #expect(statement.row.integer(at: 0) == 1)
    #expect(statement.row.isNull(at: 1))
  }

  @Test("many values of many sizes do not disturb each other") func manyValuesOfManySizesDo() throws
  {
    let columns = 200
    let marks = Array(repeating: "?", count: columns).joined(separator: ",")
    let statement = try connection.prepare("SELECT \(marks)")
    for round in 0..<50 {
      let values = (0..<columns).map { String(repeating: "\($0 % 10)", count: $0 * round % 997) }
      let binder = statement.binder
      for (position, value) in values.enumerated() { binder.bind(text: value, at: position) }
      #expect(try statement.step())
      #expect((0..<columns).map { statement.row.text(at: $0) } == values)
    }
  }

  @Test("small values stay for the next run, large ones must be bound anew")
  func smallValuesStayForTheNext() throws {
    let statement = try connection.prepare("SELECT ?")
    statement.binder.bind(text: "small", at: 0)
    for _ in 0..<2 {
      #expect(try statement.step())
      #expect(statement.row.text(at: 0) == "small")
      statement.reset()
    }
    statement.binder.bind(text: String(repeating: "x", count: 100_000), at: 0)
    #expect(try statement.step())
    statement.reset()
    #expect(engineError { _ = try statement.step() }?.code == .misuse)
    statement.binder.bind(text: "small", at: 0)
    #expect(try statement.step())
  }

  @Test("a position outside the parameters is passed over") func aPositionOutsideTheParameters()
    throws
  {
    let statement = try connection.prepare("SELECT ?")
    let binder = statement.binder
    binder.bind(integer: 5, at: 0)
    binder.bind(text: "unused", at: 7)
    #expect(try statement.step())
    #expect(statement.row.integer(at: 0) == 5)
  }

  @Test("a value larger than the engine takes is refused, not cut") func aValueLargerThanTheEngine()
    throws
  {
    let statement = try connection.prepare("INSERT INTO t VALUES(?)")
    try connection.limitValueSize(to: 1_000)
    statement.binder.bind(text: String(repeating: "x", count: 1_001), at: 0)
    #expect(engineError { try statement.run() }?.code == .tooBig)
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
    statement.binder.bind(text: String(repeating: "x", count: 100), at: 0)
    try statement.run()
  }

  @Test("a statement describes itself") func aStatementDescribesItself() throws {
    let select = try connection.prepare("SELECT a AS first, 2 AS \"zweite\" FROM t WHERE a = ?1")
    #expect(select.columnCount == 2)
    #expect((0..<4).map(select.columnName(at:)) == ["first", "zweite", "", ""])
    #expect(select.columnName(at: -1) == "")
    #expect(select.parameterCount == 1)
    #expect(select.isReadOnly)
    #expect(!select.isBusy)
    #expect(select.sql == "SELECT a AS first, 2 AS \"zweite\" FROM t WHERE a = ?1")
    select.binder.bind(text: "value", at: 0)
    #expect(!select.sql.contains("value"))
    let insert = try connection.prepare("INSERT INTO t VALUES(1)")
    #expect(!insert.isReadOnly)
    #expect(insert.columnCount == 0)
  }

  @Test("a row holds what its reader needs to know") func aRowHoldsWhatItsReader() throws {
    final class Layout {}
    let layout = Layout()
    let statement = try connection.prepare("SELECT 1")
    #expect(try statement.step())
    #expect(statement.row(layout: layout).layout === layout)
    #expect(statement.row.layout == nil)
    #expect(statement.row.columnCount == 1)
  }

  @Test("after a reset no snapshot is held") func afterAResetNoSnapshot() throws {
    try connection.setPragma("journal_mode", to: "WAL", expecting: "wal")
    try connection.execute("INSERT INTO t VALUES(1), (2)")
    let reader = try Connection.test(folder.file("test.db"), .readOnly)
    let select = try reader.prepare("SELECT count(*) FROM t UNION ALL SELECT 0")
    #expect(try select.step())
    try connection.execute("INSERT INTO t VALUES(3)")
    #expect(select.isBusy)
    #expect(engineError { try connection.checkpoint(.truncate) }?.code == .busy)
    select.reset()
    try connection.checkpoint(.truncate)
    #expect(try select.step())
    #expect(select.row.integer(at: 0) == 3)
  }

  @Test(
    "a text without a statement is refused", arguments: ["", "  ", "-- nothing", ";", "/* a */"])
  func aTextWithoutAStatement(sql: String) throws {
    #expect(engineError { _ = try connection.prepare(sql) }?.code == .misuse)
    try connection.execute(sql)
  }

  @Test(
    "space and comments may follow a statement",
    arguments: ["SELECT 1; ", "SELECT 1;;", "SELECT 1; -- done", "SELECT 1 /* x */;\n\t"])
  func spaceAndCommentsMayFollow(sql: String) throws {
    #expect(try connection.prepare(sql).step())
  }

  @Test(
    "a second statement or garbage may not follow",
    arguments: ["SELECT 1; SELECT 2", "SELECT 1; DELETE FROM t", "SELECT 1; garbage"])
  func aSecondStatementOrGarbageMay(sql: String) throws {
    let code = engineError { _ = try connection.prepare(sql) }?.code
    #expect(code == (sql.hasSuffix("garbage") ? .sqlError : .misuse))
  }

  @Test("a NUL in the text does not hide what follows") func aNULInTheText() throws {
    for sql in ["SELECT 1\0; DELETE FROM t", "\0"] {
      #expect(engineError { _ = try connection.prepare(sql) }?.code == .misuse)
      #expect(engineError { try connection.execute(sql) }?.code == .misuse)
      #expect(engineError { _ = try connection.statement(sql) }?.code == .misuse)
    }
  }

  @Test("execute runs all statements of a text up to the first failure")
  func executeRunsAllStatements() throws {
    let error = engineError {
      try connection.execute(
        "INSERT INTO t VALUES(1); SELECT * FROM t; INSERT INTO t VALUES(2);"
          + "INSERT INTO nowhere VALUES(3); INSERT INTO t VALUES(4)")
    }
    #expect(error?.code == .sqlError)
    #expect(try connection.text("SELECT group_concat(a) FROM t") == "1,2")
  }

  @Test("changes and rowids are those of the last statement") func changesAndRowidsAreThose() throws
  {
    try connection.execute("INSERT INTO t VALUES(1), (2), (3)")
    #expect(connection.changes == 3)
    #expect(connection.lastInsertRowID == 3)
    let total = connection.totalChanges
    try connection.execute("UPDATE t SET a = 0 WHERE a < 3")
    #expect(connection.changes == 2)
    #expect(connection.totalChanges == total + 2)
  }

  @Test("it is known whether a transaction is open") func itIsKnownWhetherATransaction() throws {
    #expect(!connection.isInTransaction)
    try connection.execute("BEGIN")
    #expect(connection.isInTransaction)
    try connection.execute("ROLLBACK")
    #expect(!connection.isInTransaction)
  }

  @Test("a column is found in a table of the file, and not in a view") func aColumnIsFound() throws
  {
    try connection.execute("CREATE TABLE held(a); CREATE VIEW seen AS SELECT a FROM held")
    #expect(try connection.hasColumn("a", in: "held"))
    #expect(try connection.hasColumn("A", in: "HELD"))
    #expect(try !connection.hasColumn("b", in: "held"))
    #expect(try !connection.hasColumn("a", in: "seen"))
    #expect(try !connection.hasColumn("a", in: "nothing"))
    try connection.close()
    #expect(engineError { _ = try connection.hasColumn("a", in: "held") }?.code == .misuse)
  }
}
