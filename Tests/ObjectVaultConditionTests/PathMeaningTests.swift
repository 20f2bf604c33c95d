import ConditionReference
import ObjectVaultCondition
import TestSupport
import Testing

@Suite("The meaning of paths") struct PathMeaningTests {
  private func student(_ age: Int64?, height: Double = 1, fee: String = "1") -> SchoolObject {
    SchoolObject(
      .student,
      [
        "age": age.map { .integer($0) } ?? .null, "height": .real(height), "fee": .text(fee),
      ])
  }

  private func room(_ ages: Int64?...) -> SchoolObject {
    let room = SchoolObject(.room, ["floor": .integer(2)])
    room.associate("students", ages.map { student($0) })
    return room
  }

  @Test("a value behind a reference is nil where there is no object")
  func nilBehindAReference() throws {
    let placed = student(7).with("room", room())
    #expect(try placed.holds("room.floor >= 2"))
    #expect(try !placed.holds("room.floor == nil"))
    let lost = student(7)
    #expect(try lost.holds("room.floor == nil"))
    #expect(try !lost.holds("room.floor >= 2"))
    #expect(try lost.holds("!(room.floor >= 2)"))
    #expect(try lost.holds("room.floor != 2"))
    #expect(try lost.holds("room.floor NOT IN {2}"))
    #expect(try !lost.holds("room.open"))
    #expect(try lost.holds("!room.open"))
    #expect(try lost.holds("friend.room.floor == room.floor"))
  }

  @Test("ANY of none is false, ALL and NONE of none are true", .covers("D3"))
  func quantifiersOfNone() throws {
    for text in ["students.age > 0", "students.age == nil", "students.age != nil"] {
      #expect(try !room().holds("ANY \(text)"))
      #expect(try room().holds("ALL \(text)"))
      #expect(try room().holds("NONE \(text)"))
      #expect(try !student(1).holds("ANY room.\(text)"))
      #expect(try student(1).holds("ALL room.\(text) && NONE room.\(text)"))
    }
  }

  @Test(
    "a quantifier asks the objects one by one",
    arguments: [
      ("ANY students.age < 7", true), ("SOME students.age < 7", true),
      ("ALL students.age < 7", false), ("NONE students.age < 7", false),
      ("NOT ANY students.age < 7", false), ("ALL students.age <= 9", false),
      ("NONE students.age > 9", true), ("ANY students.age == nil", true),
      ("ANY students.age BETWEEN {6, 8}", false), ("ANY students.age IN {1, 9}", true),
      ("ALL students.age IN {5, 9, nil}", true), ("ANY students.age == floor", false),
      ("ANY students.age > floor", true),
    ])
  func oneByOne(text: String, expected: Bool) throws {
    #expect(try room(5, 9, nil).holds(text) == expected)
  }

  @Test("several to-many associations are gone through as one") func flattened() throws {
    let site = SchoolObject(.site).with("rooms", room(1, 2), room(), room(3))
    #expect(try site.holds("ANY rooms.students.age == 3"))
    #expect(try site.holds("ALL rooms.students.age < 4"))
    #expect(try site.holds("rooms.students.@count == 3"))
    #expect(try site.holds("rooms.students.@sum.age == 6"))
    #expect(try site.holds("rooms.@count == 3"))
    #expect(try site.holds("rooms.students.age.@max == 3"))
  }

  @Test("behind a to-many association a reference without an object gives nil")
  func nilBehindMany() throws {
    let room = SchoolObject(.room)
      .with("students", student(5).with("friend", student(8)), student(6))
    #expect(try room.holds("ANY students.friend.age == nil"))
    #expect(try !room.holds("ALL students.friend.age > 1"))
    #expect(try room.holds("students.@avg.friend.age == 8"))
    #expect(try room.holds("students.friend.@count == 1"))
  }

  @Test("aggregates leave nil out, and of none all but count and sum are nil")
  func aggregatesOfNone() throws {
    for room in [room(), room(nil)] {
      #expect(try room.holds("students.@min.age == nil && students.@max.age == nil"))
      #expect(try room.holds("students.@avg.age == nil && students.@sum.age == 0"))
    }
    #expect(try room().holds("students.@count == 0 && students.@sum.fee == 0"))
    #expect(try room(nil).holds("students.@count == 1"))
    #expect(try room(4, nil, 7).holds("students.@avg.age == 5.5 && students.@sum.age == 11"))
    #expect(try room(4, nil, 7).holds("students.@min.age == 4 && students.@max.age == 7"))
  }

  @Test("a sum of integers beyond 64 bits is the nearest double, and never wraps")
  func largeSums() throws {
    let large = room(.max, .max)
    #expect(try large.holds("students.@sum.age > 9223372036854775807"))
    #expect(try large.holds("students.@sum.age == 18446744073709551616.0"))
    #expect(try large.holds("students.@sum.age < 1e20 && students.@sum.age > 1e19"))
    #expect(try large.holds("students.@sum.age < 1e999 && students.@sum.age > -1e30"))
    #expect(try room(.max, .min, 3).holds("students.@sum.age == 2"))
    #expect(try room(1 << 53, 1).holds("students.@sum.age == 9007199254740993"))
    #expect(try room(1 << 53, 1).holds("students.@sum.age > 9007199254740992.5"))
    #expect(try room(.min, .min).holds("students.@sum.age < -9223372036854775808"))
    #expect(try room(.min, .min).holds("students.@sum.age IN {1, -18446744073709551616.0}"))
  }

  @Test("a sum of doubles does not depend on their order")
  func sumsOfDoubles() throws {
    let heights: [Double] = [1e16, 1, -1e16, 0.5, 1e300, -1e300]
    var random = SeededGenerator(for: "order of a sum")
    for _ in 0..<20 {
      let room = SchoolObject(.room)
      room.associate("students", heights.shuffled(using: &random).map { student(1, height: $0) })
      #expect(try room.holds("students.@sum.height == 1.5"))
      #expect(try room.holds("students.@avg.height == 0.25"))
    }
    let infinite = SchoolObject(.room)
      .with("students", student(1, height: .infinity), student(1, height: -.infinity))
    #expect(try infinite.holds("students.@sum.height == nil"))
  }

  @Test("a sum of decimals has all its digits") func sumsOfDecimals() throws {
    let fees = ["0.1", "0.2", "99999999999999999999999999999999999999", "-0.00001"]
    let room = SchoolObject(.room)
    room.associate("students", fees.map { student(1, fee: $0) })
    #expect(
      try room.holds("students.@sum.fee == '99999999999999999999999999999999999999.29999'"))
    #expect(try room.holds("students.@max.fee == 99999999999999999999999999999999999999.0"))
    #expect(try room.holds("students.@min.fee == -0.00001"))
  }

  @Test("the objectID behind a reference is what the reference keeps")
  func objectIDBehindAReference() throws {
    let placed = SchoolObject(.student, ["room": .text("1a"), "friend": .integer(5)])
    for text in ["room == '1a'", "room.name == '1a'", "friend.objectID == 5", "friend == %@"] {
      let arguments: [ConditionArgument] =
        text.contains("%") ? [.value(.integer(5), .int64)] : []
      let checker = ConditionChecker(schema: SchoolSchema(kind: .student), folding: testFolding)
      let condition = try checker.resolve(try Condition.parse(text), arguments: arguments)
      guard case .compare(let shape, .equal, _, _) = condition else {
        Issue.record("\(text) is no comparison")
        continue
      }
      #expect(shape.isColumn)
      #expect(condition.holds(folding: testFolding, of: placed))
    }
  }

  @Test("%K takes paths") func pathArguments() throws {
    let placed = student(7).with("room", room(1, 2))
    let names = ["room.floor", "room.students.@count", "room.students.@min.age", "age"]
    for (name, value) in zip(names, ["2", "2", "1", "7"]) {
      #expect(try placed.holds("%K == \(value)", .value(.text(name), .string)))
    }
    #expect(try placed.holds("ANY %K == 2", .value(.text("room.students.age"), .string)))
  }

  @Test(
    "a path is printed as it is read",
    arguments: [
      ("room.floor == 1", "room.floor == 1"), ("a.@count > 1", "a.@count > 1"),
      ("a.@min.b == 1", "a.@min.b == 1"), ("a.b.@min == 1", "a.@min.b == 1"),
      ("a.@sum.b.c == 1", "a.b.@sum.c == 1"), ("a.@avg == 1", "a.@avg == 1"),
      ("SOME a.b == 1", "ANY a.b == 1"), ("ANY a.`some`.#max == 1", "ANY a.`some`.max == 1"),
      (
        "subquery(a.b, $x, $x.c > 1 && $x).@count == 2",
        "SUBQUERY(a.b, $s, $s.c > 1 && $s).@count == 2"
      ),
      (
        "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y.c > $x.d && $y.e.@count > $s).@count > 1).@count > 0",
        "SUBQUERY(a, $ss, SUBQUERY($ss.b, $sss, $sss.c > $ss.d && $sss.e.@count > $s).@count > 1)"
          + ".@count > 0"
      ),
      (
        "SUBQUERY(a, $x, ANY $x.b ($x.b.c > a.d)).@count + 1 > 0",
        "SUBQUERY(a, $s, ANY $s.b ($s.b.c > a.d)).@count + 1 > 0"
      ),
      ("NONE a.b IN {1}", "NONE a.b IN {1}"), ("!(ALL a.b LIKE 'x')", "!(ALL a.b LIKE 'x')"),
    ])
  func printed(text: String, canonical: String) throws {
    let tree = try Condition.parse(text)
    #expect(tree.text == canonical)
    #expect(try Condition.parse(canonical) == tree)
  }
}
