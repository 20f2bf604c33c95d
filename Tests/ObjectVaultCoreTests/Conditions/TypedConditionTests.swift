import Foundation
import ObjectVaultCore
import Testing
import TestSupport

@Suite("Conditions in members of the class") struct TypedConditionTests {
  private let students: ObjectStore<School.Student>
  private let rooms: ObjectStore<School.Room>
  private let school: School.Filled

  init() throws {
    school = try School.Filled()
    (students, rooms) = (school.students, school.rooms)
  }

  @Test("choose objects, alone and after others", .covers("P37", "P39"))
  func chooses() throws {
    #expect(
      try students.where { $0.age >= 6 && $0.name.hasPrefix("A") }.all().map(\.name) == ["Ann"])
    #expect(try students.where("age > 5").where { $0.isActive }.count() == 2)
    #expect(try students.where { $0.seat == 3 }.count() == 1)
    #expect(try rooms.where { $0.students.isEmpty }.count() == 0)
    #expect(try rooms.where { $0.students.count > 1 }.all().map(\.name) == ["2a"])
    #expect(try rooms.where { $0.students.contains(Ref(id: 3)) }.all().map(\.name) == ["2b"])
    #expect(
      try rooms.where { room in room.students.any { $0.age > room.floor * 5 } }.all().map(\.name)
        == ["1a", "3a"])
    #expect(try rooms.where { $0.students.min(\.age) < 6 }.all().map(\.name) == ["2a"])
  }

  @Test("sort by members, across associations and in either direction", .covers("P39"))
  func sorts() throws {
    #expect(
      try students.sorted(by: \.room.floor.descending, \.name).all().map(\.name)
        == ["li", "Ann", "Cy", "Ed", "Bo", "Di"])
    #expect(try students.where { $0.age < 8 }.sorted(by: \.age).first()?.name == "Ed")
  }

  @Test("divide what was made a Double as Doubles")
  func divideAsDoubles() throws {
    // Ages over seats: 6/3, 7/7, 5/5 and 18/0.
    func names(_ condition: (School.Student.Properties) -> ObjectCondition) throws -> [String] {
      try students.where(condition).all().map(\.name)
    }
    #expect(try names { $0.seat.asDouble / $0.age.asDouble == 0.5 } == ["Ann"])
    #expect(
      try names { $0.age.asDouble / ($0.seat.asDouble * $0.seat.asDouble) < 0.5 } == ["Cy", "Ed"])
    #expect(try names { ($0.age + 1).asDouble / $0.seat.asDouble > 2 } == ["Ann"])
    #expect(try names { $0.age.asDouble > $0.score.asDouble * 2 } == ["Ann", "Bo", "Di", "li"])
    // What is compared and not calculated with stays the column that an index serves.
    let sql = try students.where { $0.age.asDouble > 6.5 }.explain().sql
    #expect(sql.contains("\"age\" > ?"))
  }

  @Test("of many terms are within the compiler's reach")
  func long() throws {
    let (day, names) = (School.day, ["Ann", "Cy"])
    let found = try students.where {
      $0.age >= 6 && $0.name.hasPrefix("C") && $0.note != nil && $0.score > 2.5 && $0.isActive
        && $0.seat < 8 && $0.born >= day && !($0.tags == ["a"]) && $0.age * 2 + 1 < 90
        && ($0.name == "Li" || $0.note != "x") && names.contains($0.name) && $0.room.floor == 2
    }.all()
    #expect(found.map(\.name) == ["Cy"])
  }

  @Test("tell a value that no property could have when a store is asked")
  func failures() throws {
    #expect(code { try students.where { $0.score < .nan }.validate() } == .invalidValue)
    #expect(
      code { try students.where { $0.age > 1 && !($0.score == .nan) }.validate() } == .invalidValue)
  }

  @Test("tell a name that the description does not have")
  func unknown() throws {
    struct Wrong: ObjectProperties {
      let origin: PropertyOrigin
      var agge: Property<Int> { origin.property("agge") }
    }
    let wrong = (Wrong(origin: .object).agge > 1)
    let error = try #require(throws: VaultError.self) { try students.where(wrong).validate() }
    #expect(error.code == .noSuchProperty && error.message.contains("Did you mean 'age'?"))
  }

  @Test("Can be nested, but not for the same objects", .covers("S78"))
  func nested() throws {
    let old = rooms.where { $0.students.any { $0.age > 5 && $0.room.students.any { $0.age < 6 } } }
    #expect(try old.all().map(\.name) == ["2a"])
    let error = try #require(throws: VaultError.self) {
      try rooms.where { room in room.students.any { a in room.students.any { $0.age > a.age } } }
        .validate()
    }
    #expect(error.code == .invalidCondition)
    #expect(error.message.contains("is one object inside ANY"))
  }

  @Test("Count the objects that match", .covers("S77"))
  func counts() throws {
    #expect(try rooms.where { $0.students.count { $0.age > 5 } == 1 }.count() == 4)
    #expect(
      try rooms.where { $0.students.count { $0.age > 4 } * 2 > $0.floor + 1 }.all().map(\.name)
        == ["2a"])
    let named = try ObjectCondition("students.age < $most", arguments: [], named: ["most": 6])
    #expect(try rooms.where { $0.students.count { _ in named } > 0 }.all().map(\.name) == ["2a"])
    let least = 6
    let some = rooms.where { room in
      room.students.count { $0.age > room.floor && $0.age >= least } >= 1 && room.floor < 2
    }
    #expect(try some.all().map(\.name) == ["1a"])
    func deep(_ students: RelatedObjects<School.Student>, _ depth: Int) -> ObjectCondition {
      students.count { depth == 0 ? $0.age > 1 : deep($0.room.students, depth - 1) } > 0
    }
    #expect(try rooms.where { deep($0.students, 2) }.count() == 4)
    #expect(code { try rooms.where { deep($0.students, 5) }.validate() } == .invalidCondition)
    #expect(code { try rooms.where { deep($0.students, 30) }.validate() } == .invalidCondition)
  }

  @Test("are put together by the thousand")
  func many() throws {
    let condition = ObjectCondition.any(
      of: (0..<2_000).map { number in School.Student.condition { $0.age == number } })
    #expect(try students.where(condition).count() == 6)
  }
}
