import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultSession
import ObjectVaultStores
import TestSupport
import Testing

@testable import ObjectVaultServer

/// The statements that a server prepares, and the memory for their values.
@Suite("Prepared statements of a PostgreSQL server", .enabled(if: Server.address != nil))
struct ServerStatementTests {
  private static let optional = ["a", "b", "c", "d", "e"]

  private static let items = ClassDescription(
    "Item",
    properties: [
      PropertyDescription("number", Int.self), PropertyDescription("a", Int?.self),
      PropertyDescription("b", String?.self), PropertyDescription("c", Double?.self),
      PropertyDescription("d", [UInt8]?.self), PropertyDescription("e", Int?.self),
    ],
    objectID: ["number"])

  private static let values: [StoredValue] = [
    .integer(1), .text("x"), .real(0.5), .blob([1]), .integer(2),
  ]

  /// Returns an object for each combination of missing values.
  private func combinations(from first: Int) throws -> [DynamicObject] {
    try (0..<32).map { combination in
      var item = try DynamicObject(of: Self.items)
      try item.set("number", to: .integer(Int64(first + combination)))
      for (position, name) in Self.optional.enumerated() {
        let isMissing = combination >> position & 1 == 0
        try item.set(name, to: isMissing ? .null : Self.values[position])
      }
      return item
    }
  }

  /// Returns the number of prepared statements with a text, of the connection that writes.
  private func count(_ text: String, _ vault: SharedVault) throws -> Int {
    try vault.opened().withWriter { session in
      try session.with(
        "SELECT count(*) FROM pg_prepared_statements WHERE strpos(statement, '\(text)') > 0"
      ) { try $0.count() }
    }
  }

  private func isMissing(_ item: DynamicObject) throws -> [Bool] {
    try Self.optional.map { try item.value(of: $0) == .null }
  }

  @Test("do not multiply with the combinations of missing values") func combinations() throws {
    let vault = try Server.vault()
    defer { vault.close() }
    let store = try vault.store(of: Self.items)
    for item in try combinations(from: 0) { try store.insert(item) }
    // Some statements fail after a change of the schema, which needs another text.
    #expect(try count("INSERT INTO \"Item\"", vault) <= 4)
    for item in try combinations(from: 0).reversed() { try store.update(item) }
    try store.update(contentsOf: combinations(from: 0))
    #expect(try count("UPDATE \"Item\"", vault) <= 4)
    try vault.transaction {
      for item in try combinations(from: 32) { try store.insert(item) }
    }
    #expect(try count("\"Item\"", vault) <= 12)
    let stored = try store.query.sorted(by: .ascending("number")).all()
    let expected = try combinations(from: 0) + combinations(from: 32)
    #expect(try stored.map(isMissing) == expected.map(isMissing))
  }

  @Test("a missing value has the type of the column after the column changed its type")
  func changedType() throws {
    let schema = Server.newSchema()
    let vault = try Server.vault(schema)
    defer { vault.close() }
    _ = try vault.store(of: Self.items)
    try vault.opened().withWriter { session in
      func set(_ value: StoredValue) throws {
        try session.with("UPDATE \"Item\" SET \"a\" = ?1 WHERE false") { statement in
          value.bind(to: statement.binder, at: 0)
          try statement.run()
        }
      }
      try set(.integer(1))
      try set(.null)
      let other = try Server.vault(schema, connection: "other")
      defer { other.close() }
      try other.opened().withWriter { session in
        try session.execute("ALTER TABLE \"Item\" ALTER COLUMN \"a\" TYPE text")
      }
      // The type that the server knows is wrong now, which the first run finds out.
      try? set(.null)
      try set(.null)
      try set(.text("x"))
    }
  }

  @Test("the memory for a large value is released after it was sent") func memory() throws {
    var buffer = ParameterBuffer()
    _ = buffer.send("none", [.text([UInt8](repeating: 65, count: 1000))], to: nil)
    #expect(buffer.capacity >= 1000)
    _ = buffer.send("none", [.blob([UInt8](repeating: 0, count: 8 << 20))], to: nil)
    #expect(buffer.capacity < ParameterBuffer.retainedBytes)

    let vault = try Server.vault()
    defer { vault.close() }
    try vault.opened().withWriter { session in
      let statement = try session.connection.prepare(
        "SELECT octet_length(?1::bytea)", persistent: false)
      for count in [1000, 1 << 20, 1000] {
        let bytes = [UInt8](repeating: 0, count: count)
        let binder = statement.binder
        bytes.withUnsafeBytes { binder.bind(bytes: $0, at: 0) }
        #expect(try statement.step())
        #expect(statement.row.integer(at: 0) == Int64(count))
        statement.reset()
        #expect(statement.boundValues.isEmpty == (count > 1000))
      }
      let connection = try #require(session.connection as? ServerConnection)
      #expect(connection.parameters.capacity < ParameterBuffer.retainedBytes)
    }
  }
}
