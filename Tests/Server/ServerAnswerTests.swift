import Foundation
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultSchema
import ObjectVaultSession
import Synchronization
import TestSupport
import Testing

@testable import ObjectVaultServer

/// Answers that the library does not ask for, and series that several programs use.
@Suite("Answers of a PostgreSQL server", .enabled(if: Server.address != nil))
struct ServerAnswerTests {
  private func error(_ sql: String, _ vault: SharedVault) -> VaultError? {
    do {
      try vault.opened().withWriter { try $0.execute(sql) }
      return nil
    } catch {
      return error as? VaultError
    }
  }

  @Test(
    "a copy that no one reads ends the connection", .timeLimit(.minutes(1)),
    arguments: ["COPY (SELECT 1) TO STDOUT", "COPY objectvault_commits FROM STDIN"])
  func copies(sql: String) throws {
    let vault = try Server.vault()
    defer { vault.close() }
    let store = try vault.store(of: Account.self)
    for _ in 0..<2 { #expect(error(sql, vault)?.code == .connectionLost) }
    // Among the rows of a query, too.
    let reading = #expect(throws: VaultError.self) {
      try vault.opened().read { try $0.execute(sql) }
    }
    #expect(reading?.code == .connectionLost)
    try store.insert(Account(number: 1, balance: 1))
    #expect(try store.count() == 1)
  }

  @Test("a number with digits that no server sends is none") func digits() {
    func number(_ shorts: [UInt16]) -> ServerNumber? {
      let bytes = shorts.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      return bytes.withUnsafeBytes { ServerNumber($0) }
    }
    // The number of digits, the weight, the sign, the scale, and the digits.
    #expect(number([1, 0, 0, 0, 9999])?.storedValue == .integer(9999))
    #expect(number([1, 0xFFFF, 0, 0, 5000])?.storedValue == .real(0.5))
    #expect(number([1, 0, 0, 0, 10_000]) == nil)
    #expect(number([1, 0xFFFF, 0, 0, 0xFFFF]) == nil)
    #expect(number([2, 0x7FFF, 0, 0, 1, 2])?.storedValue == .real(.infinity))
    #expect(number([1, 0x8000, 0, 0, 1])?.storedValue == .real(0))
    #expect(number([2, 0, 0, 0, 1]) == nil)
  }

  private func value(_ count: Int) -> BoundValue {
    .blob([UInt8](unsafeUninitializedCapacity: count) { $1 = count })
  }

  @Test(
    "a statement writes to the table after its verb, or may write to others",
    arguments: [
      ("INSERT INTO \"Pet\" (\"name\") VALUES (?1)", ["pet"]),
      ("UPDATE \"Pet\" SET \"name\" = ?1 WHERE \"objectID\" = ?2", ["pet"]),
      ("DELETE FROM \"Pet\" WHERE \"objectID\" IN (SELECT \"id\" FROM \"Old\")", [Schema.table]),
      ("UPDATE \"a\"\"B\" SET \"c\" = 1", ["a", "b", "c"]),
      ("WITH r AS (SELECT 1) DELETE FROM \"Pet\" WHERE \"x\" = 1", [Schema.table]),
      ("SELECT \"name\" FROM \"Pet\"", []),
    ])
  func writtenTables(sql: String, tables: [String]) {
    #expect(ParameterText(sql).writtenTables == tables)
  }

  @Test("values that no server can store together are refused before they are sent")
  func sizes() throws {
    try ServerConnection.checkSize(of: [value((1 << 30) - 1)])
    try ServerConnection.checkSize(of: [value(1 << 29), .null, value((1 << 29) - 9), .integer(1)])
    for values in [
      [value(1 << 30)], [value(1 << 29), value(1 << 29)],
      [value((1 << 30) - 8), .null, .integer(1)],
    ] {
      let error = #expect(throws: DriverError.self) {
        try ServerConnection.checkSize(of: values)
      }
      #expect(error?.code == .tooBig)
    }
  }

  @Test("values that are too large together are refused in every way of sending them")
  func largeValues() throws {
    let vault = try Server.vault()
    defer { vault.close() }
    let (small, large) = ([value(1), value(2)], [value(1 << 29), value(1 << 29)])
    try vault.opened().transaction { session in
      try session.execute("CREATE TEMPORARY TABLE \"large\" (\"a\" bytea, \"b\" bytea)")
      let connection = try #require(session.connection as? ServerConnection)
      let sql = "INSERT INTO \"large\" VALUES (?1, ?2)"
      let statement = ServerStatement(sql, ParameterText(sql), on: connection)
      let alone = #expect(throws: DriverError.self) { try statement.step(large) }
      #expect(alone?.code == .tooBig)
      let together = #expect(throws: DriverError.self) {
        try statement.run(withAll: [small, large])
      }
      #expect(together?.code == .tooBig)
      statement.finalize()
      let copy = RowCopy(
        table: "\"large\"", columns: ["\"a\"", "\"b\""], types: ["BLOB", "BLOB"], generated: nil)
      let copied = try connection.copy(copy, count: 2, given: []) { $0 == 0 ? small : large }
      #expect(copied == nil)
      let count = try session.with("SELECT count(*) FROM \"large\"") { try $0.count() }
      #expect(count == 0)
    }
  }

  @Test("an object that is too large to be read has an error of its own") func tooLarge() throws {
    let vault = try Server.vault()
    defer { vault.close() }
    // The server has the same code for a row of 1 GiB, which takes several times that memory.
    #expect(
      error(
        "CREATE FUNCTION large() RETURNS bigint LANGUAGE plpgsql AS "
          + "'BEGIN RAISE EXCEPTION USING ERRCODE = ''54000''; END'", vault) == nil)
    let reading = error("SELECT large() AS a ORDER BY 1", vault)
    #expect(reading?.code == .invalidValue)
    #expect(reading?.message.contains("cannot send a row") == true)
    let alone = error("SELECT large()", vault)
    #expect(alone?.message == reading?.message)
    let writing = error("INSERT INTO objectvault_commits SELECT large()::text", vault)
    #expect(writing?.code == .invalidValue)
    #expect(writing?.message.contains("cannot store") == true)
  }

  @Test("an object that is larger than a message of a copy is stored") func copiedInParts() throws {
    let vault = try Server.vault()
    defer { vault.close() }
    let scan = ClassDescription("Scan", properties: [PropertyDescription("image", [UInt8].self)])
    let scans = try vault.store(of: scan)
    var image = [UInt8](repeating: 7, count: 40_000_000)
    for position in stride(from: 0, to: image.count, by: 100_000) {
      image[position] = UInt8(truncatingIfNeeded: position / 100_000)
    }
    let images: [StoredValue] = [.blob([1]), .blob(image), .blob([2])]
    try scans.insert(
      contentsOf: images.map { image in
        var object = try DynamicObject(of: scan)
        try object.set("image", to: image)
        return object
      })
    let areEqual = try scans.all().map { try $0.value(of: "image") } == images
    #expect(areEqual)
  }

  @Test("a given number never sets a series back while others generate numbers")
  func series() throws {
    let (first, second) = try Server.twoVaults()
    defer {
      first.close()
      second.close()
    }
    try first.opened().withWriter { try $0.execute("CREATE SEQUENCE \"numbers\"") }
    let isDone = Mutex(false)
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      defer { ended.signal() }
      while !isDone.withLock({ $0 }) {
        // The last number, a number before it, and one a little behind it.
        for part in ["", " - 1", " + 2"] {
          try? second.opened().withWriter {
            try $0.execute(
              "SELECT objectvault.ov_number('numbers', (SELECT last_value\(part) FROM \"numbers\"))"
                + " FROM generate_series(1, 200)")
          }
        }
      }
    }
    var last: Int64 = 0
    for _ in 0..<200 {
      let numbers = try first.opened().withWriter { session in
        try session.with("SELECT nextval('numbers') FROM generate_series(1, 500)") { statement in
          var numbers: [Int64] = []
          while try statement.step() { numbers.append(statement.row.integer(at: 0)) }
          return numbers
        }
      }
      let isAscending = zip([last] + numbers, numbers).allSatisfy { $0 < $1 }
      #expect(isAscending)
      last = numbers.last ?? last
    }
    isDone.withLock { $0 = true }
    ended.wait()
    let given = try first.opened().withWriter { session in
      try session.with("SELECT objectvault.ov_number('numbers', \(last + 10_000_000))") {
        try $0.count()
      }
    }
    #expect(given == last + 10_000_000)
    let next = try first.opened().withWriter { session in
      try session.with("SELECT nextval('numbers')") { try $0.count() }
    }
    #expect(next == last + 10_000_001)
  }
}
