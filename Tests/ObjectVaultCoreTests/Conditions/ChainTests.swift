import Foundation
import ObjectVaultCondition
import TestSupport
import Testing

import ObjectVaultCore

@Suite("Conditions made at run time") struct ChainTests {
  private let students: ObjectStore<School.Student>
  private let school: School.Filled

  init() throws {
    school = try School.Filled()
    students = school.students
  }

  private func names(_ condition: ObjectCondition) throws -> [String] {
    try students.where(condition).all().map(\.name)
  }

  @Test("given one after another must all hold", .covers("J29"))
  func conjunction() throws {
    let chained = Where("age").isAtLeast(6).and("note").isNotNil.and("isActive").isTrue
    #expect(try names(chained) == ["Ann", "Cy"])
    #expect(
      try students.where(Where("age").isAtLeast(6)).where(Where("isActive").isTrue).all()
        .map(\.name) == ["Ann", "Cy"])
    let lines = [Where("age").isAtLeast(6), Where("note").isNotNil, Where("isActive").isTrue]
    #expect(ObjectCondition.all(of: lines).tree == chained.tree)
    #expect(try names(.all(of: [])).count == 6)
  }

  @Test(
    "have the six comparisons by name", .covers("J30"),
    arguments: [
      (Where("age").isEqual(to: 7), ["Cy"]), (Where("age").isGreater(than: 8), ["Di", "li"]),
      (Where("age").isNotEqual(to: 7), ["Ann", "Bo", "Di", "Ed", "li"]),
      (Where("age").isLess(than: 6), ["Ed"]), (Where("age").isAtMost(6), ["Ann", "Ed"]),
      (Where("age").isAtLeast(9), ["Di", "li"]),
    ])
  func comparisons(condition: ObjectCondition, expected: [String]) throws {
    #expect(try names(condition) == expected)
  }

  @Test("are joined by OR with all that stands before", .covers("J31"))
  func disjunction() throws {
    let chained = Where("age").isLess(than: 6).or("name").isEqual(to: "Bo")
    #expect(try names(chained) == ["Bo", "Ed"])
    #expect(try names(chained.and("isActive").isTrue) == ["Ed"])
    #expect(try names(chained.negated) == ["Ann", "Cy", "Di", "li"])
    #expect(
      try names(.any(of: [Where("age").isEqual(to: 5), Where("seat").isEqual(to: 0)]))
        == ["Ed", "li"])
    #expect(try names(.any(of: [])) == [])
  }

  @Test("take fragments of text with arguments of their own, which are bound")
  func fragments() throws {
    let hostile = "x' OR '1' == '1"
    let fragment = try ObjectCondition("name == %@ || note == %@", hostile, "Ed")
    #expect(try names(fragment) == ["Ed"])
    #expect(try names(Where("age").isAtLeast(6).or(fragment)).count == 6)
    let both =
      try ObjectCondition("age > %@", 5) && ObjectCondition("age < %@ && name != %@", 8, "Cy")
    #expect(try names(both) == ["Ann"])
    let named = try ObjectCondition("age == $n", arguments: [], named: ["n": 7])
    #expect(try names(named || both) == ["Ann", "Cy"])
    let same = try ObjectCondition("seat == $n", arguments: [], named: ["n": 7])
    #expect(try names(named && same) == ["Cy"])
    let other = try ObjectCondition("seat == $n", arguments: [], named: ["n": 3])
    #expect(code { try students.where(named || other).validate() } == .invalidArgument)
    #expect(throws: VaultError.self) { try ObjectCondition("age >") }
    #expect(code { _ = try ObjectCondition("age > %@") } == .invalidCondition)
    #expect(code { _ = try ObjectCondition("age > 1", 2) } == .invalidCondition)
  }

  @Test("ask of any, all or none of the objects at the end of a path that they are not in a list")
  func notInOfMany() throws {
    func rooms(_ condition: ObjectCondition) throws -> [String] {
      try school.rooms.where(condition).all().map(\.name)
    }
    // 1a: 8; 2a: 6, 5; 2b: 7; 3a: 18.
    let path = "students.age"
    #expect(try rooms(Where.any(path).isNotIn([6, 7])) == ["1a", "2a", "3a"])
    #expect(try rooms(Where.all(path).isNotIn([6, 7])) == ["1a", "3a"])
    #expect(try rooms(Where.none(path).isNotIn([6, 7])) == ["2b"])
    #expect(try rooms(Where.any("students.seat").isNotIn([3, 5])) == ["1a", "2b", "3a"])
    #expect(try rooms(Where("name").isEqual(to: "2a").and("floor").isNotIn([1])) == ["2a"])
  }

  @Test("are checked against the class when a store is asked")
  func errors() throws {
    let unknown = try #require(throws: VaultError.self) {
      try students.where(Where("agge").isEqual(to: 1)).validate()
    }
    #expect(unknown.code == .noSuchProperty && unknown.message.contains("'age'"))
    #expect(
      code { try students.where(Where("age").isEqual(to: "abc")).validate() } == .invalidCondition)
    #expect(
      code { try students.where(Where("score").isLess(than: Double.nan)).validate() }
        == .invalidValue)
    #expect(code { try students.where(Where("a.@count.b").isNil).validate() } == .invalidCondition)
    let misspelt = try ObjectCondition("age > 1 && agge == 2")
    let located = try #require(throws: VaultError.self) { try students.where(misspelt).validate() }
    #expect(located.location?.offset == 11)
    let joined = try #require(throws: VaultError.self) {
      try students.where(misspelt && misspelt).validate()
    }
    #expect(joined.code == .noSuchProperty && joined.location == nil)
  }

  @Test("keep the values that they were made with")
  func keep() throws {
    var tags = ["a"]
    let condition = Where("tags").isEqual(to: tags)
    tags.append("b")
    #expect(try names(condition) == ["Di"])
  }
}
