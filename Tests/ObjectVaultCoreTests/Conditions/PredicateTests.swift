import Foundation
import TestSupport
import Testing

import ObjectVaultCore

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

  @Test("on a class without names for key paths says so")
  func unnamed() throws {
    let people = try school.test.vault.store(of: Person.self)
    let error = try #require(throws: VaultError.self) {
      try people.where(#Predicate { $0.age > 1 }).validate()
    }
    #expect(error.code == .invalidCondition)
  }
}
