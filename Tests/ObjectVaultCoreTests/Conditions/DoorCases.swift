import Foundation
import ObjectVaultCore

/// A typed condition on students, short.
private func typed(
  _ condition: (School.Student.Properties) -> some ConditionConvertible
) -> ObjectCondition {
  School.Student.condition(condition)
}

private let (day, uuid, fee) = (School.day, School.uuid, Decimal(9.5))
private let noted: [String?] = ["Ed", nil]

extension DoorCase {
  static let all =
    comparisons + texts + lists + joined + associations + turned + calculations
    + functions + collections

  @DoorCaseList static var comparisons: [DoorCase] {
    DoorCase(
      "age == %@", 7, names: ["Cy"], typed: typed { $0.age == 7 },
      chained: Where("age").isEqual(to: 7),
      predicate: #Predicate { $0.age == 7 })
    DoorCase(
      "age != %@", 7, names: ["Ann", "Bo", "Di", "Ed", "li"], typed: typed { $0.age != 7 },
      chained: Where("age").isNotEqual(to: 7),
      predicate: #Predicate { $0.age != 7 })
    DoorCase(
      "age < %@", 7, names: ["Ann", "Ed"], typed: typed { $0.age < 7 },
      chained: Where("age").isLess(than: 7),
      predicate: #Predicate { $0.age < 7 })
    DoorCase(
      "age <= %@", 7, names: ["Ann", "Cy", "Ed"], typed: typed { $0.age <= 7 },
      chained: Where("age").isAtMost(7),
      predicate: #Predicate { $0.age <= 7 })
    DoorCase(
      "age > %@", 7, names: ["Bo", "Di", "li"], typed: typed { $0.age > 7 },
      chained: Where("age").isGreater(than: 7),
      predicate: #Predicate { $0.age > 7 })
    DoorCase(
      "age >= %@", 9, names: ["Di", "li"], typed: typed { $0.age >= 9 },
      chained: Where("age").isAtLeast(9),
      predicate: #Predicate { $0.age >= 9 })
    DoorCase(
      "name == %@", "li", names: ["li"], typed: typed { $0.name == "li" },
      chained: Where("name").isEqual(to: "li"),
      predicate: #Predicate { $0.name == "li" })
    DoorCase(
      "score > %@", 2.5, names: ["Cy", "Ed"], typed: typed { $0.score > 2.5 },
      chained: Where("score").isGreater(than: 2.5),
      predicate: #Predicate { $0.score > 2.5 })
    DoorCase(
      "note == nil", names: ["Bo"], typed: typed { $0.note == nil },
      chained: Where("note").isNil,
      predicate: #Predicate { $0.note == nil })
    DoorCase(
      "note != nil", names: ["Ann", "Cy", "Di", "Ed", "li"], typed: typed { $0.note != nil },
      chained: Where("note").isNotNil,
      predicate: #Predicate { $0.note != nil })
    DoorCase(
      "note != %@", "Ed", names: ["Ann", "Bo", "Cy", "Di", "li"], typed: typed { $0.note != "Ed" },
      chained: Where("note").isNotEqual(to: "Ed"),
      predicate: #Predicate { $0.note != "Ed" })
    DoorCase(
      "seat > %@", 3, names: ["Cy", "Ed"], typed: typed { $0.seat > 3 },
      chained: Where("seat").isGreater(than: 3))
    DoorCase(
      "isActive", names: ["Ann", "Cy", "Ed"], typed: typed { $0.isActive },
      predicate: #Predicate { $0.isActive })
    DoorCase("isTall", names: ["Ann"], typed: typed { $0.isTall })
    DoorCase("!isTall", names: ["Bo", "Cy", "Di", "Ed", "li"], typed: typed { !$0.isTall })
    DoorCase(
      "isTall == %@", false, names: ["Bo"], typed: typed { $0.isTall == false },
      chained: Where("isTall").isFalse,
      predicate: #Predicate { $0.isTall == false })
    DoorCase(
      "born >= %@", School.day, names: ["Ann", "Cy"], typed: typed { $0.born >= School.day },
      chained: Where("born").isAtLeast(School.day),
      predicate: #Predicate { $0.born >= day })
    DoorCase(
      "code == %@", School.uuid, names: ["Ann"], typed: typed { $0.code == School.uuid },
      chained: Where("code").isEqual(to: School.uuid),
      predicate: #Predicate { $0.code == uuid })
    DoorCase(
      "level == %@", 2, names: ["Bo"], typed: typed { $0.level == .second },
      chained: Where("level").isEqual(to: School.Level.second))
    DoorCase(
      "level > %@", 1, names: ["Bo", "Cy"], typed: typed { $0.level > .first },
      chained: Where("level").isGreater(than: 1))
    DoorCase(
      "fee > %@", Decimal(9.5), names: ["Ann", "Cy"], typed: typed { $0.fee > 9.5 },
      chained: Where("fee").isGreater(than: Decimal(9.5)),
      predicate: #Predicate { $0.fee > fee })
    DoorCase(
      "photo == %@", Data([1, 2]), names: ["Ann"], typed: typed { $0.photo == Data([1, 2]) },
      chained: Where("photo").isEqual(to: Data([1, 2])))
    DoorCase(
      "tags == %@", ["a"], names: ["Di"], typed: typed { $0.tags == ["a"] },
      chained: Where("tags").isEqual(to: ["a"]),
      predicate: #Predicate { $0.tags == ["a"] })
    DoorCase(
      "note == name", names: ["Ed"], typed: typed { $0.note == $0.name },
      chained: Where("note").isEqual(to: Where("name")))
    DoorCase(
      "name != note", names: ["Ann", "Bo", "Cy", "Di", "li"],
      typed: typed {
        $0.name != $0.note
      }, chained: Where("name").isNotEqual(to: Where("note")))
    DoorCase(
      "seat >= age", names: ["Cy", "Ed"], typed: typed { $0.seat >= $0.age },
      chained: Where("seat").isAtLeast(Where("age")))
    DoorCase(
      "objectID == %@", 2, names: ["Bo"], typed: typed { $0.objectID == 2 },
      chained: Where("objectID").isEqual(to: 2),
      predicate: #Predicate { $0.objectID == 2 })
  }

  @DoorCaseList static var texts: [DoorCase] {
    DoorCase(
      "name CONTAINS %@", "i", names: ["Di", "li"], typed: typed { $0.name.contains("i") },
      chained: Where("name").contains("i"),
      predicate: #Predicate { $0.name.contains("i") })
    DoorCase(
      "name BEGINSWITH %@", "A", names: ["Ann"], typed: typed { $0.name.hasPrefix("A") },
      chained: Where("name").hasPrefix("A"),
      predicate: #Predicate { $0.name.starts(with: "A") })
    DoorCase(
      "note ENDSWITH %@", "li", names: ["li"], typed: typed { $0.note.hasSuffix("li") },
      chained: Where("note").hasSuffix("li"))
    DoorCase(
      "name LIKE %@", "_I", names: ["Di", "li"], typed: typed { $0.name.isLike("_I") },
      chained: Where("name").isLike("_I"))
    DoorCase(
      "name MATCHES %@", "[A-C].*", names: ["Ann", "Bo", "Cy"],
      typed: typed { $0.name.matches("[A-C].*") },
      chained: Where("name").matches("[A-C].*"))
    DoorCase(
      "note BEGINSWITH[cd] %@", "ecr", names: ["Cy"],
      typed: typed { $0.note.hasPrefix("ecr", [.caseInsensitive, .diacriticInsensitive]) },
      chained: Where("note").hasPrefix("ecr", [.caseInsensitive, .diacriticInsensitive]))
    DoorCase(
      "name ==[c] %@", "LI", names: ["li"],
      typed: typed { $0.name.isEqual(to: "LI", .caseInsensitive) },
      chained: Where("name").isEqual(to: "LI", .caseInsensitive))
    DoorCase(
      "note CONTAINS name", names: ["Ed", "li"], typed: typed { $0.note.contains($0.name) })
    DoorCase(
      "code BEGINSWITH %@", "0102", names: ["Ann"], typed: typed { $0.code.hasPrefix("0102") },
      chained: Where("code").hasPrefix("0102"))
  }

  @DoorCaseList static var lists: [DoorCase] {
    DoorCase(
      "age IN %@", [5, 6], names: ["Ann", "Ed"], typed: typed { $0.age.isIn([5, 6]) },
      chained: Where("age").isIn([5, 6]),
      predicate: #Predicate { [5, 6].contains($0.age) })
    DoorCase(
      "name IN %@", ["Bo", "li"], names: ["Bo", "li"], isSameTree: false,
      typed: typed { Set(["Bo"]).contains($0.name) || ["li"].contains($0.name) })
    DoorCase(
      "note IN %@", ["Ed", nil] as [String?], names: ["Bo", "Ed"],
      typed: typed { $0.note.isIn(["Ed", nil]) },
      chained: Where("note").isIn(["Ed", nil]),
      predicate: #Predicate { noted.contains($0.note) })
    DoorCase(
      "age IN %@", [Int](), names: [], typed: typed { $0.age.isIn([]) },
      chained: Where("age").isIn([]))
    DoorCase(
      "age BETWEEN {%@, %@}", 6, 8, names: ["Ann", "Bo", "Cy"], typed: typed { 6...8 ~= $0.age },
      chained: Where("age").isBetween(6, 8),
      predicate: #Predicate { (6...8).contains($0.age) })
    DoorCase(
      "seat BETWEEN {%@, %@}", 3, 5, names: ["Ann", "Ed"], typed: typed { $0.seat.isIn(3...5) },
      chained: Where("seat").isBetween(3, 5))
    DoorCase(
      "age >= %@ && age < %@", 6, 8, names: ["Ann", "Cy"], typed: typed { $0.age.isIn(6..<8) },
      chained: Where("age").isAtLeast(6).and("age").isLess(than: 8),
      predicate: #Predicate { (6..<8).contains($0.age) })
    DoorCase("age >= %@", 9, names: ["Di", "li"], typed: typed { $0.age.isIn(9...) })
    DoorCase(
      "level IN %@", [1, 3], names: ["Ann", "Cy", "Di", "Ed", "li"],
      typed: typed {
        $0.level.isIn([.first, .third])
      }, chained: Where("level").isIn([1, 3]))
  }

  @DoorCaseList static var joined: [DoorCase] {
    DoorCase(
      "age > %@ && note != nil || name == %@", 8, "Bo", names: ["Bo", "Di", "li"],
      typed: typed { $0.age > 8 && $0.note != nil || $0.name == "Bo" },
      chained: Where("age").isGreater(than: 8).and("note").isNotNil.or("name").isEqual(to: "Bo"),
      predicate: #Predicate { $0.age > 8 && $0.note != nil || $0.name == "Bo" })
    DoorCase(
      "age > %@ && (note != nil || name == %@)", 7, "Bo", names: ["Bo", "Di", "li"],
      typed: typed { $0.age > 7 && ($0.note != nil || $0.name == "Bo") },
      chained: Where("age").isGreater(than: 7).and(
        Where("note").isNotNil.or("name").isEqual(to: "Bo")),
      predicate: #Predicate { $0.age > 7 && ($0.note != nil || $0.name == "Bo") })
    DoorCase(
      "isActive && !(age < %@) && isTall == nil", 6, names: ["Cy"],
      typed: typed { $0.isActive && !($0.age < 6) && $0.isTall == nil },
      predicate: #Predicate { $0.isActive && !($0.age < 6) && $0.isTall == nil })
  }

  @DoorCaseList static var associations: [DoorCase] {
    DoorCase(
      "room.floor >= %@", 2, names: ["Ann", "Cy", "Ed", "li"], typed: typed { $0.room.floor >= 2 },
      chained: Where("room.floor").isAtLeast(2))
    DoorCase(
      "room == nil", names: ["Di"], typed: typed { $0.room == nil },
      chained: Where("room").isNil,
      predicate: #Predicate { $0.room == nil })
    DoorCase("room == %@", "2a", names: ["Ann", "Ed"], typed: typed { $0.room == Ref(id: "2a") })
    DoorCase(
      "room == %@", "2a", names: ["Ann", "Ed"], typed: typed { $0.room.id == "2a" },
      chained: Where("room").isEqual(to: "2a"),
      predicate: #Predicate { $0.room?.id == "2a" })
    DoorCase(
      "room IN %@", ["1a", "2b"], names: ["Bo", "Cy"],
      typed: typed {
        $0.room.isIn([Ref(id: "1a"), Ref(id: "2b")])
      }, chained: Where("room").isIn(["1a", "2b"]))
    DoorCase(
      "friend.room.floor == %@", 2, names: ["Bo", "Ed"], typed: typed { $0.friend.room.floor == 2 },
      chained: Where("friend.room.floor").isEqual(to: 2))
    DoorCase(
      "friend == objectID", names: ["Ed"], typed: typed { $0.friend.id == $0.objectID },
      chained: Where("friend").isEqual(to: Where("objectID")),
      predicate: #Predicate { $0.friend?.id == $0.objectID })
    DoorCase(
      "ANY room.students.age > %@", 8, names: ["li"],
      typed: typed { $0.room.students.any { $0.age > 8 } },
      chained: Where.any("room.students.age").isGreater(than: 8))
    DoorCase(
      "NONE room.students.isActive == TRUE", names: ["Bo", "Di", "li"],
      typed: typed { $0.room.students.none { $0.isActive } })
    DoorCase(
      "ALL room.students.age > %@", 5, names: ["Bo", "Cy", "Di", "li"],
      typed: typed { $0.room.students.all { $0.age > 5 } },
      chained: Where.all("room.students.age").isGreater(than: 5))
    DoorCase(
      "SUBQUERY(room.students, $s, room.students.age >= %@).@count > %@", 5, 1,
      names: ["Ann", "Ed"], typed: typed { $0.room.students.count { $0.age >= 5 } > 1 })
    DoorCase(
      "SUBQUERY(room.students, $s, room.students.age > age).@count > %@", 0, names: ["Ed"],
      typed: typed { student in student.room.students.count { $0.age > student.age } > 0 })
    DoorCase(
      "ANY room.students (room.students.age > %@ && ANY room.students.room.students.age < %@)", 5,
      6, names: ["Ann", "Ed"],
      typed: typed { $0.room.students.any { $0.age > 5 && $0.room.students.any { $0.age < 6 } } })
    DoorCase(
      "ANY room.students (room.students.age < %@ && room.students.note == %@)", 7, "Ed",
      names: ["Ann", "Ed"],
      typed: typed { $0.room.students.any { $0.age < 7 && $0.note == "Ed" } })
    DoorCase(
      "ALL room.students (room.students.age >= age || room.students.seat == nil)",
      names: ["Bo", "Cy", "Di", "Ed", "li"],
      typed: typed { student in
        student.room.students.all { $0.age >= student.age || $0.seat == nil }
      })
    DoorCase(
      "room.students.@count == %@", 2, names: ["Ann", "Ed"],
      typed: typed { $0.room.students.count == 2 },
      chained: Where("room.students.@count").isEqual(to: 2))
    DoorCase(
      "room.students.@max.age == age", names: ["Ann", "Bo", "Cy", "li"],
      typed: typed { $0.room.students.max(\.age) == $0.age },
      chained: Where("room.students.@max.age").isEqual(to: Where("age")))
    DoorCase(
      "room.students.@avg.age == %@", 5.5, names: ["Ann", "Ed"],
      typed: typed { $0.room.students.average(\.age) == 5.5 },
      chained: Where("room.students.@avg.age").isEqual(to: 5.5))
    DoorCase(
      "room.students.@sum.seat > %@", 7, names: ["Ann", "Ed"],
      typed: typed { $0.room.students.sum(\.seat) > 7 },
      chained: Where("room.students.@sum.seat").isGreater(than: 7))
  }

  /// With the value on the left.
  @DoorCaseList static var turned: [DoorCase] {
    DoorCase("age > %@", 7, names: ["Bo", "Di", "li"], typed: typed { 7 < $0.age })
    DoorCase("age >= %@", 9, names: ["Di", "li"], typed: typed { 9 <= $0.age })
    DoorCase("age < %@", 7, names: ["Ann", "Ed"], typed: typed { 7 > $0.age })
    DoorCase("age <= %@", 7, names: ["Ann", "Cy", "Ed"], typed: typed { 7 >= $0.age })
    DoorCase("name == %@", "li", names: ["li"], typed: typed { "li" == $0.name })
    DoorCase("note == nil", names: ["Bo"], typed: typed { nil == $0.note })
    DoorCase(
      "note != %@", "Ed", names: ["Ann", "Bo", "Cy", "Di", "li"], typed: typed { "Ed" != $0.note })
  }

  @DoorCaseList static var calculations: [DoorCase] {
    DoorCase(
      "age + %@ > %@", 2, 9, names: ["Bo", "Di", "li"], typed: typed { $0.age + 2 > 9 },
      predicate: #Predicate { $0.age + 2 > 9 })
    DoorCase(
      "seat * %@ - age == %@", 2, 7, names: ["Cy"], typed: typed { $0.seat * 2 - $0.age == 7 })
    DoorCase(
      "age / %@ == %@", 2, 4, names: ["Bo", "Di"], typed: typed { $0.age / 2 == 4 },
      predicate: #Predicate { $0.age / 2 == 4 })
    DoorCase(
      "score / %@ >= %@", 2.0, 1.25, names: ["Bo", "Cy", "Ed"],
      typed: typed { $0.score / 2 >= 1.25 }, predicate: #Predicate { $0.score / 2 >= 1.25 })
    DoorCase(
      "age / seat == nil", names: ["Bo", "Di", "li"], typed: typed { $0.age / $0.seat == nil })
    DoorCase(
      "%@ - age < seat", 10, names: ["Cy", "li"], typed: typed { 10 - $0.age < $0.seat },
      predicate: #Predicate { 10 - $0.age < $0.seat! })
    DoorCase(
      "age * (seat + %@) > %@", 1, 25, names: ["Cy", "Ed"],
      typed: typed { $0.age * ($0.seat + 1) > 25 })
    DoorCase(
      "age + score > %@", 10.4, names: ["Bo", "Cy", "li"],
      typed: typed { $0.age.asDouble + $0.score > 10.4 })
    DoorCase(
      "ANY room.students (room.students.age + %@ == age)", 1, names: ["Ann"],
      typed: typed { student in student.room.students.any { $0.age + 1 == student.age } })
    DoorCase(
      "age * %@ > %@", Int.max, 5, names: [], typed: typed { $0.age * Int.max > 5 })
  }

  @DoorCaseList static var functions: [DoorCase] {
    DoorCase(
      "age % %@ == %@", 2, 0, names: ["Ann", "Bo", "li"], typed: typed { $0.age % 2 == 0 },
      predicate: #Predicate { $0.age % 2 == 0 })
    DoorCase(
      "%@ % age == seat - %@", 20, 1, names: ["Ann", "Cy"],
      typed: typed { 20 % $0.age == $0.seat - 1 })
    DoorCase(
      "age % seat == %@", 0, names: ["Ann", "Cy", "Ed"], typed: typed { $0.age % $0.seat == 0 })
    DoorCase(
      "-age < %@", -8, names: ["Di", "li"], typed: typed { -$0.age < -8 },
      predicate: #Predicate { -$0.age < -8 })
    DoorCase("-score > %@", 0.5, names: ["Di"], typed: typed { -$0.score > 0.5 })
    DoorCase("note.length > %@", 4, names: ["Ann", "li"], typed: typed { $0.note.length > 4 })
    DoorCase(
      "name.length * %@ == room.name.length", 1, names: ["Bo", "Cy", "Ed", "li"],
      typed: typed { $0.name.length * 1 == $0.room.name.length })
    DoorCase(
      "lowercase(name) == %@", "li", names: ["li"], typed: typed { $0.name.lowercase == "li" })
    DoorCase(
      "uppercase(note) CONTAINS %@", "ÉC", names: ["Cy"],
      typed: typed { $0.note.uppercase.contains("ÉC") })
    DoorCase(
      "born < now()", names: ["Ann", "Bo", "Cy", "Di", "Ed", "li"],
      typed: typed { $0.born < CurrentDate() }, chained: Where("born").isLess(than: CurrentDate()))
    DoorCase(
      "born >= now() + -60.0 seconds", names: [],
      typed: typed { $0.born >= CurrentDate() - .seconds(60) },
      chained: Where("born").isAtLeast(CurrentDate() - .seconds(90) + .seconds(30)))
    DoorCase(
      "NOT (born BETWEEN {%@, now() + 0.25 seconds})", School.day,
      names: ["Bo", "Di", "Ed", "li"],
      chained: !Where("born").isBetween(School.day, CurrentDate() + .milliseconds(250)))
    DoorCase(
      "name NOT CONTAINS %@", "i", names: ["Ann", "Bo", "Cy", "Ed"],
      typed: typed { !$0.name.contains("i") }, chained: Where("name").contains("i").negated,
      predicate: #Predicate { !$0.name.contains("i") })
    DoorCase(
      "age NOT BETWEEN {%@, %@}", 6, 9, names: ["Ed", "li"],
      typed: typed { !$0.age.isBetween(6, 9) }, chained: !Where("age").isBetween(6, 9),
      predicate: #Predicate { !(6...9).contains($0.age) })
  }

  @DoorCaseList static var collections: [DoorCase] {
    DoorCase(
      "tags CONTAINS %@", "b", names: ["Ann"], typed: typed { $0.tags.contains("b") },
      chained: Where("tags").contains("b"), predicate: #Predicate { $0.tags.contains("b") })
    DoorCase(
      "tags NOT CONTAINS %@", "a", names: ["Bo", "Cy", "Ed", "li"],
      typed: typed { !$0.tags.contains("a") })
    DoorCase(
      "tags.@count > %@", 1, names: ["Ann"], typed: typed { $0.tags.count > 1 },
      chained: Where("tags.@count").isGreater(than: 1))
    DoorCase(
      "ANY tags == %@", "a", names: ["Ann", "Di"], chained: Where.any("tags").isEqual(to: "a"))
    DoorCase(
      "friend.tags CONTAINS %@", "a", names: ["Bo"], typed: typed { $0.friend.tags.contains("a") })
  }
}
