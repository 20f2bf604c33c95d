import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultSession
import TestSupport
import Testing

import ObjectVaultServer

/// Sums, stored JSON and cases of texts, which must have the same results as in a file.
@Suite("Values computed on a PostgreSQL server", .enabled(if: Server.address != nil))
struct ServerAggregateTests {
  private static let samples = ClassDescription(
    "Sample",
    properties: [
      PropertyDescription("real", Double?.self), PropertyDescription("integer", Int64?.self),
    ])

  /// A store on a server and one in a vault in memory.
  private struct Pair {
    let stores: [ObjectStore<DynamicObject>]

    init(_ description: ClassDescription) throws {
      stores = [
        try Server.vault().store(of: description), try Vault.inMemory().store(of: description),
      ]
    }

    func insert(_ values: [[String: StoredValue]]) throws {
      for store in stores {
        try store.insert(
          contentsOf: values.map { values in
            var object = try DynamicObject(of: store.classDescription)
            for (name, value) in values { try object.set(name, to: value) }
            return object
          })
      }
    }

    /// Returns the results on the server and in memory.
    func each<R>(_ body: (ObjectStore<DynamicObject>) throws -> R) rethrows -> (R, R) {
      (try body(stores[0]), try body(stores[1]))
    }
  }

  /// Checks that the sum and the mean are the same, bit by bit.
  private func expectSame(
    _ values: [[String: StoredValue]], _ property: String,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let pair = try Pair(Self.samples)
    try pair.insert(values)
    let (found, expected) = try pair.each { store in
      try store.query.grouped(by: []).aggregating(
        .sum(of: property, as: "sum"), .average(of: property, as: "mean")
      ).rows()
    }
    #expect(found == expected, "\(values)", sourceLocation: location)
  }

  @Test("sums and means of doubles are exact, and rounded once")
  func reals() throws {
    let greatest = Double.greatestFiniteMagnitude
    let least = Double.leastNonzeroMagnitude
    let lists: [[Double]] = [
      [], [1e16, 1, -1e16], [0.1, 0.2, 0.3], [-0.0], [least, least, -least], [greatest, greatest],
      [greatest, greatest, -greatest], [-greatest, -greatest], [greatest, 0x1p970],
      [greatest, 0x1p969], [.infinity, 1], [-.infinity, 1e308], [.infinity, -.infinity],
      [0x1p53, 1, 0x1p-60], [0x1p1023, 0x1p-1074], [0x1p-1022, -0x1p-1074],
      [123_456.789, 1e-20, -123_456.789], [9_223_372_036_854_775_808, 0.5],
    ]
    for list in lists { try expectSame(list.map { ["real": .real($0)] }, "real") }
    var random = SeededGenerator(for: "sums on a server")
    for _ in 0..<20 {
      let values = (0..<50).map { _ -> [String: StoredValue] in
        let bits = UInt64.random(in: .min ... .max, using: &random)
        let value = Double(bitPattern: bits)
        return ["real": value.isFinite ? .real(value) : .null]
      }
      try expectSame(values, "real")
    }
  }

  @Test("means of integers are exact, also beyond 64 bits")
  func integers() throws {
    let lists: [[Int64]] = [
      [1, 2], [.max, .max], [.max, 1, -1], [.min, .min, .min], [0x20_0000_0000_0001, 0],
    ]
    for list in lists {
      let pair = try Pair(Self.samples)
      try pair.insert(list.map { ["integer": .integer($0)] })
      let (found, expected) = try pair.each { try $0.query.average(of: "integer") }
      #expect(found == expected, "\(list)")
    }
  }

  @Test("a sum of integers beyond 64 bits is compared as the nearest double")
  func sumsBeyondInteger() throws {
    for list in [[.max, .max], [.min, -1], [.max, 1], [.max, 0], [.min, 0]] as [[Int64]] {
      let pair = try Pair(Self.samples)
      try pair.insert(list.map { ["integer": .integer($0)] })
      for limit in [0x1p64, 0x1p63, -0x1p63, -0x1p64] {
        for condition in ["sum >= %@", "sum = %@", "sum <= %@"] {
          let (found, expected) = try pair.each { store in
            try store.query.grouped(by: []).aggregating(.sum(of: "integer", as: "sum"))
              .having(condition, limit).count()
          }
          #expect(found == expected, "\(list): \(condition) \(limit)")
        }
      }
    }
  }

  @Test("a list of a thousand values is compared with an aggregate")
  func longListOfGroups() throws {
    let pair = try Pair(Self.samples)
    try pair.insert((1...3).map { ["integer": .integer($0)] })
    let (found, expected) = try pair.each { store in
      try store.query.grouped(by: "integer").aggregating(.sum(of: "integer", as: "sum"))
        .having("sum IN %@", Array(2...1_001)).count()
    }
    #expect(found == expected && expected >= 2)
  }

  @Test("a list of integers and doubles is compared with a sum of integers exactly")
  func listsOfSums() throws {
    let pair = try Pair(Self.samples)
    try pair.insert([.integer(.min), .integer(1)].map { ["integer": $0] })
    for condition in [
      "sum NOT IN {-9223372036854775806, 99999999999999999999.0}",
      "sum IN {-9223372036854775806, 99999999999999999999.0}",
      "sum IN {-9223372036854775807, 99999999999999999999.0}",
    ] {
      let (found, expected) = try pair.each { store in
        try store.query.grouped(by: []).aggregating(.sum(of: "integer", as: "sum"))
          .having(condition).count()
      }
      #expect(found == expected, "\(condition)")
      #expect(expected == (condition.contains("806") == condition.contains("NOT") ? 1 : 0))
    }
  }

  @Test("a list of integers and doubles is compared with doubles exactly")
  func lists() throws {
    let pair = try Pair(Self.samples)
    try pair.insert([0x1p53, 0.5, 3].map { ["real": .real($0)] })
    for condition in [
      "real IN {9007199254740993, 0.5}", "real NOT IN {9007199254740993, 0.5}",
      "real IN {9007199254740992, 3}", "real IN {9007199254740993}",
    ] {
      let (found, expected) = try pair.each { try $0.where(condition).count() }
      #expect(found == expected, "\(condition)")
    }
  }

  // MARK: Stored JSON

  private static let bags = ClassDescription(
    "Bag",
    properties: [
      PropertyDescription("number", Int64.self), PropertyDescription("real", Double?.self),
      PropertyDescription("text", String?.self),
      PropertyDescription("json", type: .json, isOptional: true),
    ],
    objectID: ["number"])

  @Test("members and elements of stored JSON are found as in a file")
  func json() throws {
    let parts = [
      "null", "true", "false", "0", "-0.0", "1", "1.0", "2.5", "9007199254740993",
      "9007199254740992", "9007199254740993.0", "4.611686018427388e+18", "4611686018427387904",
      "9223372036854775807", "9223372036854775808", "-9223372036854775809", "1e400", "-1e400",
      "1e-400", "0.1", "\"\"", "\"a\"", "\"A\"", "\"é\"", "\"\\u00e9\"", "\"1\"", "[]", "{}",
      "[null]", "[\"a\",1]", "[1,[1],\"é\"]", "{\"a\":1}", "{\"0\":1}",
    ]
    var values: [[String: StoredValue]] = parts.enumerated().map { number, part in
      [
        "number": .integer(Int64(number)), "json": .text("{\"a\":\(part),\"b\":[\(part)]}"),
        "real": .real([0x1p53, 0.1, 1][number % 3]), "text": number % 2 == 0 ? .text("a") : .null,
      ]
    }
    for (number, part) in (parts + ["[1,2]"]).enumerated() {
      values.append(["number": .integer(Int64(100 + number)), "json": .text(part)])
    }
    values.append(["number": .integer(1000)])
    let pair = try Pair(Self.bags)
    try pair.insert(values)
    let constants = [
      "nil", "TRUE", "FALSE", "0", "1", "1.0", "2.5", "9007199254740992", "9007199254740993",
      "9007199254740992.0", "4611686018427387904", "4.611686018427388e18", "0.1",
      "9223372036854775807", "9223372036854775808.0", "'a'", "'é'", "''", "real", "number", "text",
    ]
    var conditions: [String] = [
      "json.@count == 2", "json.a.@count == 1", "json.a.@count == nil", "json['0'] == 1",
      "json CONTAINS 1", "json CONTAINS 'é'", "lowercase(json.a) == 'a'", "json.a ==[c] 'A'",
      "json.a LIKE[d] 'E'",
      "json.a CONTAINS 'a'", "json.a.a == 1", "json.a IN {1, 'a', nil, 9007199254740992}",
      "json.a NOT IN {0.1, 9007199254740993}", "ANY json.b ==[cd] 'E'", "ANY json.b BEGINSWITH ''",
      "ALL json.b CONTAINS text", "json.a BETWEEN {0, 2.5}", "json.a IN {9007199254740992.0}",
    ]
    for constant in constants {
      conditions += ["==", "!="].flatMap { op in
        ["json.a \(op) \(constant)"]
          + ["ANY", "ALL", "NONE"].map { "\($0) json.b \(op) \(constant)" }
      }
      if constant == "nil" { continue }
      for op in ["<", "<=", ">", ">="] where !["TRUE", "FALSE"].contains(constant) {
        conditions += [
          "json.a \(op) \(constant)", "NOT json.a \(op) \(constant)",
          "ANY json.b \(op) \(constant)", "ALL json.b \(op) \(constant)",
        ]
      }
    }
    for condition in conditions {
      let (found, expected) = try pair.each { store in
        try store.where(condition).sorted(by: .ascending("number")).values(
          of: "number", as: Int64.self)
      }
      #expect(found == expected, "\(condition)")
    }
  }

  // MARK: Texts

  @Test("texts get the same case as in a file") func cases() throws {
    let vault = try Server.vault()
    defer { vault.close() }
    for textCase in TextCase.allCases {
      let texts = stride(from: UInt32(1), to: 0x20000, by: 512).map { start in
        var text = "ß"
        for value in start..<start + 512 {
          if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
        }
        return text
      }
      for text in texts + ["abc", "ABC", "İi", "ΑΣ", ""] {
        let converted = try vault.opened().read { session in
          try session.with("SELECT objectvault.ov_\(textCase.rawValue)(?1::text)") { statement in
            statement.binder.bind(text: text, at: 0)
            return try statement.rows { $0.text(at: 0) }.first ?? nil
          }
        }
        #expect(converted == textCase.applied(to: text))
      }
    }
  }

  // MARK: Names

  @Test("names of indexes that are too long for the server are shortened, and others refused")
  func names() throws {
    let long = String(repeating: "n", count: 40)
    let description = ClassDescription(
      "Long", table: "t_\(long)",
      properties: ["\(long)1", "\(long)2"].map { PropertyDescription($0, Int64.self) },
      indexes: [
        IndexDescription(["\(long)1", "\(long)2"], unique: true),
        IndexDescription(["\(long)2", "\(long)1"]),
      ])
    let schema = Server.newSchema()
    for connection in ["first", "second"] {
      let vault = try Server.vault(schema, connection: connection)
      defer { vault.close() }
      let store = try vault.store(of: description)
      var object = try DynamicObject(of: description)
      for property in description.properties { try object.set(property.name, to: .integer(1)) }
      if connection == "first" {
        try store.insert(object)
      } else {
        let error = try #require(throws: VaultError.self) { try store.insert(object) }
        #expect(error.code == .duplicate)
        #expect(error.propertyNames == ["\(long)1", "\(long)2"])
      }
    }
    let vault = try Server.vault()
    defer { vault.close() }
    for (table, property) in [(String(repeating: "é", count: 32), "a"), ("t", "a\(long)\(long)")] {
      let refused = ClassDescription(
        "Refused", table: table, properties: [PropertyDescription(property, Int64.self)])
      let error = try #require(throws: VaultError.self) { try vault.store(of: refused) }
      #expect(error.code == .invalidClass && error.message.contains("at most 63"))
    }
  }
}
