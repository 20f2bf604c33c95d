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

@testable import ObjectVaultServer

@Suite("Changed classes on a PostgreSQL server", .enabled(if: Server.address != nil))
struct ServerUpgradeTests {
  private let schema = Server.newSchema()

  /// Calls `body` with a vault that has no connection and no store of an earlier call.
  private func withVault<R>(
    _ name: String, _ body: (SharedVault) throws -> R
  ) throws -> R {
    let vault = try Server.vault(schema, connection: name)
    defer { vault.close() }
    return try body(vault)
  }

  private func person(
    _ properties: [PropertyDescription], table: String = "Person", renamedFrom: [String] = []
  ) -> ClassDescription {
    ClassDescription(
      "Person", table: table,
      properties: [PropertyDescription("id", String.self)] + properties, objectID: ["id"],
      renamedFrom: renamedFrom)
  }

  private func insert(_ values: [[String: StoredValue]], _ store: ObjectStore<DynamicObject>) throws
  {
    for one in values {
      var object = try DynamicObject(of: store.classDescription)
      for (name, value) in one { try object.set(name, to: value) }
      try store.insert(object)
    }
  }

  private func values(_ name: String, _ store: ObjectStore<DynamicObject>) throws -> [StoredValue] {
    try store.all().map { try $0.value(of: name) }
  }

  private func code(_ body: () throws -> Void) -> VaultError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? VaultError)?.code
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
        self.code {
          try insert([["id": .text("x"), "total": .text("7"), "code": .integer(1)]], store)
        } == .duplicate)
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

  private func city(
    _ properties: [PropertyDescription], objectID: [String] = []
  ) -> ClassDescription {
    ClassDescription("City", properties: properties, objectID: objectID)
  }

  private func guest(
    _ properties: [PropertyDescription], targetColumns: [String],
    onDelete: DeleteRule = .nullify
  ) -> ClassDescription {
    ClassDescription(
      "Guest", properties: properties,
      references: [
        ReferenceDescription(
          "city", target: "City", targetColumns: targetColumns, onDelete: onDelete)
      ])
  }

  @Test("an object ID becomes one property, several, and a number again, and references follow")
  func objectIDs() throws {
    let code = PropertyDescription("code", String.self)
    let rank = PropertyDescription("rank", Int64.self)
    let name = PropertyDescription("name", String.self)
    let numbered = guest(
      [name, PropertyDescription("city", Int64?.self)], targetColumns: ["objectID"])
    let coded = guest([name, PropertyDescription("city", String?.self)], targetColumns: ["code"])
    try withVault("a") { vault in
      let cities = try vault.store(of: city([code, rank]))
      try insert(
        [("x", 30), ("y", 10), ("z", 20)].map { ["code": .text($0), "rank": .integer(Int64($1))] },
        cities)
      try insert(
        [("a", 2), ("b", 3), ("c", nil), ("d", 2)].map {
          ["name": .text($0), "city": $1.map { .integer(Int64($0)) } ?? .null]
        }, vault.store(of: numbered))
    }
    try withVault("b") { vault in
      let guests = try vault.store(of: coded, with: [city([code, rank], objectID: ["code"])])
      #expect(try values("city", guests) == [.text("y"), .text("z"), .null, .text("y")])
      let cities = try vault.store(of: city([code, rank], objectID: ["code"]))
      #expect(
        self.code { try insert([["code": .text("x"), "rank": .integer(1)]], cities) }
          == .duplicate)
      #expect(
        self.code {
          try insert([["name": .text("e"), "city": .text("none")]], guests)
        } == .danglingReference)
      try cities.where("code == 'z'").remove()
      #expect(try values("city", guests) == [.text("y"), .null, .null, .text("y")])
    }
    try withVault("c") { vault in
      let byRank = city([code, rank], objectID: ["rank"])
      let ranked = guest(
        [name, PropertyDescription("city", Int64?.self)], targetColumns: ["rank"])
      let guests = try vault.store(of: ranked, with: [byRank])
      #expect(try values("city", guests) == [.integer(10), .null, .null, .integer(10)])
      // A number is generated after the greatest one.
      try insert([["code": .text("n")]], vault.store(of: byRank))
      #expect(
        try vault.store(of: byRank).where("code == 'n'").first()?.value(of: "rank")
          == .integer(31))
    }
    try withVault("d") { vault in
      let both = city([code, rank], objectID: ["code", "rank"])
      let alone = ClassDescription("Guest", properties: [name])
      _ = try vault.store(of: alone)
      let cities = try vault.store(of: both)
      #expect(try cities.count() == 3)
      try insert([["code": .text("x"), "rank": .integer(10)]], cities)
    }
    try withVault("e") { vault in
      let cities = try vault.store(of: city([code, rank]))
      #expect(try cities.find(DynamicObjectID(.integer(10)))?.value(of: "code") == .text("y"))
      #expect(try values("code", cities) == ["y", "x", "n", "x"].map { .text($0) })
      try insert([["code": .text("last"), "rank": .integer(0)]], cities)
      #expect(try cities.where("objectID > 32").count() == 1)
    }
  }

  @Test("a reference follows if a part of its target's object ID is a reference that changes")
  func chainOfReferences() throws {
    let rank = PropertyDescription("rank", Int64.self)
    let (country, name) = (
      PropertyDescription("country", Int64.self), PropertyDescription("name", String.self)
    )
    func classes(_ target: String) -> [ClassDescription] {
      let nation = ClassDescription(
        "Nation", properties: [rank], objectID: target == "rank" ? ["rank"] : [])
      let town = ClassDescription(
        "Town", properties: [country, name], objectID: ["country", "name"],
        references: [ReferenceDescription("country", target: "Nation", targetColumns: [target])])
      let visitor = ClassDescription(
        "Visitor", properties: [country, name],
        references: [
          ReferenceDescription(
            "town", properties: ["country", "name"], target: "Town",
            targetColumns: ["country", "name"])
        ])
      return [visitor, town, nation]
    }
    let former = classes(ClassDescription.generatedIDColumn)
    try withVault("a") { vault in
      _ = try vault.store(of: former[0], with: Array(former[1...]))
      // The new object IDs are the former ones in the other order.
      try insert([["rank": .integer(2)], ["rank": .integer(1)]], vault.store(of: former[2]))
      let towns: [[String: StoredValue]] = [1, 2].map {
        ["country": .integer($0), "name": .text("x")]
      }
      try insert(towns, vault.store(of: former[1]))
      try insert(towns, vault.store(of: former[0]))
    }
    let present = classes("rank")
    try withVault("b") { vault in
      #expect(code { _ = try vault.store(of: present[1], with: [present[2]]) } == .upgradeRefused)
      let kept = try vault.store(of: former[0], with: Array(former[1...]))
      #expect(try values("country", kept) == [.integer(1), .integer(2)])
    }
    try withVault("c") { vault in
      let visitors = try vault.store(of: present[0], with: Array(present[1...]))
      #expect(try values("country", visitors) == [.integer(2), .integer(1)])
      #expect(try vault.store(of: present[1]).where("country.rank = 2").count() == 1)
    }
  }

  @Test("a complete class with a reference of several columns is not changed again")
  func isComplete() throws {
    let (code, country) = (
      PropertyDescription("code", String.self), PropertyDescription("country", String.self)
    )
    let cities = city([code, country], objectID: ["country", "code"])
    let guests = ClassDescription(
      "Guest",
      properties: [
        PropertyDescription("city_country", String.self),
        PropertyDescription("city_code", String.self),
      ],
      references: [
        ReferenceDescription(
          "city", properties: ["city_country", "city_code"], target: cities.table,
          targetColumns: ["country", "code"])
      ])
    try withVault("a") { vault in
      _ = try vault.store(of: guests, with: [cities])
      try vault.opened().read { session in
        let declarations = [guests, cities].map { ClassDeclaration($0) }
        let upgrade = try SchemaUpgrade(declarations, on: session)
        #expect(upgrade.isEmpty)
      }
    }
  }

  @Test("references lead to the same objects while object IDs change at random")
  func changingKeys() throws {
    var random = SeededGenerator(for: "changing object IDs on a server")
    for _ in 0..<randomRounds(6) {
      let schema = Server.newSchema()
      let graph = ChangingKeys(&random)
      for version in 0..<4 {
        let forms = graph.forms(&random)
        let classes = graph.classes(forms)
        let shuffled = classes.shuffled(using: &random)
        let vault = try Server.vault(schema, connection: "version\(version)")
        defer { vault.close() }
        _ = try vault.store(of: shuffled[0], with: Array(shuffled[1...]))
        let stores = try classes.map { try vault.store(of: $0) }
        if version == 0 { try graph.insert(into: stores, forms) }
        let differences = try graph.differences(in: stores, forms)
        #expect(differences.isEmpty, "version \(version): \(differences.prefix(3)) \(forms)")
      }
    }
  }

  @Test("a class that refers to itself gets generated object IDs") func tree() throws {
    let (code, parent) = (
      PropertyDescription("code", String.self), PropertyDescription("parent", String?.self)
    )
    try withVault("a") { vault in
      try insert(
        [["code": .text("a")], ["code": .text("b"), "parent": .text("a")]],
        vault.store(
          of: ClassDescription(
            "Node", properties: [code, parent], objectID: ["code"],
            references: [ReferenceDescription("parent", target: "Node", targetColumns: ["code"])])))
    }
    try withVault("b") { vault in
      let nodes = try vault.store(
        of: ClassDescription(
          "Node", properties: [code, PropertyDescription("parent", Int64?.self)],
          references: [ReferenceDescription("parent", target: "Node")]))
      #expect(try values("parent", nodes) == [.null, .integer(1)])
    }
  }

  @Test("a class that is not upgraded keeps its references to the former object ID")
  func formerObjectID() throws {
    let code = PropertyDescription("code", String.self)
    let country = PropertyDescription("country", String.self)
    let former = city([code, country], objectID: ["code"])
    let guests = guest(
      [PropertyDescription("city", String.self)], targetColumns: ["code"], onDelete: .cascade)
    try withVault("a") { vault in
      try insert([["code": .text("x"), "country": .text("N")]], vault.store(of: former))
      try insert([["city": .text("x")]], vault.store(of: guests))
    }
    try withVault("b") { vault in
      let cities = try vault.store(of: city([code, country], objectID: ["code", "country"]))
      #expect(
        self.code { try insert([["code": .text("x"), "country": .text("S")]], cities) }
          == .duplicate)
      try cities.where("code == 'x'").remove()
      let left = try vault.opened().read { session in
        try session.with("SELECT count(*) FROM \"Guest\"") { try $0.count() }
      }
      #expect(left == 0)
    }
  }

  @Test("references and delete rules are added, changed and left out") func references() throws {
    let name = PropertyDescription("name", String.self)
    let reference = PropertyDescription("city", Int64?.self)
    let cities = city([name])
    try withVault("a") { vault in
      try insert([["name": .text("x")], ["name": .text("y")]], vault.store(of: cities))
      try insert(
        [["city": .integer(1)], ["city": .integer(7)]],
        vault.store(of: ClassDescription("Guest", properties: [reference])))
    }
    let referring = { (rule: DeleteRule) in
      guest([reference], targetColumns: ["objectID"], onDelete: rule)
    }
    try withVault("b") { vault in
      #expect(code { _ = try vault.store(of: referring(.nullify)) } == .upgradeRefused)
      try vault.store(of: ClassDescription("Guest", properties: [reference]))
        .where("city == 7").remove()
      let guests = try vault.store(of: referring(.nullify))
      try vault.store(of: cities).where("name == 'x'").remove()
      #expect(try values("city", guests) == [.null])
    }
    try withVault("c") { vault in
      let guests = try vault.store(of: referring(.cascade))
      try insert([["city": .integer(2)]], guests)
      try vault.store(of: cities).where("name == 'y'").remove()
      #expect(try guests.count() == 1)
    }
    try withVault("d") { vault in
      let guests = try vault.store(of: ClassDescription("Guest", properties: [reference]))
      try insert([["city": .integer(99)]], guests)
      #expect(try guests.count() == 2)
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
