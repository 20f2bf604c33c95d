import ObjectVaultStores
import ObjectVaultSchema
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport

/// A class with a required and an optional property of every family, and rows of awkward values.
struct GeneratedTable: ConditionSchema {
  let className = "Sample"
  let properties: [PropertyShape]
  var propertyNames: [String] { properties.map(\.name) }

  init() {
    let types: [PropertyType] = [
      .bool, .int, .double, .float, .string, .date, .uuid, .url, .decimal, .data, .json,
    ]
    var properties: [PropertyShape] = []
    for type in types {
      for isOptional in [false, true] {
        let name = type.rawValue.lowercased() + (isOptional ? " or \"nil\"" : "")
        properties.append(
          PropertyShape(name, at: properties.count, type: type, isOptional: isOptional))
      }
    }
    self.properties = properties
  }

  func property(named name: String) -> PropertyShape? { properties.first { $0.name == name } }

  /// What conditions can ask for.
  var subjects: [ConditionSubject] {
    properties.map {
      ConditionSubject(
        path: PropertyPath([$0.name]), way: .own, type: $0.type, isOptional: $0.isOptional)
    }
  }

  var columns: [String] { properties.map { SQLIdentifier($0.name).description } }
  /// The table as queries name it.
  var queried: QueriedTable {
    QueriedTable(name: "\"sample\"", columns: columns, dialect: SQLiteDialect())
  }

  // MARK: Values

  static let texts = [
    "", "a", "A", "b", "Bob", "bob", "BOB", "Li", "li", "a\u{0}b", "a\u{0}", "é", "e\u{301}", "É",
    "ß", "ẞ", "SS", "ı", "İ", "I", "i", "Σ", "ς", "σ", "😀", "👩‍👩‍👧", "a%b", "a_b", "a\\b", "%", "_",
    "\\",
    "it's", "say \"x\"", "\u{10FFFF}", "\u{D7FF}", "\u{E000}", "a\u{10FFFF}", "学伟", "大学伟", "NULL",
    "50",
    "\n", "K", "K", "Å", "A\u{30A}", "abcabcabd", "ab",
  ]
  static let integers: [Int64] = [
    0, 1, -1, 2, 18, 50, 1 << 53, 1 << 53 - 1, 1 << 53 + 1, -(1 << 53) - 1, .max, .min, .max - 1,
    .min + 1, 1 << 62,
  ]
  static let reals: [Double] = [
    0, 1, -1, 0.1, 0.5, -0.5, 18, 18.5, 50, 0x1p53, 0x1p53 - 1, 0x1p53 + 2, 0x1p63, -0x1p63, 1e300,
    -1e300, .leastNonzeroMagnitude, .infinity, -.infinity,
  ]
  static let decimals = [
    "0", "1", "-1", "0.1", "0.10000000000000000001", "-0.5", "9", "10", "18.5", "50",
    "9007199254740993", "99999999999999999999999999999999999999", "-10", "-9", "2", "1.5", "1.25",
  ]
  static let dates: [Double] = [0, 0.000001, -1, 1_700_000_000.123456, 50, 253_402_300_799, 18.5]
  static let uuids = [
    "00000000-0000-0000-0000-000000000000", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8",
    "6BA7B811-9DAD-11D1-80B4-00C04FD430C8", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
  ]
  static let urls = [
    "https://a.example/", "https://A.example/", "file:///tmp/é", "x:", "https://b/%20",
  ]
  static let blobs: [[UInt8]] = [[], [0], [0, 1], [255], Array("a".utf8)]
  static let composites = ["[]", "[\"a\",\"b\"]", "{\"a\":1}", "null", "\"x\"", "[1,2]"]

  static func value(_ type: PropertyType, _ random: inout SeededGenerator) -> StoredValue {
    switch type.family {
    case .boolean: .integer(random.pick([0, 1]))
    case .integer: .integer(random.pick(integers))
    case .real:
      .real(type == .float ? Double(Float(random.pick(reals))) + 0 : random.pick(reals) + 0)
    case .text: .text(random.pick(texts))
    case .data: .blob(random.pick(blobs))
    case .date: .real(random.pick(dates))
    case .uuid: .text(random.pick(uuids))
    case .url: .text(random.pick(urls))
    case .decimal: .text(random.pick(decimals))
    case .composite: .text(random.pick(composites))
    }
  }

  func rows(_ count: Int, _ random: inout SeededGenerator) -> [[StoredValue]] {
    (0..<count).map { _ in
      properties.map { property in
        property.isOptional && random.oneIn(4) ? .null : Self.value(property.type, &random)
      }
    }
  }

  // MARK: In a file

  /// An encrypted file with the table `"sample"` in it, the rows from rowid 0 on.
  func connection(with rows: [[StoredValue]], at path: String) throws -> Connection {
    let connection = try Connection.forConditions(at: path)
    let definitions = properties.map {
      "\(SQLIdentifier($0.name)) \($0.type.columnType)\($0.isOptional ? "" : " NOT NULL")"
    }
    try connection.execute("CREATE TABLE \"sample\" (\(definitions.joined(separator: ", ")))")
    // Indexes change how the engine compares: half of the properties have one.
    for property in properties where property.position % 4 < 2 {
      try connection.execute(
        "CREATE INDEX \(SQLIdentifier("i\(property.position)")) ON \"sample\" "
          + "(\(SQLIdentifier(property.name)))")
    }
    let marks = Array(repeating: "?", count: properties.count + 1).joined(separator: ", ")
    let names = columns.joined(separator: ", ")
    let insert = try connection.prepare(
      "INSERT INTO \"sample\" (rowid, \(names)) VALUES (\(marks))")
    try connection.execute("BEGIN")
    for (position, row) in rows.enumerated() {
      let binder = insert.binder
      binder.bind(integer: Int64(position), at: 0)
      for (column, value) in row.enumerated() { value.bind(to: binder, at: column + 1) }
      try insert.run()
    }
    try connection.execute("COMMIT")
    return connection
  }
}

extension Connection {
  /// A new encrypted file, with what conditions call.
  static func forConditions(at path: String) throws -> Connection {
    let key = "x'\(String(repeating: "07", count: 48))'"
    let connection = try Array(key.utf8).withUnsafeBytes {
      try Connection(
        path: path, mode: .create, key: $0,
        cipher: CipherSettings(format: try Engine.prove().newestCipherFormat))
    }
    try VaultFunctions.install(on: connection)
    return connection
  }

  /// The rowids of the rows that the SQL of a condition chooses.
  func chosen(_ sql: ConditionSQL, from table: String = "\"sample\"") throws -> [Int] {
    try sql.fillLists(on: self)
    let statement = try prepare("SELECT rowid FROM \(table) WHERE \(sql.text) ORDER BY rowid")
    let binder = statement.binder
    for (position, value) in sql.values.enumerated() { value.bind(to: binder, at: position) }
    var chosen: [Int] = []
    while try statement.step() { chosen.append(Int(statement.row.integer(at: 0))) }
    statement.reset()
    return chosen
  }
}
