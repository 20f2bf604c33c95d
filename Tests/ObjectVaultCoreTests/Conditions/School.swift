import Foundation
import ObjectVaultCore
import TestSupport

/// Classes whose members typed conditions name, by hand.
enum School {
  enum Level: Int, OrderedValue {
    case first = 1
    case second, third
  }

  struct Room: StoredObject {
    var name: String
    var floor: Int
    var students: [Student]?

    static let classDescription = ClassDescription(
      "Room", properties: [.init("name", String.self), .init("floor", Int.self)],
      objectID: ["name"],
      owned: [OwnedDescription("students", target: "Student", reference: "room")])
    static var referencedClasses: [any StoredObject.Type] { [Student.self] }
    static var ownedProperties: [OwnedProperty<Room>] { [.many(\.students, by: \Student.room)] }
    static var propertyNames: [AnyKeyPath: String] { [\Room.name: "name", \Room.floor: "floor"] }
    var storedObjectID: String? { name }

    init(_ name: String, floor: Int) {
      self.name = name
      self.floor = floor
    }

    init(row: Row) throws {
      (name, floor) = (try row.value(at: 0), try row.value(at: 1))
    }

    func encode(into binder: Binder) throws {
      try binder.bind(name, at: 0)
      try binder.bind(floor, at: 1)
    }

    struct Properties: ObjectProperties {
      let origin: PropertyOrigin
      var name: Property<String> { origin.property("name") }
      var floor: Property<Int> { origin.property("floor") }
      var students: RelatedObjects<Student> { origin.objects("students") }
    }
  }

  struct Student: StoredObject, GeneratesObjectID {
    var objectID: Int64?
    var name: String
    var age: Int
    var note: String?
    var score: Double
    var tags: [String]
    var isActive: Bool
    var isTall: Bool?
    var born: Date
    var code: UUID?
    var level: Level
    var fee: Decimal
    var photo: Data?
    var seat: Int?
    var room: Ref<Room>?
    var friend: Ref<Student>?

    init(
      _ name: String, age: Int, note: String? = nil, score: Double = 0, tags: [String] = [],
      isActive: Bool = false, isTall: Bool? = nil, born: Date = Date(timeIntervalSince1970: 0),
      code: UUID? = nil, level: Level = .first, fee: Decimal = 0, photo: Data? = nil,
      seat: Int? = nil, room: String? = nil, friend: Int64? = nil
    ) {
      (self.name, self.age, self.note, self.score, self.tags) = (name, age, note, score, tags)
      (self.isActive, self.isTall, self.born, self.code) = (isActive, isTall, born, code)
      (self.level, self.fee, self.photo, self.seat) = (level, fee, photo, seat)
      self.room = room.map { Ref(id: $0) }
      self.friend = friend.map { Ref(id: $0) }
    }

    static let classDescription = ClassDescription(
      "Student",
      properties: [
        .init("name", String.self), .init("age", Int.self), .init("note", String?.self),
        .init("score", Double.self), .init("tags", [String].self), .init("isActive", Bool.self),
        .init("isTall", Bool?.self), .init("born", Date.self), .init("code", UUID?.self),
        .init("level", Level.self), .init("fee", Decimal.self), .init("photo", Data?.self),
        .init("seat", Int?.self), .init("room", Ref<Room>?.self),
        .init("friend", Ref<Student>?.self),
      ],
      references: [
        .init("room", target: "Room", targetColumns: ["name"], onDelete: .nullify),
        .init("friend", target: "Student", onDelete: .nullify),
      ])
    static var referencedClasses: [any StoredObject.Type] { [Room.self] }

    static var propertyNames: [AnyKeyPath: String] {
      [
        \Student.name: "name", \Student.age: "age", \Student.note: "note",
        \Student.score: "score", \Student.tags: "tags", \Student.isActive: "isActive",
        \Student.isTall: "isTall", \Student.born: "born", \Student.code: "code",
        \Student.level: "level", \Student.fee: "fee", \Student.photo: "photo",
        \Student.seat: "seat", \Student.room: "room", \Student.friend: "friend",
        \Student.objectID: "objectID",
      ]
    }

    init(row: Row) throws {
      (name, age, note) = (try row.value(at: 0), try row.value(at: 1), try row.value(at: 2))
      (score, tags) = (try row.value(at: 3), try row.value(at: 4))
      (isActive, isTall) = (try row.value(at: 5), try row.value(at: 6))
      (born, code, level) = (try row.value(at: 7), try row.value(at: 8), try row.value(at: 9))
      (fee, photo, seat) = (try row.value(at: 10), try row.value(at: 11), try row.value(at: 12))
      (room, friend) = (try row.value(at: 13), try row.value(at: 14))
      objectID = try row.value(at: 15)
    }

    func encode(into binder: Binder) throws {
      try binder.bind(name, at: 0)
      try binder.bind(age, at: 1)
      try binder.bind(note, at: 2)
      try binder.bind(score, at: 3)
      try binder.bind(tags, at: 4)
      try binder.bind(isActive, at: 5)
      try binder.bind(isTall, at: 6)
      try binder.bind(born, at: 7)
      try binder.bind(code, at: 8)
      try binder.bind(level, at: 9)
      try binder.bind(fee, at: 10)
      try binder.bind(photo, at: 11)
      try binder.bind(seat, at: 12)
      try binder.bind(room, at: 13)
      try binder.bind(friend, at: 14)
    }

    struct Properties: ObjectProperties {
      let origin: PropertyOrigin
      var name: Property<String> { origin.property("name") }
      var age: Property<Int> { origin.property("age") }
      var note: Property<String?> { origin.property("note") }
      var score: Property<Double> { origin.property("score") }
      var tags: Property<[String]> { origin.property("tags") }
      var isActive: Property<Bool> { origin.property("isActive") }
      var isTall: Property<Bool?> { origin.property("isTall") }
      var born: Property<Date> { origin.property("born") }
      var code: Property<UUID?> { origin.property("code") }
      var level: Property<Level> { origin.property("level") }
      var fee: Property<Decimal> { origin.property("fee") }
      var photo: Property<Data?> { origin.property("photo") }
      var seat: Property<Int?> { origin.property("seat") }
      var room: RelatedObject<Room> { origin.object("room") }
      var friend: RelatedObject<Student> { origin.object("friend") }
      var objectID: Property<Int64> { origin.property("objectID") }
    }
  }

  static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  static let day = Date(timeIntervalSince1970: 1_700_000_000)

  /// A vault with four rooms and six students.
  struct Filled {
    let test: TestVault
    let rooms: ObjectStore<Room>
    let students: ObjectStore<Student>

    init() throws {
      test = try TestVault()
      rooms = try test.vault.store(of: Room.self)
      students = try test.vault.store(of: Student.self)
      try rooms.insert(contentsOf: [
        Room("1a", floor: 1), Room("2a", floor: 2), Room("2b", floor: 2), Room("3a", floor: 3),
      ])
      try students.insert(contentsOf: [
        Student(
          "Ann", age: 6, note: "quick", score: 1.5, tags: ["a", "b"], isActive: true,
          isTall: true, born: day, code: uuid, level: .first, fee: 10,
          photo: Data([1, 2]), seat: 3, room: "2a"),
        Student(
          "Bo", age: 8, score: 2.5, isTall: false, level: .second, fee: 9.5, room: "1a",
          friend: 1),
        Student(
          "Cy", age: 7, note: "Écru", score: 6, isActive: true, born: day + 60,
          level: .third, fee: 100, seat: 7, room: "2b", friend: 2),
        Student("Di", age: 9, note: "%", score: -3, tags: ["a"], friend: 2),
        Student(
          "Ed", age: 5, note: "Ed", score: 5, isActive: true, seat: 5, room: "2a",
          friend: 5),
        Student("li", age: 18, note: "slow li", score: 0.1, fee: -1, seat: 0, room: "3a"),
      ])
    }
  }
}
