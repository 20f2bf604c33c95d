import ConditionReference
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
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
  private func chosen(
    _ resolved: ResolvedCondition, _ number: String, from queried: QueriedTable,
    on session: Session
  ) throws -> [Int] {
    let sql = try ConditionSQL(resolved, of: queried)
    return try session.with(
      "SELECT \(number) FROM \(queried.name) WHERE \(sql.text) ORDER BY \(number)"
    ) { statement in
      let binder = statement.binder
      for (position, value) in sql.values.enumerated() { value.bind(to: binder, at: position) }
      return try statement.rows { Int($0.integer(at: 0)) }
    }
  }

  /// Compares the server with the reference evaluator.
  ///
  /// - Parameters:
  ///   - total: The number of conditions.
  ///   - checker: The checker of the conditions.
  ///   - rowCount: The number of rows.
  ///   - next: Returns a condition with its arguments.
  ///   - chosen: Returns the numbers of the rows that the server chooses.
  ///   - holds: Returns whether the evaluator chooses the row with a number.
  /// - Returns: The numbers of conditions.
  /// - Throws: The errors of the server, except those that name a capability.
  private func compare(
    _ total: Int, _ checker: ConditionChecker, rowCount: Int,
    _ next: () -> (Condition, [ConditionArgument]),
    chosen: (ResolvedCondition) throws -> [Int], holds: (ResolvedCondition, Int) -> Bool
  ) throws -> Tally {
    var tally = Tally()
    for _ in 0..<total {
      let (condition, arguments) = next()
      let text = condition.text
      let resolved = try checker.resolve(Condition.parse(text), arguments: arguments, text: text)
      let found: [Int]
      do {
        found = try chosen(resolved)
      } catch let error as VaultError {
        let missing = try #require(error.underlying as? MissingCapability, "\(text): \(error)")
        if tally.missing[missing.capability.rawValue] == nil {
          tally.missing[missing.capability.rawValue] = text
        }
        continue
      }
      let expected = (0..<rowCount).filter { holds(resolved, $0) }
      tally.compared += 1
      if !expected.isEmpty, expected.count < rowCount { tally.selective += 1 }
      if found != expected {
        tally.disagreements.append("\(text): server \(found), evaluator \(expected)")
      }
    }
    return tally
  }

  /// Compares conditions on one table.
  private func compareRows(
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
    let queried = QueriedTable(
      name: "sample", columns: table.columns, dialect: PostgreSQLDialect())
    let opened = try vault.opened()
    return try opened.withWriter { session in
      try fill(rows, on: session)
      return try compare(
        total, ConditionChecker(schema: table, folding: .standard), rowCount: rows.count, next
      ) { resolved in
        try opened.describingErrors {
          try chosen(resolved, "number", from: queried, on: session)
        }
      } holds: { resolved, row in
        resolved.holds(folding: .standard) { rows[row][$0] }
      }
    }
  }

  @Test("agrees with the reference evaluator on generated conditions and rows")
  func conditions() throws {
    var random = SeededGenerator(for: "agreement of a server and the evaluator")
    var generator = ConditionGenerator(table.subjects, random)
    let total = randomRounds(6_000)
    let tally = try compareRows(total, &random) { generator.next() }
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
    let tally = try compareRows(total, &random) { generator.next() }
    #expect(
      tally.disagreements.isEmpty,
      "\(tally.disagreements.count): \(tally.disagreements.prefix(5))")
    #expect(tally.compared == total, "\(tally.missing)")
    #expect(tally.selective * 5 > tally.compared * 2)
  }

  @Test("folds every scalar as a file does", arguments: 1...3) func folding(options: Int) throws {
    let vault = try Server.vault()
    defer { vault.close() }
    // No others are assigned, except for variation selectors and two planes of ideographs.
    let values = Array(0x1...0x1FFFF) + Array(0x2F800...0x2FA20) + Array(0xE0000...0xE01FF)
    let scalars = values.compactMap(Unicode.Scalar.init)
    let differing = try vault.opened().read { session in
      try session.with("SELECT objectvault.ov_fold(?1, ?2)") { statement in
        var differing: [String] = []
        for start in stride(from: 0, to: scalars.count, by: 2048) {
          let part = scalars[start..<min(start + 2048, scalars.count)]
          // A line is not combined with the next one.
          let text = part.map { "\n\(Character($0))" }.joined()
          let binder = statement.binder
          binder.bind(text: text, at: 0)
          binder.bind(integer: Int64(options), at: 1)
          let found = try statement.rows { $0.text(at: 0) ?? "" }.first ?? ""
          let expected = TextFolding.standard.fold(text, TextOptions(rawValue: UInt8(options)))
          if Array(found.unicodeScalars) == Array(expected.unicodeScalars) { continue }
          func lines(_ text: String) -> [[Unicode.Scalar]] {
            text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
              .map(Array.init)
          }
          for (scalar, (a, b)) in zip(part, zip(lines(found), lines(expected)).dropFirst())
          where a != b { differing.append(String(scalar.value, radix: 16)) }
        }
        return differing
      }
    }
    #expect(differing.isEmpty, "\(differing.count): \(differing.prefix(50))")
  }

  // MARK: Associations

  /// Creates the tables of the graph, without foreign keys: some references lead nowhere.
  private func fill(_ graph: GeneratedGraph, on session: Session) throws {
    for description in GeneratedGraph.classes {
      let definition = TableDefinition(description: description)
      let catalog = session.connection.catalog
      try session.execute(definition.createTable(catalog, refersToTables: false))
      for index in definition.indexes(catalog) { try session.execute(index.statement) }
      let columns = description.rowColumns.map(SQL.quoted)
      for row in graph.rows[description.table] ?? [] {
        try session.with(
          "INSERT INTO \(SQL.quoted(description.table)) (\(columns.joined(separator: ", "))) "
            + "VALUES (\(SQL.parameters(columns.indices)))"
        ) { statement in
          let binder = statement.binder
          for (position, value) in row.enumerated() { value.bind(to: binder, at: position) }
          try statement.run()
        }
      }
    }
  }

  @Test("agrees with the reference evaluator on generated conditions across associations")
  func associations() throws {
    var random = SeededGenerator(for: "agreement across associations on a server")
    let graph = GeneratedGraph(&random, hasNUL: false)
    let vault = try Server.vault()
    defer { vault.close() }
    let opened = try vault.opened()
    try opened.withWriter { session in
      try fill(graph, on: session)
      for name in ["Student", "Room", "Site"] {
        let description = GeneratedGraph.description(name)
        let sql = try TableStatements(description, dialect: PostgreSQLDialect())
        let objects = graph.objects(of: description)
        var generator = ConditionGenerator(try GeneratedGraph.subjects(of: description), random)
        let total = randomRounds(2_000)
        let checker = ConditionChecker(
          schema: GeneratedGraph.schema(of: description), folding: .standard)
        let tally = try compare(total, checker, rowCount: objects.count) {
          generator.next()
        } chosen: { resolved in
          try opened.describingErrors {
            try chosen(resolved, "\(sql.queried.name).ov_seq", from: sql.queried, on: session)
          }.map { $0 - 1 }
        } holds: { resolved, row in
          resolved.holds(folding: .standard, of: objects[row])
        }
        #expect(
          tally.disagreements.isEmpty,
          "\(name) \(tally.disagreements.count): \(tally.disagreements.prefix(3))")
        #expect(tally.compared * 2 >= total, "\(tally.missing)")
        #expect(tally.selective * 20 >= tally.compared)
        #expect(
          Set(tally.missing.keys).isSubset(of: [
            "MATCHES", "texts with NUL characters",
          ]), "\(tally.missing)")
      }
    }
  }
}
