import Foundation
import TestSupport
import Testing

import ObjectVaultCore

private struct Pair: StoredObject, GeneratesObjectID {
  var objectID: Int64?
  var left: Int?
  var right: Int?

  init(_ left: Int?, _ right: Int?) { (self.left, self.right) = (left, right) }

  static let classDescription = ClassDescription(
    "Pair", properties: [.init("left", Int?.self), .init("right", Int?.self)])
  static var propertyNames: [AnyKeyPath: String] {
    [\Pair.left: "left", \Pair.right: "right"]
  }

  init(row: Row) throws {
    (left, right) = (try row.value(at: 0), try row.value(at: 1))
    objectID = try row.value(at: 2)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(left, at: 0)
    try binder.bind(right, at: 1)
  }
}

@Suite("A #Predicate") struct PredicateTests {
  private typealias Student = School.Student
  private let students: ObjectStore<School.Student>
  private let school: School.Filled

  init() throws {
    school = try School.Filled()
    students = school.students
  }

  private func names(_ predicate: Predicate<School.Student>) throws -> [String] {
    try students.where(predicate).all().map(\.name)
  }

  @Test("chooses what it says")
  func chooses() throws {
    let (least, name) = (7, "Ed")
    #expect(try names(#Predicate { $0.age >= least }) == ["Bo", "Cy", "Di", "li"])
    #expect(try names(#Predicate { least < $0.age }) == ["Bo", "Di", "li"])
    #expect(try names(#Predicate { !($0.name == name) && $0.age < 7 }) == ["Ann"])
    #expect(try names(#Predicate { $0.note == nil }) == ["Bo"])
    #expect(try names(#Predicate { $0.note?.contains("i") ?? false }) == ["Ann", "li"])
    #expect(
      try names(#Predicate { $0.note?.contains("i") ?? true }) == ["Ann", "Bo", "li"])
    #expect(try names(#Predicate { $0.isTall ?? false }) == ["Ann"])
    #expect(
      try names(#Predicate { $0.isTall ?? true }) == ["Ann", "Cy", "Di", "Ed", "li"])
    #expect(try names(#Predicate { $0.seat.flatMap { $0 > 3 } == true }) == ["Cy", "Ed"])
    #expect(try names(#Predicate { $0.seat.flatMap { $0 > 3 } == false }) == ["Ann", "li"])
    #expect(try names(#Predicate { (7...8).contains($0.age) }) == ["Bo", "Cy"])
    let (from, through, upTo) = (8..., ...6, ..<6)
    #expect(try names(#Predicate { from.contains($0.age) }) == ["Bo", "Di", "li"])
    #expect(try names(#Predicate { through.contains($0.age) }) == ["Ann", "Ed"])
    #expect(try names(#Predicate { upTo.contains($0.age) }) == ["Ed"])
    #expect(try names(#Predicate { [5, 18].contains($0.age) }) == ["Ed", "li"])
    #expect(try names(#Predicate { $0.name.isEmpty }) == [])
    #expect(try names(#Predicate { $0.friend?.id == 2 }) == ["Cy", "Di"])
    #expect(try names(#Predicate { $0.room == nil || $0.room?.id == "3a" }) == ["Di", "li"])
    #expect(try names(#Predicate { _ in true }).count == 6)
    #expect(try names(#Predicate { $0.isActive == false }) == ["Bo", "Di", "li"])
  }

  @Test("may have any number of parts beside one another")
  func manyParts() throws {
    typealias Part = any StandardPredicateExpression<Bool>
    func either<A: StandardPredicateExpression<Bool>, B: StandardPredicateExpression<Bool>>(
      _ a: A, _ b: B
    ) -> Part { PredicateExpressions.build_Disjunction(lhs: a, rhs: b) }
    let predicate = Predicate<Student> { student in
      var parts: [Part] = (0..<512).map { age in
        PredicateExpressions.build_Equal(
          lhs: PredicateExpressions.build_KeyPath(root: student, keyPath: \.age),
          rhs: PredicateExpressions.build_Arg(age))
      }
      while parts.count > 1 {
        parts = stride(from: 0, to: parts.count, by: 2).map { index in
          let (left, right) = (parts[index], parts[index + 1])
          return either(left, right)
        }
      }
      return parts[0]
    }
    #expect(try names(predicate).count == 6)
  }

  @Test(
    "that cannot be asked names the part and another way",
    arguments: [
      (#Predicate<School.Student> { $0.tags.contains($0.name) }, "elements of a property"),
      (#Predicate<School.Student> { $0.name.count > 2 }, "'length' in Unicode scalars"),
      (#Predicate<School.Student> { $0.tags.allSatisfy { $0 == "a" } }, "SequenceAllSatisfy"),
      (#Predicate<School.Student> { $0.isActive ? $0.age > 1 : false }, "Conditional"),
      (#Predicate<School.Student> { ($0.note ?? "x") == "x" }, "'??'"),
    ])
  func refused(predicate: Predicate<School.Student>, part: String) throws {
    let error = try #require(throws: VaultError.self) { try students.where(predicate).validate() }
    #expect(error.code == .invalidCondition)
    #expect(error.message.contains(part), "\(error.message)")
    #expect(error.message.contains("where(\"classroom.floor >= %@\", 2)"))
  }

  @Test("with optionals inside one another is true for the same objects as in Swift")
  func nestedOptionals() throws {
    let pairs = [Pair(nil, nil), Pair(1, nil), Pair(nil, 1), Pair(1, 1), Pair(1, 2)]
    let store = try school.test.vault.store(of: Pair.self)
    try store.insert(contentsOf: pairs)
    func check(
      _ predicate: Predicate<Pair>, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let expected = try pairs.indices.filter { try predicate.evaluate(pairs[$0]) }
        .map { Int64($0) + 1 }
      let found = try store.where(predicate).all().compactMap(\.objectID)
      #expect(found == expected, sourceLocation: sourceLocation)
    }
    try check(
      #Predicate<Pair> { pair in
        pair.left.flatMap { left in pair.right.flatMap { right in left == right } } ?? true
      })
    try check(
      #Predicate<Pair> { pair in
        pair.left.flatMap { left in pair.right.flatMap { right in left == right } } ?? false
      })
    try check(
      #Predicate<Pair> { pair in
        pair.left.flatMap { left in pair.right.flatMap { right in left == right } } == false
      })
    try check(
      #Predicate<Pair> { pair in
        pair.left.flatMap { left in pair.right.flatMap { right in left + right } } == 3
      })
  }

  @Test("whose optional has a result from another property is rejected")
  func otherResult() throws {
    let store = try school.test.vault.store(of: Pair.self)
    let predicate = #Predicate<Pair> { pair in pair.left.flatMap { left in pair.right } == 1 }
    let error = try #require(throws: VaultError.self) { try store.where(predicate).validate() }
    #expect(error.code == .invalidCondition)
    #expect(error.message.contains("'flatMap'"), "\(error.message)")
  }

  @Test("on a class without names for key paths says so")
  func unnamed() throws {
    let people = try school.test.vault.store(of: Person.self)
    let error = try #require(throws: VaultError.self) {
      try people.where(#Predicate { $0.age > 1 }).validate()
    }
    #expect(error.code == .invalidCondition)
  }
}
