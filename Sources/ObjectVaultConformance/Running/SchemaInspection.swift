import ObjectVaultConformanceFormat
import ObjectVaultEngine

/// A comparison of a file's tables, columns, indexes and foreign keys with the expectation.
struct SchemaInspection {
  private typealias Member = FixtureValue.Member
  private let file: StockQuery

  init(_ connection: Connection) { file = StockQuery(connection: connection) }

  func compare(_ report: inout InspectionReport) {
    if let expected = report.value["tables"] {
      do {
        report.compare("tables", expected, try tables())
      } catch {
        report.add("tables", expected: expected.notation, actual: "\(error)")
      }
    }
    // Fields that a fixture can omit are removed from both sides, so that equal columns compare as
    // equal.
    report.compareEach("columns", reading: Self.withoutDefaults) { table in
      try file.checkTable(table)
      return try columns(of: table)
    }
    report.compareUnordered("indexes", reading: Self.withoutDefaults) { table in
      try file.checkTable(table)
      return try indexes(of: table)
    }
    report.compareUnordered("foreignKeys", reading: { $0 }) { table in
      try file.checkTable(table)
      return try foreignKeys(of: table)
    }
    report.compareEach("ddl") { table, _ in
      let rows = try file.rows(
        "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = \(Self.literal(table))")
      guard let ddl = rows.first?.first else { throw RunnerError("there is no such table") }
      return ddl
    }
  }

  private func tables() throws -> FixtureValue {
    let names = try file.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
      .compactMap { row -> String? in
        if case .text(let name)? = row.first { name } else { nil }
      }
      .filter { name in !["sqlite_", "objectvault_"].contains { name.hasPrefix($0) } }
    return .list(
      names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { .text($0) })
  }

  private func columns(of table: String) throws -> [FixtureValue] {
    try file.pragma("table_info", of: table).map { row in
      Self.withoutDefaults(
        .object([
          Member("name", row["name"] ?? .null), Member("type", row["type"] ?? .null),
          Member("notNull", .bool(row["notnull"] != .integer(0))),
          Member("default", row["dflt_value"] ?? .null), Member("key", row["pk"] ?? .null),
        ]))
    }
  }

  private func indexes(of table: String) throws -> [FixtureValue] {
    try file.pragma("index_list", of: table).filter { $0["origin"] == .text("c") }.map { row in
      guard case .text(let name)? = row["name"] else { throw RunnerError("an index has no name") }
      let columns = try file.pragma("index_info", of: name).map { column in
        // An expression has no name.
        column["name"].flatMap { $0 == .null ? nil : $0 } ?? .text("(expression)")
      }
      return Self.withoutDefaults(
        .object([
          Member("columns", .list(columns)), Member("unique", .bool(row["unique"] != .integer(0))),
          Member("name", .text(name)),
        ]))
    }
  }

  private func foreignKeys(of table: String) throws -> [FixtureValue] {
    // A foreign key has one row for each of its columns, all with the number of the key.
    var keys: [(number: FixtureValue, rows: [[String: FixtureValue]])] = []
    for row in try file.pragma("foreign_key_list", of: table) {
      let number = row["id"] ?? .null
      if let index = keys.firstIndex(where: { $0.number == number }) {
        keys[index].rows.append(row)
      } else {
        keys.append((number, [row]))
      }
    }
    return keys.map { key in
      let first = key.rows[0]
      return .object([
        Member("columns", .list(key.rows.map { $0["from"] ?? .null })),
        Member("table", first["table"] ?? .null),
        Member("to", .list(key.rows.map { $0["to"] ?? .null })),
        Member("onDelete", first["on_delete"] ?? .null),
        Member("onUpdate", first["on_update"] ?? .null),
      ])
    }
  }

  private static func withoutDefaults(_ value: FixtureValue) -> FixtureValue {
    guard let members = value.members else { return value }
    return .object(
      members.filter { member in
        switch (member.name, member.value) {
        case ("notNull", .bool(false)), ("unique", .bool(false)), ("default", .null),
          ("key", .integer(0)):
          false
        default: true
        }
      })
  }

  private static func literal(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }
}

extension InspectionReport {
  /// Compares lists of records by table, in their order.
  fileprivate mutating func compareEach(
    _ field: String, reading: @escaping (FixtureValue) -> FixtureValue,
    _ actual: (_ table: String) throws -> [FixtureValue]
  ) {
    compareLists(field, reading) { table, _ in try actual(table) }
  }

  /// Compares lists of records by table in any order.
  ///
  /// A name is compared only if one is expected.
  fileprivate mutating func compareUnordered(
    _ field: String, reading: @escaping (FixtureValue) -> FixtureValue,
    _ actual: (_ table: String) throws -> [FixtureValue]
  ) {
    compareLists(field, reading) { table, expected in
      var rest = try actual(table)
      var ordered: [FixtureValue] = []
      for record in expected {
        let match = rest.firstIndex { found in
          record == found || record == Self.named(found, as: record)
        }
        if let match { ordered.append(Self.named(rest.remove(at: match), as: record)) }
      }
      // Records without a counterpart come last, so that a report shows them.
      return ordered + rest
    }
  }

  private static func named(_ found: FixtureValue, as record: FixtureValue) -> FixtureValue {
    guard record["name"] == nil, let members = found.members else { return found }
    return .object(members.filter { $0.name != "name" })
  }

  private mutating func compareLists(
    _ field: String, _ reading: (FixtureValue) -> FixtureValue,
    _ actual: (_ table: String, _ expected: [FixtureValue]) throws -> [FixtureValue]
  ) {
    guard let members = value[field]?.members else {
      if let other = value[field] {
        add(field, expected: "a mapping by table", actual: other.notation)
      }
      return
    }
    for member in members {
      let expected = (member.value.elements ?? [member.value]).map(reading)
      let subject = "\(field).\(member.name)"
      do {
        compare(subject, .list(expected), .list(try actual(member.name, expected)))
      } catch {
        add(subject, expected: FixtureValue.list(expected).notation, actual: "\(error)")
      }
    }
  }
}
