import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultServer
import ObjectVaultSession
import ObjectVaultStores
import TestSupport
import Testing

@Suite("The SQL of conditions on a PostgreSQL server", .enabled(if: Server.address != nil))
struct ServerAgreementTests {
  private let table = GeneratedTable()

  /// Creates the table with rows, numbered from 0.
  private func fill(_ rows: [[StoredValue]], on session: Session) throws {
    let catalog = session.connection.catalog
    let definitions = table.properties.map {
      "\(SQL.quoted($0.name)) \(catalog.columnType($0.type.columnType))"
        + ($0.isOptional ? "" : " NOT NULL")
    }
    try session.execute(
      "CREATE TABLE sample (number bigint PRIMARY KEY, \(definitions.joined(separator: ", ")))")
    for property in table.properties where property.position % 4 < 2 {
      try session.execute(
        "CREATE INDEX i\(property.position) ON sample (\(SQL.quoted(property.name)) NULLS FIRST)")
    }
    let marks = (1...table.properties.count + 1).map { "?\($0)" }.joined(separator: ", ")
    for (number, row) in rows.enumerated() {
      try session.with("INSERT INTO sample VALUES (\(marks))") { statement in
        let binder = statement.binder
        binder.bind(integer: Int64(number), at: 0)
        for (position, value) in row.enumerated() { value.bind(to: binder, at: position + 1) }
        try statement.run()
      }
    }
  }

  /// The number of conditions of each kind.
  private struct Tally {
    var compared = 0
    var selective = 0
    /// The first condition without each capability.
    var missing: [String: String] = [:]
    var disagreements: [String] = []
  }

  /// Returns the numbers of the rows that a condition chooses on the server.
  private func chosen(_ resolved: ResolvedCondition, on session: Session) throws -> [Int] {
    let queried = QueriedTable(
      name: "sample", columns: table.columns, dialect: PostgreSQLDialect())
    let sql = try ConditionSQL(resolved, of: queried)
    return try session.with("SELECT number FROM sample WHERE \(sql.text) ORDER BY number") {
      statement in
      let binder = statement.binder
      for (position, value) in sql.values.enumerated() { value.bind(to: binder, at: position) }
      return try statement.rows { Int($0.integer(at: 0)) }
    }
  }

  /// Compares the server with the reference evaluator.
  private func compare(
    _ total: Int, _ random: inout SeededGenerator,
    _ next: () -> (Condition, [ConditionArgument])
  ) throws -> Tally {
    let vault = try Server.vault()
    defer { vault.close() }
    // A server cannot store a NUL character.
    let rows = table.rows(40, &random).map { row in
      row.map { value -> StoredValue in
        guard case .text(let text) = value else { return value }
        return .text(text.replacing("\0", with: ""))
      }
    }
    let checker = ConditionChecker(schema: table, folding: .standard)
    var tally = Tally()
    try vault.opened().withWriter { session in
      try fill(rows, on: session)
      for _ in 0..<total {
        let (condition, arguments) = next()
        let text = condition.text
        let resolved = try checker.resolve(
          Condition.parse(text), arguments: arguments, text: text)
        let found: [Int]
        do {
          found = try vault.opened().describingErrors { try chosen(resolved, on: session) }
        } catch let error as VaultError {
          let missing = try #require(error.underlying as? MissingCapability, "\(text)")
          if tally.missing[missing.capability.rawValue] == nil {
            tally.missing[missing.capability.rawValue] = text
          }
          continue
        }
        let expected = rows.indices.filter { row in
          resolved.holds(folding: .standard) { rows[row][$0] }
        }
        tally.compared += 1
        if !expected.isEmpty, expected.count < rows.count { tally.selective += 1 }
        if found != expected {
          tally.disagreements.append("\(text): server \(found), evaluator \(expected)")
        }
      }
    }
    return tally
  }

  @Test("agrees with the reference evaluator on generated conditions and rows")
  func conditions() throws {
    var random = SeededGenerator(for: "agreement of a server and the evaluator")
    var generator = ConditionGenerator(table.subjects, random)
    let total = randomRounds(6_000)
    let tally = try compare(total, &random) { generator.next() }
    #expect(
      tally.disagreements.isEmpty,
      "\(tally.disagreements.count): \(tally.disagreements.prefix(5))")
    #expect(tally.compared * 3 >= total * 2, "\(tally.missing)")
    #expect(tally.selective * 20 >= tally.compared)
    #expect(
      Set(tally.missing.keys).isSubset(of: ["MATCHES", "texts with NUL characters"]),
      "\(tally.missing)")
  }

  @Test("agrees with the reference evaluator on generated calculations") func calculations() throws
  {
    var random = SeededGenerator(for: "agreement of calculations on a server")
    var generator = CalculationGenerator(table, random)
    let total = randomRounds(3_000)
    let tally = try compare(total, &random) { generator.next() }
    #expect(
      tally.disagreements.isEmpty,
      "\(tally.disagreements.count): \(tally.disagreements.prefix(5))")
    #expect(tally.compared == total, "\(tally.missing)")
    #expect(tally.selective * 5 > tally.compared * 2)
  }
}
