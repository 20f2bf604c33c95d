import ObjectVaultCondition
import TestSupport
import Testing

import ObjectVaultCore

private let room = ClassDescription(
  "Room",
  properties: [
    PropertyDescription("name", type: .string), PropertyDescription("floor", type: .int),
  ], objectID: ["name"],
  owned: [OwnedDescription("students", target: "Student", reference: "room")])

private let student = ClassDescription(
  "Student",
  properties: [
    PropertyDescription("name", type: .string), PropertyDescription("age", type: .int),
    PropertyDescription("room", type: .string, isOptional: true),
    PropertyDescription("friend", type: .int64, isOptional: true),
  ],
  references: [
    ReferenceDescription("room", target: "Room", targetColumns: ["name"], onDelete: .nullify),
    ReferenceDescription("friend", target: "Student", onDelete: .nullify),
  ])

@Suite("A query across associations") struct PathQueryTests {
  private let test: TestVault
  private let rooms: ObjectStore<DynamicObject>
  private let students: ObjectStore<DynamicObject>

  init() throws {
    test = try TestVault()
    rooms = try test.vault.store(of: room)
    students = try test.vault.store(of: student)
    for (name, floor) in [("1a", 1), ("2a", 2), ("2b", 2), ("3a", 3)] {
      try rooms.insert(
        try Self.object(of: room, ["name": .text(name), "floor": .integer(Int64(floor))]))
    }
    let pupils: [(String, Int64, String?, Int64?)] = [
      ("Ann", 6, "2a", nil), ("Bo", 8, "1a", 1), ("Cy", 7, "2b", 2), ("Di", 9, nil, 2),
      ("Ed", 5, "2a", 5),
    ]
    for (name, age, room, friend) in pupils {
      try students.insert(
        try Self.object(
          of: student,
          [
            "name": .text(name), "age": .integer(age),
            "room": room.map(StoredValue.text) ?? .null,
            "friend": friend.map(StoredValue.integer) ?? .null,
          ]))
    }
  }

  private static func object(
    of description: ClassDescription, _ values: [String: StoredValue]
  ) throws -> DynamicObject {
    var object = try DynamicObject(of: description)
    for (name, value) in values { try object.set(name, to: value) }
    return object
  }

  private func names(
    _ query: Query<DynamicObject>
  ) throws -> [String] {
    try query.values(of: "name", as: String.self)
  }

  @Test(
    "chooses by what is at the other end",
    arguments: [
      ("room.floor >= 2", ["Ann", "Cy", "Ed"]), ("room.floor == nil", ["Di"]),
      ("room == '2a'", ["Ann", "Ed"]), ("room.name == '2a'", ["Ann", "Ed"]),
      ("room == nil", ["Di"]), ("friend.room.floor == 2", ["Bo", "Ed"]),
      ("friend.name LIKE '_O'", ["Cy", "Di"]), ("friend == objectID", ["Ed"]),
      ("ANY room.students.age > 7", ["Bo"]), ("room.students.@count == 2", ["Ann", "Ed"]),
      ("friend.room.students.@avg.age == 5.5", ["Bo", "Ed"]),
      ("NONE room.students.age < 6", ["Bo", "Cy", "Di"]),
      ("ANY room.students == 5", ["Ann", "Ed"]),
      ("room.students.@max.age == age", ["Ann", "Bo", "Cy"]),
    ])
  func chooses(format: String, expected: [String]) throws {
    let query = students.where(format)
    #expect(try names(query) == expected)
    #expect(try query.count() == expected.count)
    #expect(try query.exists() == !expected.isEmpty)
    #expect(try query.first()?.value(of: "name") == expected.first.map(StoredValue.text))
    #expect(try names(query.range(offset: 1, length: 1)) == Array(expected.dropFirst().prefix(1)))
  }

  @Test("sorts by what is at the other end, nil first, and reads it", .covers("S40"))
  func sorts() throws {
    let byFloor = students.sorted(by: "room.floor", "name")
    #expect(try names(byFloor) == ["Di", "Bo", "Ann", "Cy", "Ed"])
    #expect(
      try names(students.sorted(by: .descending("room.name"), "age"))
        == ["Cy", "Ed", "Ann", "Bo", "Di"])
    let bySize = rooms.sorted(by: .descending("students.@count"))
    #expect(try names(bySize) == ["2a", "1a", "2b", "3a"])
    #expect(
      try students.sorted(by: "name").values(of: ["name", "room.floor", "room.students.@sum.age"])
        == [
          [.text("Ann"), .integer(2), .integer(11)], [.text("Bo"), .integer(1), .integer(8)],
          [.text("Cy"), .integer(2), .integer(7)], [.text("Di"), .null, .integer(0)],
          [.text("Ed"), .integer(2), .integer(11)],
        ])
    #expect(code { try students.sorted(by: "room.flor").validate() } == .noSuchProperty)
    #expect(code { try rooms.sorted(by: "students.name").validate() } == .invalidCondition)
  }

  @Test("removes what was chosen before the first was removed") func removes() throws {
    // Were each row asked when its turn comes, Bo would have no friend and stay, and so on.
    let chosen = students.where("friend.age > 0 || name == 'Ann'")
    #expect(try chosen.count() == 5)
    #expect(try chosen.remove() == 5)
    #expect(try students.count() == 0)
  }

  @Test("removes a range of what was chosen, in an order across associations")
  func removesARange() throws {
    let last = students.where("room != nil").sorted(by: .descending("room.floor"), "name")
    #expect(try last.range(offset: 1, length: 2).remove() == 2)
    #expect(try names(students.query) == ["Ann", "Bo", "Di"])
  }

  @Test("takes lists that need a table, also behind a quantifier") func longLists() throws {
    let ages = (0..<2_000).map { $0 * 2 }
    #expect(try names(rooms.where("ANY students.age IN %@", ages)) == ["1a", "2a"])
    #expect(
      try names(rooms.where("ALL students.age IN %@ && students.@count > 0", ages)) == ["1a"])
  }

  @Test("takes an objectID as its argument") func argument() throws {
    #expect(try names(students.where("room == %@", "1a")) == ["Bo"])
    #expect(try names(students.where("friend IN %@", [1, 5] as [Int64])) == ["Bo", "Ed"])
    let ann = DynamicObjectID(.integer(1))
    #expect(try names(students.where("friend == %@", ann)) == ["Bo"])
    #expect(try names(rooms.where("ANY students IN %@", [ann])) == ["2a"])
    let parts = DynamicObjectID([.text("x"), .integer(1)])
    #expect(code { try students.where("friend == %@", parts).validate() } == .invalidArgument)
  }

  @Test("tells what is wrong with a path", .covers("S39"))
  func errors() throws {
    let unknown = try #require(throws: VaultError.self) {
      try students.where("room.flor == 1").validate()
    }
    #expect(unknown.code == .noSuchProperty)
    #expect(unknown.location?.offset == 5)
    #expect(unknown.message.contains("Did you mean 'floor'?"))
    let many = try #require(throws: VaultError.self) {
      try rooms.where("students.age == 1").validate()
    }
    #expect(many.code == .invalidCondition)
    #expect(many.message.contains("ANY, ALL or NONE"))
  }

  @Test("knows a class at the other end for as long as it is stored")
  func laterClasses() throws {
    let other = try TestVault()
    let rooms = try other.vault.store(of: room)
    let early = try #require(throws: VaultError.self) {
      try rooms.where("students.@count == 0").validate()
    }
    #expect(early.code == .noSuchClass)
    _ = try other.vault.store(of: student)
    #expect(try rooms.where("students.@count == 0").count() == 0)
    try other.vault.removeStore(named: "Student")
    #expect(code { try rooms.where("students.@count == 0").validate() } == .noSuchClass)
  }

  @Test("knows inside a transaction what only the transaction made")
  func insideATransaction() throws {
    let other = try TestVault()
    let rooms = try other.vault.store(of: room)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try other.vault.transaction {
        _ = try other.vault.store(of: student)
        #expect(try rooms.where("students.@count == 0").count() == 0)
        throw Stop()
      }
    }
    #expect(code { try rooms.where("students.@count == 0").validate() } == .noSuchClass)
  }
}
