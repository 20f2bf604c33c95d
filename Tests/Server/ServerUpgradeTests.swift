import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores
import TestSupport
import Testing

import ObjectVaultServer

@Suite("Changed classes on a PostgreSQL server", .enabled(if: Server.address != nil))
struct ServerUpgradeTests: ServerUpgrading {
  let schema = Server.newSchema()

  private func person(
    _ properties: [PropertyDescription], table: String = "Person", renamedFrom: [String] = []
  ) -> ClassDescription {
    ClassDescription(
      "Person", table: table,
      properties: [PropertyDescription("id", String.self)] + properties, objectID: ["id"],
      renamedFrom: renamedFrom)
  }

  @Test("a store of a schema that was dropped is an error", .timeLimit(.minutes(1)))
  func droppedSchema() throws {
    try withVault("a") { vault in
      let text = [PropertyDescription("text", String.self)]
      try insert([["id": .text("a"), "text": .text("x")]], vault.store(of: person(text)))
      try vault.opened().withWriter { session in
        try session.execute("DROP SCHEMA \(SQL.quoted(schema)) CASCADE")
      }
      let other = ClassDescription("Other", properties: text)
      #expect(code { _ = try vault.store(of: other) } == .engineRefused)
    }
  }

  @Test("a new property of any type with an initial value gives it to every object")
  func initialValues() throws {
    try withVault("a") { try insert([["id": .text("a")]], $0.store(of: person([]))) }
    let cases: [(PropertyType, StoredValue)] = [
      (.int, .integer(-3)), (.double, .real(-2.5)), (.double, .real(.infinity)), (.float, .real(1)),
      (.date, .real(5)), (.data, .blob([0, 255])), (.string, .text("it's")), (.bool, .integer(1)),
    ]
    let properties = cases.enumerated().flatMap { number, one in
      [false, true].map {
        PropertyDescription(
          "p\(number)\($0)", type: one.0, isOptional: $0, defaultValue: one.1)
      }
    }
    try withVault("b") { vault in
      let store = try vault.store(of: person(properties))
      try insert([["id": .text("b")]], store)
      for (number, (type, value)) in cases.enumerated() {
        for isOptional in [false, true] {
          let name = "p\(number)\(isOptional)"
          #expect(try values(name, store) == [value, value], "\(type), \(isOptional)")
        }
      }
    }
  }

  @Test("a unique index that objects violate is rejected with their names")
  func violatedUniqueIndex() throws {
    let text = [PropertyDescription("text", String.self)]
    try withVault("a") { vault in
      try insert(
        ["a", "b", "c"].map { ["id": .text($0), "text": .text("x")] }, vault.store(of: person(text))
      )
    }
    var unique = person(text)
    unique.indexes = [IndexDescription(["text"], unique: true)]
    try withVault("b") { vault in
      for upgrade in [
        { _ = try vault.store(of: unique) },
        { try vault.transaction { _ = try vault.store(of: unique) } },
      ] {
        let error = try #require(throws: VaultError.self) { try upgrade() }
        #expect(error.code == .upgradeRefused)
        #expect(error.message.contains("the 1st, 2nd and 3rd objects by insertion"))
      }
      let rehearsal = try vault.rehearseMigration(of: [unique])
      #expect(rehearsal.refusal?.code == .upgradeRefused)
      #expect(try vault.store(of: person(text)).count() == 3)
    }
  }

  @Test("objects that were stored before get the time when a class first keeps their time")
  func insertionTime() throws {
    let text = [PropertyDescription("text", String.self)]
    try withVault("a") { vault in
      try insert([["id": .text("a"), "text": .text("x")]], vault.store(of: person(text)))
    }
    try withVault("b") { vault in
      var timed = person(text)
      timed.options.keepsInsertionTime = true
      let store = try vault.store(of: timed)
      try insert([["id": .text("b"), "text": .text("y")]], store)
      #expect(try store.count() == 2)
      let times = try vault.opened().read { session in
        try session.with(
          "SELECT count(*) FROM \"Person\" WHERE ov_inserted BETWEEN "
            + "extract(epoch FROM now()) - 100 AND extract(epoch FROM now()) + 1"
        ) { try $0.count() }
      }
      #expect(times == 2)
    }
  }

  @Test("properties are renamed, change places, become required and optional, and leave")
  func columns() throws {
    try withVault("a") { vault in
      let store = try vault.store(
        of: person([
          PropertyDescription("first", String.self), PropertyDescription("last", String.self),
          PropertyDescription("age", Int?.self), PropertyDescription("old", Int.self),
        ]))
      try insert(
        [
          ["id": .text("a"), "first": .text("Ada"), "last": .text("L"), "old": .integer(1)],
          [
            "id": .text("b"), "first": .text("Bo"), "last": .text("M"), "old": .integer(2),
            "age": .integer(7),
          ],
        ], store)
    }
    try withVault("b") { vault in
      var age = PropertyDescription("years", Int.self, renamedFrom: ["age"])
      age.defaultValue = .integer(40)
      let store = try vault.store(
        of: person([
          PropertyDescription("last", String?.self, renamedFrom: ["first"]),
          PropertyDescription("first", String.self, renamedFrom: ["last"]), age,
          PropertyDescription("note", String?.self),
        ]))
      #expect(try values("first", store) == [.text("L"), .text("M")])
      #expect(try values("last", store) == [.text("Ada"), .text("Bo")])
      #expect(try values("years", store) == [.integer(40), .integer(7)])
      try insert([["id": .text("c"), "first": .text("N"), "years": .integer(1)]], store)
      #expect(try store.where("last == nil").count() == 1)
    }
  }

  @Test("properties change their types, with the conversions of the library or of the class")
  func types() throws {
    let count = PropertyDescription("count", Int.self)
    let code = PropertyDescription("code", String.self)
    var former = person([count, PropertyDescription("when", String?.self), code])
    former.indexes = [IndexDescription(["count"], unique: true)]
    try withVault("a") { vault in
      let store = try vault.store(of: former)
      try insert(
        (0..<1200).map { number in
          [
            "id": .text(String(format: "%04d", number)), "count": .integer(Int64(number)),
            "code": .text("\(number % 7)"),
            "when": number % 2 == 0 ? .null : .text("1.5"),
          ]
        }, store)
    }
    var total = PropertyDescription("total", String.self, renamedFrom: ["count"])
    total.defaultValue = .text("none")
    var when = PropertyDescription("when", Double.self)
    when.defaultValue = .real(5)
    var present = person([PropertyDescription("code", Int.self), total, when])
    present.indexes = [IndexDescription(["total"], unique: true)]
    try withVault("b") { vault in
      let store = try vault.store(of: present)
      #expect(try store.count() == 1200)
      #expect(try values("total", store) == (0..<1200).map { .text("\($0)") })
      #expect(try values("code", store) == (0..<1200).map { .integer($0 % 7) })
      #expect(try store.where("when == 5").count() == 600)
      #expect(try store.where("when == 1.5").count() == 600)
      #expect(
        TestSupport.code {
          try insert([["id": .text("x"), "total": .text("7"), "code": .integer(1)]], store)
        } == .duplicate)
    }
  }

  @Test("a change of a column's type fails at most one read scope of a connection")
  func typeChange() throws {
    try withVault("a") { vault in
      let store = try vault.store(of: person([PropertyDescription("count", Int.self)]))
      try insert([["id": .text("a"), "count": .integer(7)]], store)
      let opened = try vault.opened()
      func count() throws -> Int {
        try opened.readScope {
          try opened.read { session in
            try session.with("SELECT \"count\" FROM \"Person\"") { try $0.count() }
          }
        }
      }
      #expect(try count() == 7)
      try withVault("b") { other in
        try other.opened().withWriter { session in
          try session.execute("ALTER TABLE \"Person\" ALTER COLUMN \"count\" TYPE integer")
        }
      }
      // The statement was prepared for the former type.
      _ = try? count()
      #expect(try count() == 7)
    }
  }

  @Test("a table is renamed with its indexes, and references follow it") func table() throws {
    let pet = { (target: String) in
      ClassDescription(
        "Pet",
        properties: [
          PropertyDescription("id", String.self), PropertyDescription("owner", String.self),
        ],
        objectID: ["id"],
        references: [
          ReferenceDescription("owner", target: target, targetColumns: ["id"], onDelete: .cascade)
        ])
    }
    var former = person([PropertyDescription("name", String.self)])
    former.indexes = [IndexDescription(["name"], unique: true)]
    try withVault("a") { vault in
      let store = try vault.store(of: former)
      try insert([["id": .text("a"), "name": .text("Ada")]], store)
      try insert(
        [["id": .text("p"), "owner": .text("a")]], try vault.store(of: pet("Person")))
    }
    var present = person(
      [PropertyDescription("name", String.self)], table: "Human", renamedFrom: ["Person"])
    present.indexes = former.indexes
    try withVault("b") { vault in
      let store = try vault.store(of: present)
      let pets = try vault.store(of: pet("Human"))
      #expect(
        code { try insert([["id": .text("b"), "name": .text("Ada")]], store) } == .duplicate)
      try store.where("id == 'a'").remove()
      #expect(try pets.count() == 0)
      #expect(Set(try vault.classes().map(\.table)) == ["Human", "Pet"])
    }
  }

  @Test("lengths and constraints are added, changed and left out") func constraints() throws {
    func named(_ length: ColumnLength?, _ constraints: String? = nil) -> ClassDescription {
      person([
        PropertyDescription("name", String.self)
          .columnDefined(length: length, constraints: constraints)
      ])
    }
    func add(_ name: String, _ description: ClassDescription) -> VaultError.Code? {
      code {
        try withVault("\(UInt64.random(in: .min ... .max))") { vault in
          try insert([["id": .text(name), "name": .text(name)]], vault.store(of: description))
        }
      }
    }
    #expect(add("abcd", named(nil)) == nil)
    #expect(add("x", named(.atMost(3))) == .upgradeRefused)
    #expect(add("abcde", named(.atMost(4))) == .constraint)
    #expect(add("abcde", named(.atMost(5))) == nil)
    #expect(add("abcdef", named(.atMost(5), "CHECK (\"name\" <> 'no')")) == .constraint)
    #expect(add("no", named(.atMost(5), "CHECK (\"name\" <> 'no')")) == .constraint)
    #expect(add("no", named(.declared(5))) == nil)
    #expect(add("a long name", named(nil, "CHECK (\"name\" <> 'no')")) == .upgradeRefused)
    #expect(add("a long name", named(nil)) == nil)
  }

  @Test("a constraint over several columns is changed and left out with its property")
  func wideConstraints() throws {
    func span(
      _ constraints: String?, _ low: String = "low", type: PropertyType = .int,
      others: String? = nil
    ) -> ClassDescription {
      person([
        PropertyDescription(low, type: type, renamedFrom: low == "low" ? [] : ["low"])
          .columnDefined(constraints: constraints),
        PropertyDescription("high", Int.self).columnDefined(constraints: others),
      ])
    }
    func add(_ low: StoredValue, _ high: Int64, _ description: ClassDescription) -> VaultError.Code?
    {
      code {
        try withVault("\(UInt64.random(in: .min ... .max))") { vault in
          let name = description.properties[1].name
          try insert(
            [["id": .text("\(low) \(high)"), name: low, "high": .integer(high)]],
            vault.store(of: description))
        }
      }
    }
    let less = "CHECK (\"low\" < \"high\")"
    #expect(add(.integer(1), 2, span(less)) == nil)
    #expect(add(.integer(2), 2, span(less)) == .constraint)
    #expect(add(.integer(2), 2, span("CHECK (\"low\" <= \"high\")")) == nil)
    #expect(add(.integer(3), 2, span("CHECK (\"low\" <= \"high\")")) == .constraint)
    #expect(add(.integer(3), 2, span(nil)) == nil)
    // The constraint of another property remains, also if it is the same.
    let sum = "CHECK (\"low\" + \"high\" < 100)"
    #expect(add(.integer(4), 2, span(sum, others: sum)) == nil)
    #expect(add(.integer(5), 2, span(nil, others: sum)) == nil)
    #expect(add(.integer(98), 2, span(nil, others: sum)) == .constraint)
    #expect(add(.integer(98), 2, span(nil)) == nil)
    // One with a name, and one of a property with a new name and another type.
    let named = "CONSTRAINT \"narrow\" CHECK (\"low\" + \"high\" < 1000)"
    #expect(add(.integer(999), 2, span(named)) == .constraint)
    #expect(add(.integer(6), 2, span("CHECK (\"low\" + \"high\" < 5000)")) == nil)
    #expect(add(.integer(999), 2, span("CHECK (\"low\" + \"high\" < 5000)")) == nil)
    let texts = span("CHECK (length(\"least\") < \"high\" + 5)", "least", type: .string)
    #expect(add(.text("8"), 7, texts) == nil)
  }

  @Test("a stored property becomes sealed, with its values") func sealed() throws {
    let name = PropertyDescription("name", String?.self)
    let rank = PropertyDescription("rank", Int.self)
    var former = person([name, rank])
    former.indexes = [IndexDescription(["rank"], unique: true)]
    try withVault("a") { vault in
      try insert(
        [
          ["id": .text("a"), "name": .text("Ada"), "rank": .integer(1)],
          ["id": .text("b"), "rank": .integer(2)],
        ], try vault.store(of: former))
    }
    let vault = try Server.vault(schema, connection: "sealing", sealingKeys: .ofTests(1))
    defer { vault.close() }
    var present = person([name.sealed(), rank.sealed(.findable)])
    present.indexes = former.indexes
    let store = try vault.store(of: present)
    #expect(try values("name", store) == [.text("Ada"), .null])
    #expect(try store.where("rank == 2").count() == 1)
    #expect(
      code { try insert([["id": .text("c"), "rank": .integer(2)]], store) } == .duplicate)
    let plain = try vault.opened().read { session in
      try session.with("SELECT \"name\" FROM \"Person\" ORDER BY \"id\"") { statement in
        try statement.rows { $0.storedValue(at: 0) }
      }
    }
    #expect(plain.last == .null && plain.first != .text("Ada"))
  }

  @Test("a change that would lose something is refused, and changes nothing") func refused() throws
  {
    let name = PropertyDescription("name", String?.self)
    try withVault("a") { vault in
      try insert(
        [["id": .text("a")], ["id": .text("b")], ["id": .text("c"), "name": .text("x")]],
        try vault.store(of: person([name])))
    }
    let changes: [[PropertyDescription]] = [
      [PropertyDescription("name", String.self)],
      [name, PropertyDescription("new", Int.self)],
      [PropertyDescription("name", Int?.self)],
    ]
    for (number, change) in changes.enumerated() {
      try withVault("b\(number)") { vault in
        #expect(code { _ = try vault.store(of: person(change)) } == .upgradeRefused)
      }
    }
    try withVault("c") { vault in
      let store = try vault.store(of: person([name]))
      #expect(try store.where("name == nil").count() == 2)
      #expect(try store.where("name == 'x'").count() == 1)
    }
  }

  @Test("a type changes back and forth under a vault that is open") func typesChangeBack() throws {
    let (number, text) = (
      person([PropertyDescription("code", Int.self)]),
      person([PropertyDescription("code", String.self)])
    )
    try withVault("a") { first in
      let numbers = try first.store(of: number)
      try insert([["id": .text("a"), "code": .integer(7)]], numbers)
      #expect(try values("code", numbers) == [.integer(7)])
      try withVault("b") { second in
        for _ in 0..<2 {
          #expect(try values("code", second.store(of: text)) == [.text("7")])
          #expect(try values("code", second.store(of: number)) == [.integer(7)])
        }
        try insert([["id": .text("b"), "code": .text("x")]], second.store(of: text))
        #expect(code { _ = try second.store(of: number) } == .upgradeRefused)
        #expect(try values("code", second.store(of: text)) == [.text("7"), .text("x")])
        try second.store(of: text).where("id == 'b'").remove()
        _ = try second.store(of: number)
      }
      // Statements of the other connection are prepared for the former types.
      try first.transaction {
        try insert([["id": .text("c"), "code": .integer(8)]], numbers)
        #expect(try values("code", numbers) == [.integer(7), .integer(8)])
      }
      #expect(try values("code", numbers) == [.integer(7), .integer(8)])
    }
  }

  @Test("a rehearsal upgrades a copy in a schema of its own, which it drops") func rehearsed()
    throws
  {
    let former = person([PropertyDescription("age", Int.self)])
    let pet = ClassDescription("Pet", properties: [PropertyDescription("name", String.self)])
    try withVault("a") { vault in
      try insert(
        (0..<1500).map { ["id": .text("\($0)"), "age": .integer($0)] }, vault.store(of: former))
      try insert([["name": .text("Rex")]], vault.store(of: pet))
    }
    try withVault("b") { vault in
      let accepted = try vault.rehearseMigration(of: [
        person([PropertyDescription("years", String.self, renamedFrom: ["age"])])
      ])
      #expect(accepted.refusal == nil)
      #expect(accepted.before.map(\.name).sorted() == ["Person", "Pet"])
      #expect(accepted.before.map(\.rows).sorted() == [1, 1500])
      let digests = [accepted.before, accepted.after].map { contents in
        Dictionary(uniqueKeysWithValues: contents.map { ($0.name, $0.digest) })
      }
      #expect(digests[0]["Pet"] == digests[1]["Pet"])
      #expect(digests[0]["Person"] != digests[1]["Person"])
      #expect(accepted.schemaBefore.contains { $0.contains("\"age\" INTEGER NOT NULL") })
      #expect(accepted.schemaAfter.contains { $0.contains("\"years\" TEXT NOT NULL") })

      let refused = try vault.rehearseMigration(of: [
        person([PropertyDescription("age", Int.self), PropertyDescription("new", Int.self)])
      ])
      #expect(refused.refusal?.code == .upgradeRefused)
      #expect(refused.after == refused.before)
      #expect(refused.schemaAfter == refused.schemaBefore)

      #expect(
        code { try vault.transaction { _ = try vault.rehearseMigration(of: [former]) } }
          == .invalidArgument)
      let left = try vault.opened().read { session in
        try session.with(
          "SELECT count(*) FROM pg_namespace WHERE starts_with(nspname, ?1::text)"
        ) { statement in
          StoredValue.text("\(schema)_rehearsal_").bind(to: statement.binder, at: 0)
          return try statement.count()
        }
      }
      #expect(left == 0)
      #expect(try vault.store(of: former).count() == 1500)
    }
  }

  @Test("a property has the name of another one with its own default, index and constraints")
  func swappedNames() throws {
    func property(_ name: String, _ value: String, _ former: [String]) -> PropertyDescription {
      PropertyDescription(name, String.self, defaultValue: value, renamedFrom: former)
    }
    var former = person([property("a", "one", []), property("b", "two", [])])
    var present = person([property("a", "one", ["b"]), property("b", "two", ["a"])])
    former.indexes = [IndexDescription(["a"], unique: true)]
    present.indexes = former.indexes
    try withVault("a") { vault in
      try insert(
        [
          ["id": .text("1"), "a": .text("x"), "b": .text("y")],
          ["id": .text("2"), "a": .text("z"), "b": .text("x")],
        ], vault.store(of: former))
    }
    try withVault("b") { vault in
      let store = try vault.store(of: present)
      #expect(try values("a", store) == [.text("y"), .text("x")])
      #expect(
        code { try insert([["id": .text("3"), "a": .text("x")]], store) } == .duplicate)
      try insert([["id": .text("4"), "a": .text("w"), "b": .text("x")]], store)
      try vault.opened().withWriter { session in
        try session.execute("INSERT INTO \"Person\" (\"id\") VALUES ('5')")
      }
      #expect(try store.where("a == 'one' AND b == 'two'").count() == 1)
    }
    // The file has two columns, and the name of the second one goes to the first.
    try withVault("c") { vault in
      let former = person([property("b", "two", []), property("c", "three", [])])
      _ = try vault.store(of: former)
      let store = try vault.store(of: person([property("c", "three", ["b"])]))
      #expect(try values("c", store) == [.text("x"), .text("z"), .text("x"), .text("two")])
    }
  }

  @Test("a removed property has no constraints, also one over several columns")
  func removedConstraints() throws {
    let name = PropertyDescription("name", String.self)
    let code = PropertyDescription("code", String.self, defaultValue: "abc")
      .columnDefined(
        length: .atMost(3), constraints: "CHECK (\"code\" <> \"name\") CHECK (\"code\" <> 'abc')")
    let other = PropertyDescription("other", String?.self)
      .columnDefined(constraints: "CHECK (\"other\" <> \"code\")")
    try withVault("a") { vault in
      try insert(
        [["id": .text("1"), "name": .text("a"), "code": .text("x")]],
        vault.store(of: person([name, code, other])))
    }
    try withVault("b") { vault in
      let store = try vault.store(of: person([name, other]))
      try insert([["id": .text("2"), "name": .text("abc")]], store)
      // The other property still has its constraint.
      #expect(
        TestSupport.code {
          try insert(
            [["id": .text("3"), "name": .text("b"), "other": .text("abc")]], store)
        } == .constraint)
      #expect(
        TestSupport.code { _ = try vault.store(of: person([name, code, other])) } == .upgradeRefused
      )
      try store.where("id == '2'").remove()
      let again = try vault.store(of: person([name, code, other]))
      #expect(
        TestSupport.code {
          try insert([["id": .text("3"), "name": .text("b"), "code": .text("abc")]], again)
        } == .constraint)
      try insert([["id": .text("3"), "name": .text("b"), "code": .text("y")]], again)
    }
  }

  @Test("the schema of a former read scope or transaction is not used in a later one")
  func laterTransactions() throws {
    try withVault("a") { first in
      let text = PropertyDescription("text", String?.self)
      let former = person([text])
      _ = try first.store(of: former)
      #expect(try first.read { try first.classes() } == [former])
      #expect(try first.transaction { try first.classes() } == [former])
      let present = person([text, PropertyDescription("age", Int?.self)])
      try withVault("b") { _ = try $0.store(of: present) }
      #expect(try first.read { try first.classes() } == [present])
      #expect(try first.transaction { try first.classes() } == [present])
      let opened = try first.opened()
      for isWriting in [false, true] {
        func columns() throws -> [String] {
          try opened.read { try Schema(on: $0).columns(of: "Person").map(\.name) }
        }
        let found =
          isWriting ? try first.transaction(columns) : try first.read(columns)
        #expect(found == ["id", "text", "age"])
      }
    }
  }

  @Test("a vault that is open goes on with the changed class of another") func openElsewhere()
    throws
  {
    try withVault("a") { first in
      let before = try first.store(of: person([PropertyDescription("name", String.self)]))
      try insert([["id": .text("a"), "name": .text("Ada")]], before)
      #expect(try before.count() == 1)
      try withVault("b") { second in
        let after = try second.store(
          of: person([
            PropertyDescription("name", String.self), PropertyDescription("age", Int?.self),
          ]))
        try insert([["id": .text("b"), "name": .text("Bo"), "age": .integer(3)]], after)
      }
      #expect(try before.all().count == 2)
      try insert([["id": .text("c"), "name": .text("Cy")]], before)
      #expect(try before.count() == 3)
    }
  }
}
