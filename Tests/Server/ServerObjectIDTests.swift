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

@Suite("Changed object IDs on a PostgreSQL server", .enabled(if: Server.address != nil))
struct ServerObjectIDTests: ServerUpgrading {
  let schema = Server.newSchema()

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
        TestSupport.code { try insert([["code": .text("x"), "rank": .integer(1)]], cities) }
          == .duplicate)
      #expect(
        TestSupport.code {
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
        TestSupport.code { try insert([["code": .text("x"), "country": .text("S")]], cities) }
          == .duplicate)
      try cities.where("code == 'x'").remove()
      let left = try vault.opened().read { session in
        try session.with("SELECT count(*) FROM \"Guest\"") { try $0.count() }
      }
      #expect(left == 0)
    }
  }

  private static let name = PropertyDescription("name", String.self)
  private static let rank = PropertyDescription("rank", Int64.self)

  /// The guests and the names of the cities that they refer to by a column.
  private func visits(_ vault: SharedVault, by key: String = "objectID") throws -> [String] {
    try vault.opened().read { session in
      try session.with(
        "SELECT g.name || c.name FROM \"Guest\" AS g JOIN \"City\" AS c "
          + "ON g.city = c.\"\(key)\" ORDER BY 1"
      ) { statement in
        var found: [String] = []
        while try statement.step() { found.append(statement.row.text(at: 0) ?? "") }
        return found
      }
    }
  }

  /// Stores cities whose ranks are each other's numbers, and their guests.
  private func insertVisits(_ cities: ClassDescription, _ guests: ClassDescription) throws {
    try withVault("first") { vault in
      try insert(
        [
          ["name": .text("A"), "rank": .integer(2)], ["name": .text("B"), "rank": .integer(1)],
        ], vault.store(of: cities))
      let ids: [StoredValue] =
        cities.objectID == .generated
        ? [.integer(1), .integer(2)] : [.text("A"), .text("B")]
      try insert(
        [["name": .text("a"), "city": ids[0]], ["name": .text("b"), "city": ids[1]]],
        vault.store(of: guests))
    }
  }

  @Test("the former numbers are the object IDs again while references lead to them")
  func restoredNumbers() throws {
    let properties = [Self.name, Self.rank]
    let guests = guest(
      [Self.name, PropertyDescription("city", Int64?.self)], targetColumns: ["objectID"])
    try insertVisits(city(properties), guests)
    try withVault("ranked") { vault in
      let ranked = try vault.store(of: city(properties, objectID: ["rank"]))
      #expect(try visits(vault) == ["aA", "bB"])
      try insert([["name": .text("C"), "rank": .integer(-7)]], ranked)
    }
    try withVault("numbered") { vault in
      let cities = try vault.store(of: city(properties))
      #expect(try visits(vault) == ["aA", "bB"])
      #expect(try cities.find(DynamicObjectID(.integer(3)))?.value(of: "name") == .text("C"))
      try insert([["name": .text("D"), "rank": .integer(5)]], cities)
      #expect(try cities.find(DynamicObjectID(.integer(4)))?.value(of: "name") == .text("D"))
      let again = try vault.store(of: guests)
      try insert([["name": .text("d"), "city": .integer(4)]], again)
      #expect(
        code { try insert([["name": .text("e"), "city": .integer(9)]], again) }
          == .danglingReference)
    }
    // A removed reference leads to them, too.
    try withVault("left") { vault in
      _ = try vault.store(of: ClassDescription("Guest", properties: [Self.name]))
      _ = try vault.store(of: city(properties, objectID: ["rank"]))
      let ranked = guest(
        [Self.name, PropertyDescription("city", Int64?.self)], targetColumns: ["rank"])
      #expect(code { _ = try vault.store(of: ranked) } == .upgradeRefused)
    }
    try withVault("back") { vault in
      _ = try vault.store(of: guests, with: [city(properties)])
      #expect(try visits(vault) == ["aA", "bB", "dD"])
    }
  }

  @Test("a former object ID is not unique any more when the last reference to it has followed")
  func formerKey() throws {
    let properties = [Self.name, Self.rank]
    try insertVisits(
      city(properties, objectID: ["name"]),
      guest([Self.name, PropertyDescription("city", String?.self)], targetColumns: ["name"]))
    let duplicate: [String: StoredValue] = ["name": .text("A"), "rank": .integer(5)]
    try withVault("numbered") { vault in
      let cities = try vault.store(of: city(properties))
      #expect(try visits(vault, by: "name") == ["aA", "bB"])
      let error = #expect(throws: VaultError.self) { try insert([duplicate], cities) }
      #expect(error?.code == .duplicate)
      #expect(error?.message.contains("objectID") == false, "\(error?.message ?? "")")
    }
    try withVault("followed") { vault in
      let guests = guest(
        [Self.name, PropertyDescription("city", Int64?.self)], targetColumns: ["objectID"])
      _ = try vault.store(of: guests, with: [city(properties)])
      #expect(try visits(vault) == ["aA", "bB"])
      try insert([duplicate], vault.store(of: city(properties)))
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

  @Test("an integer object ID gets other types, and its references follow") func integerTypes()
    throws
  {
    func room(_ type: PropertyType) -> ClassDescription {
      ClassDescription(
        "Room", properties: [PropertyDescription("id", type: type)], objectID: ["id"])
    }
    func lamp(_ type: PropertyType) -> ClassDescription {
      ClassDescription(
        "Lamp", properties: [PropertyDescription("room", type: type, isOptional: true)],
        references: [
          ReferenceDescription("room", target: "Room", targetColumns: ["id"], onDelete: .nullify)
        ])
    }
    try withVault("a") { vault in
      let lamps = try vault.store(of: lamp(.int), with: [room(.int)])
      try insert([30, 10, 20].map { ["id": .integer($0)] }, vault.store(of: room(.int)))
      try insert([["room": .integer(10)], [:], ["room": .integer(30)]], lamps)
    }
    for (number, type) in [PropertyType.string, .int8, .string, .int].enumerated() {
      try withVault("b\(number)") { vault in
        func value(_ number: Int64) -> StoredValue {
          type == .string ? .text("\(number)") : .integer(number)
        }
        let lamps = try vault.store(of: lamp(type), with: [room(type)])
        let rooms = try vault.store(of: room(type))
        #expect(try values("id", rooms) == [10, 20, 30].map(value), "\(type)")
        #expect(try values("room", lamps) == [value(10), .null, value(30)], "\(type)")
        #expect(code { try insert([["id": value(10)]], rooms) } == .duplicate, "\(type)")
        #expect(
          code { try insert([["room": value(11)]], lamps) } == .danglingReference, "\(type)")
      }
    }
    try withVault("c") { vault in
      let rooms = try vault.store(of: room(.int))
      try insert([[:]], rooms)
      #expect(try values("id", rooms) == [10, 20, 30, 31].map { .integer($0) })
      try vault.store(of: lamp(.int)).removeAll()
      try vault.removeStore(named: "Lamp")
    }
    try withVault("d") { vault in
      let rooms = try vault.store(
        of: ClassDescription("Room", properties: [PropertyDescription("id", String.self)]))
      #expect(try values("id", rooms) == ["10", "20", "30", "31"].map { .text($0) })
      #expect(try rooms.find(DynamicObjectID(.integer(20)))?.value(of: "id") == .text("20"))
    }
  }

  @Test("an integer property with an initial value becomes the object ID, and back")
  func initialValue() throws {
    let code = PropertyDescription("code", String.self)
    let rank = PropertyDescription("rank", Int.self, defaultValue: 5)
    try withVault("a") { vault in
      try insert(
        [
          ["code": .text("x"), "rank": .integer(30)], ["code": .text("y"), "rank": .integer(10)],
        ], vault.store(of: city([code, rank])))
    }
    try withVault("b") { vault in
      let cities = try vault.store(of: city([code, rank], objectID: ["rank"]))
      #expect(try values("code", cities) == [.text("y"), .text("x")])
      try vault.opened().withWriter { session in
        try session.execute("INSERT INTO \"City\" (code) VALUES ('z')")
      }
      #expect(try values("rank", cities) == [10, 30, 31].map { .integer($0) })
    }
    try withVault("c") { vault in
      let cities = try vault.store(of: city([code, rank]))
      try vault.opened().withWriter { session in
        try session.execute("INSERT INTO \"City\" (code) VALUES ('s')")
      }
      #expect(try values("rank", cities) == [10, 30, 31, 5].map { .integer($0) })
    }
  }

  @Test("constraints and the name of an integer object ID change") func constrainedNumber() throws {
    func item(_ constraints: String?) -> ClassDescription {
      ClassDescription(
        "Item",
        properties: [PropertyDescription("id", Int.self).columnDefined(constraints: constraints)],
        objectID: ["id"])
    }
    func add(_ id: Int64, _ description: ClassDescription) -> VaultError.Code? {
      code {
        try withVault("\(UInt64.random(in: .min ... .max))") { vault in
          let name = description.properties[0].name
          try insert([[name: .integer(id)]], vault.store(of: description))
        }
      }
    }
    #expect(add(1, item(nil)) == nil)
    #expect(add(-1, item("CHECK (\"id\" > 0)")) == .constraint)
    #expect(add(200, item("CHECK (\"id\" > 0)")) == nil)
    #expect(add(-1, item("CHECK (\"id\" < 300)")) == nil)
    #expect(add(300, item("CHECK (\"id\" < 300)")) == .constraint)
    #expect(add(300, item(nil)) == nil)
    let renamed = ClassDescription(
      "Item",
      properties: [PropertyDescription("number", Int.self, defaultValue: 7, renamedFrom: ["id"])],
      objectID: ["number"])
    #expect(add(400, renamed) == nil)
    try withVault("last") { vault in
      let items = try vault.store(of: renamed)
      try vault.opened().withWriter { try $0.execute("INSERT INTO \"Item\" DEFAULT VALUES") }
      #expect(try items.where("number > 400").count() == 1)
    }
  }

  @Test("a new class refers to one that gets another object ID or name in the same version")
  func newReferences() throws {
    let code = PropertyDescription("code", String.self)
    try withVault("a") { vault in
      try insert([["code": .text("x")]], vault.store(of: city([code])))
    }
    try withVault("b") { vault in
      let cities = city([code], objectID: ["code"])
      let guests = try vault.store(
        of: guest([PropertyDescription("city", String?.self)], targetColumns: ["code"]),
        with: [cities])
      try insert([["city": .text("x")]], guests)
      #expect(TestSupport.code { try insert([["city": .text("y")]], guests) } == .danglingReference)
    }
    try withVault("c") { vault in
      let town = ClassDescription(
        "Town", properties: [code], objectID: ["code"], renamedFrom: ["City"])
      let visitors = try vault.store(
        of: ClassDescription(
          "Visitor", properties: [PropertyDescription("town", String.self)],
          references: [
            ReferenceDescription(
              "town", target: "Town", targetColumns: ["code"], onDelete: .cascade)
          ]), with: [town])
      try insert([["town": .text("x")]], visitors)
      #expect(
        TestSupport.code { try insert([["town": .text("y")]], visitors) } == .danglingReference)
    }
  }

  @Test(
    "references of a class that is opened later lead to the same objects", arguments: [true, false])
  func openedLater(isRenamed: Bool) throws {
    let (name, rank) = (
      PropertyDescription("name", String.self), PropertyDescription("rank", Int.self)
    )
    func guest(_ target: String, _ column: String) -> ClassDescription {
      ClassDescription(
        "Guest", properties: [name, PropertyDescription("city", Int64?.self)],
        references: [ReferenceDescription("city", target: target, targetColumns: [column])])
    }
    let cities = city([name, rank])
    try withVault("a") { vault in
      let guests = try vault.store(of: guest("City", "objectID"), with: [cities])
      // The ranks are the numbers of the objects in the other order.
      try insert(
        [
          ["name": .text("A"), "rank": .integer(2)], ["name": .text("B"), "rank": .integer(1)],
        ], vault.store(of: cities))
      try insert(
        [
          ["name": .text("a"), "city": .integer(1)], ["name": .text("b"), "city": .integer(2)],
        ], guests)
    }
    let table = isRenamed ? "Town" : "City"
    let ranked = ClassDescription(
      table, properties: [name, rank], objectID: ["rank"], renamedFrom: isRenamed ? ["City"] : [])
    try withVault("b") { vault in
      try insert([["name": .text("C"), "rank": .integer(-5)]], vault.store(of: ranked))
    }
    try withVault("c") { vault in
      let again = isRenamed ? ranked : cities
      _ = try vault.store(of: again)
      let guests = try vault.store(
        of: guest(table, isRenamed ? "rank" : "objectID"), with: [again])
      for (city, visitor) in [("A", "a"), ("B", "b")] {
        let found = try guests.where("city.name == '\(city)'").all()
        #expect(try found.map { try $0.value(of: "name") } == [.text(visitor)])
      }
      if isRenamed { return }
      let third = try vault.store(of: cities).find(DynamicObjectID(.integer(3)))
      #expect(try third?.value(of: "name") == .text("C"))
    }
  }
}
