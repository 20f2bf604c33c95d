import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultSession
import TestSupport
import Testing

import ObjectVaultServer

@Suite("Tables of other programs on a PostgreSQL server", .enabled(if: Server.address != nil))
struct ServerTableTests: ServerUpgrading {
  let schema = Server.newSchema()

  private func reading(_ type: PropertyType) -> ClassDescription {
    ClassDescription(
      "Reading",
      properties: [
        PropertyDescription("id", Int.self),
        PropertyDescription("value", type: type, isOptional: true),
      ], objectID: ["id"])
  }

  private func create(_ columns: String, in vault: SharedVault) throws {
    try vault.opened().withWriter { session in
      try session.execute("DROP TABLE IF EXISTS \"Reading\"")
      try session.execute("CREATE TABLE \"Reading\" (\(columns))")
    }
  }

  @Test("can be partitioned, also if a class refers to one") func partitioned() throws {
    let teacher = ClassDescription(
      "Teacher", properties: [PropertyDescription("id", Int.self)], objectID: ["id"])
    let pupil = ClassDescription(
      "Pupil",
      properties: [PropertyDescription("id", Int.self), PropertyDescription("teacher", Int?.self)],
      objectID: ["id"],
      references: [
        ReferenceDescription(
          "teacher", target: "Teacher", targetColumns: ["id"], onDelete: .nullify)
      ])
    try withVault("a") { vault in
      try vault.opened().withWriter { session in
        for sql in [
          "CREATE TABLE \"Teacher\" (id bigint PRIMARY KEY) PARTITION BY RANGE (id)",
          "CREATE TABLE t1 PARTITION OF \"Teacher\" FOR VALUES FROM (1) TO (100)",
          "CREATE TABLE t2 PARTITION OF \"Teacher\" FOR VALUES FROM (100) TO (200)",
        ] { try session.execute(sql) }
      }
    }
    for (connection, number) in [("b", 1), ("c", 150)] {
      try withVault(connection) { vault in
        let teachers = try vault.store(of: teacher)
        let pupils = try vault.store(of: pupil, with: [teacher])
        try insert([["id": .integer(Int64(number))]], teachers)
        let id = StoredValue.integer(Int64(number))
        try insert([["id": id, "teacher": id]], pupils)
        #expect(code { try insert([["id": .integer(9), "teacher": .integer(9)]], pupils) } != nil)
        #expect(try pupils.where("teacher.id == %@", number).count() == 1)
        #expect(try teachers.where("id == %@", number).remove() == 1)
        #expect(try values("teacher", pupils).allSatisfy { $0 == .null })
      }
    }
  }

  @Test("lose their objects with those that refer to them, whatever the type of the key")
  func removal() throws {
    func described(_ name: String, _ others: [PropertyDescription] = []) -> ClassDescription {
      ClassDescription(
        name, properties: [PropertyDescription("id", String.self)] + others, objectID: ["id"])
    }
    let team = described("Team")
    var member = described("Member", [PropertyDescription("team", String?.self)])
    member.references = [
      ReferenceDescription("team", target: "Team", targetColumns: ["id"], onDelete: .cascade)
    ]
    for collation in ["", "COLLATE \"C\""] {
      try withVault("a") { vault in
        try vault.opened().withWriter { session in
          for sql in [
            "DROP TABLE IF EXISTS \"Member\", \"Team\"",
            "CREATE TABLE \"Team\" (id text \(collation) PRIMARY KEY)",
            "CREATE TABLE \"Member\" (id text \(collation) PRIMARY KEY, "
              + "team text \(collation) REFERENCES \"Team\" "
              + "ON UPDATE CASCADE ON DELETE CASCADE)",
          ] { try session.execute(sql) }
        }
      }
      try withVault("b") { vault in
        let teams = try vault.store(of: team)
        let members = try vault.store(of: member, with: [team])
        try insert(["a", "b"].map { ["id": .text($0)] }, teams)
        try insert(
          ["x", "y", "z"].map { ["id": .text($0), "team": .text($0 == "z" ? "b" : "a")] }, members)
        #expect(try teams.where("id == 'a'").remove() == 1)
        #expect(try values("id", members) == [.text("z")], "\(collation)")
        #expect(try teams.removeAll() == 1)
        #expect(try members.count() == 0)
      }
    }
  }

  @Test("have columns of related types") func types() throws {
    let cases: [(String, PropertyType, String, StoredValue, StoredValue)] = [
      ("real", .double, "1.5", .real(1.5), .real(-2.25)),
      ("double precision", .double, "1.5", .real(1.5), .real(-2.25)),
      ("integer", .int, "7", .integer(7), .integer(-8)),
      ("smallint", .int, "7", .integer(7), .integer(-8)),
      ("varchar(9)", .string, "'x'", .text("x"), .text("y")),
      ("name", .string, "'x'", .text("x"), .text("y")),
      ("word", .string, "'x'", .text("x"), .text("y")),
    ]
    try withVault("a") { vault in
      try vault.opened().withWriter { try $0.execute("CREATE DOMAIN word AS text") }
      for (type, property, literal, stored, new) in cases {
        try create("id bigint PRIMARY KEY, value \(type)", in: vault)
        try vault.opened().withWriter {
          try $0.execute("INSERT INTO \"Reading\" VALUES (1, \(literal))")
        }
        let store = try vault.store(of: reading(property))
        #expect(try values("value", store) == [stored], "\(type)")
        try insert([["id": .integer(2), "value": new], ["id": .integer(3)]], store)
        #expect(try values("value", store) == [stored, new, .null], "\(type)")
        var first = try #require(try store.find(DynamicObjectID(.integer(1))))
        try first.set("value", to: new)
        try store.update(first)
        #expect(try values("value", store).filter { $0 == new }.count == 2, "\(type)")
        try vault.removeStore(named: "Reading")
      }
    }
  }

  @Test("give each object its own ID if they generate several numbers at a time")
  func cachedNumbers() throws {
    let description = ClassDescription(
      "Reading", properties: [PropertyDescription("value", Int.self)])
    try withVault("a") { vault in
      for options in ["CACHE 10", "CACHE 10 INCREMENT 2", "INCREMENT 5", "CACHE 1"] {
        try create("\"objectID\" bigserial PRIMARY KEY, value bigint NOT NULL", in: vault)
        try vault.opened().withWriter {
          try $0.execute("ALTER SEQUENCE \"Reading_objectID_seq\" \(options)")
        }
        let store = try vault.store(of: description)
        try store.insert(DynamicObject(of: description, ["value": .integer(-1)]))
        for _ in 0..<2 {
          let ids = try store.insert(
            contentsOf: try (0..<10).map {
              try DynamicObject(of: description, ["value": .integer($0)])
            })
          for (number, id) in ids.enumerated() {
            let found = try store.find(id)
            #expect(try found?.value(of: "value") == .integer(Int64(number)), "\(options)")
          }
        }
        try vault.removeStore(named: "Reading")
      }
    }
  }

  @Test("are rejected if a column has a type without a counterpart") func otherTypes() throws {
    let cases: [(String, [PropertyType])] = [
      ("interval", [.int, .string]), ("point", [.int]), ("timestamptz", [.date, .double]),
      ("timestamp", [.date]), ("date", [.date]), ("uuid", [.uuid, .double]), ("boolean", [.bool]),
      ("jsonb", [.string, .double]),
    ]
    try withVault("a") { vault in
      for (type, properties) in cases {
        try create("id bigint PRIMARY KEY, value \(type)", in: vault)
        for property in properties {
          let code = code { _ = try vault.store(of: reading(property)) }
          #expect(code == .schemaMismatch, "\(type), \(property)")
        }
      }
    }
  }

  @Test("store objects with object IDs without a series, one by one and many") func noSeries()
    throws
  {
    try withVault("a") { vault in
      try create("id bigint PRIMARY KEY, value text", in: vault)
      let description = ClassDescription(
        "Reading",
        properties: [
          PropertyDescription("id", Int?.self), PropertyDescription("value", String?.self),
        ], objectID: ["id"])
      let store = try vault.store(of: description)
      try insert([["id": .integer(5), "value": .text("a")]], store)
      let objects = try (10..<40).map { number in
        var object = try DynamicObject(of: description)
        try object.set("id", to: .integer(Int64(number)))
        return object
      }
      try store.insert(contentsOf: objects)
      try store.save(try #require(objects.last))
      #expect(try store.count() == 31)
      let nameless = try DynamicObject(of: description)
      for count in [1, 2, 30] {
        let code = code {
          try store.insert(contentsOf: Array(repeating: nameless, count: count))
        }
        #expect(code == .constraint || code == .invalidValue, "\(count)")
      }
      #expect(code { try store.insert(nameless) } != nil)
      #expect(try store.count() == 31)
    }
  }

  @Test("generate numbers by a default of their own") func ownSeries() throws {
    try withVault("a") { vault in
      try vault.opened().withWriter { try $0.execute("CREATE SEQUENCE numbers START 7") }
      try create("id bigint PRIMARY KEY DEFAULT nextval('numbers'), value text", in: vault)
      let description = ClassDescription(
        "Reading",
        properties: [
          PropertyDescription("id", Int?.self), PropertyDescription("value", String?.self),
        ], objectID: ["id"])
      let store = try vault.store(of: description)
      let nameless = try DynamicObject(of: description)
      for count in [1, 2, 30] {
        try store.insert(contentsOf: Array(repeating: nameless, count: count))
      }
      #expect(try values("id", store).count == 33)
      #expect(try values("id", store).first == .integer(7))
    }
  }

  @Test("are read, changed and removed if the key is a text or has several columns")
  func otherKeys() throws {
    let cases = [
      ("code text PRIMARY KEY, name text NOT NULL, rank bigint", ["code"]),
      ("code text, name text, rank bigint, PRIMARY KEY (name, code)", ["name", "code"]),
    ]
    try withVault("a") { vault in
      for (columns, key) in cases {
        try create(columns, in: vault)
        let description = ClassDescription(
          "Reading",
          properties: [
            PropertyDescription("code", String.self), PropertyDescription("name", String.self),
            PropertyDescription("rank", Int?.self),
          ], objectID: key)
        let store = try vault.store(of: description)
        let names: [String] = ["b", "a", "c"]
        try insert(names.map { ["code": .text($0), "name": .text($0)] }, store)
        // They are in the order of the key.
        #expect(try values("code", store) == ["a", "b", "c"].map { .text($0) })
        var first = try #require(try store.where("code == 'a'").first())
        try first.set("rank", to: .integer(1))
        try store.save(first)
        try first.set("rank", to: .integer(2))
        try store.replace(first)
        #expect(try values("rank", store) == [.integer(2), .null, .null])
        var seen: [StoredValue] = []
        try store.forEach { seen.append(try $0.value(of: "code")) }
        #expect(seen == ["a", "b", "c"].map { .text($0) })
        let rehearsal = try vault.rehearseMigration(of: [description])
        #expect(rehearsal.before.map(\.rows) == [3])
        try store.remove(first)
        try store.where("code == 'c'").remove()
        #expect(try values("code", store) == [.text("b")])
        try vault.removeStore(named: "Reading")
      }
    }
  }

  @Test("are not copied by a rehearsal, which needs the store of their class") func rehearsed()
    throws
  {
    try withVault("a") { vault in
      let note = ClassDescription("Note", properties: [PropertyDescription("text", String.self)])
      try insert([["text": .text("x")]], vault.store(of: note))
      try create("id bigint PRIMARY KEY, value bigint", in: vault)
      try vault.opened().withWriter { try $0.execute("CREATE TABLE keyless (x text)") }
      let rehearsal = try vault.rehearseMigration(of: [note])
      #expect(rehearsal.refusal == nil)
      #expect(rehearsal.before.map(\.table) == ["Note"])
      let error = try #require(throws: VaultError.self) {
        try vault.rehearseMigration(of: [reading(.int)])
      }
      #expect(error.code == .invalidClass)
      #expect(error.message.contains("'Reading'"), "\(error)")
      _ = try vault.store(of: reading(.int))
      #expect(try vault.rehearseMigration(of: [reading(.int)]).before.count == 2)
    }
  }

  @Test("compare and sort texts by their bytes") func collations() throws {
    try withVault("a") { vault in
      try create(
        "id bigint PRIMARY KEY, value text COLLATE \"en-x-icu\", plain text", in: vault)
      try vault.opened().withWriter {
        try $0.execute("INSERT INTO \"Reading\" VALUES (1, 'a'), (2, 'B'), (3, 'c')")
      }
      let store = try vault.store(of: reading(.string))
      #expect(try store.where("value < 'b'").count() == 2)
      #expect(try store.where("value < 'C'").all().map { try $0.value(of: "id") } == [.integer(2)])
      #expect(try store.where("value == 'B'").count() == 1)
      #expect(try store.where("value IN {'a', 'B'}").count() == 2)
      let sorted = try store.query.sorted(by: .ascending("value")).all()
      #expect(try sorted.map { try $0.value(of: "value") } == ["B", "a", "c"].map { .text($0) })
    }
  }
}
