import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import Testing
import TestSupport
import ObjectVaultModel

@Suite("Conditions put together without end") struct NestingTests {
  private let students: ObjectStore<School.Student>
  private let school: School.Filled

  init() throws {
    school = try School.Filled()
    students = school.students
  }

  private static let makers: [(String, @Sendable () -> ObjectCondition)] = [
    (
      "negation",
      {
        var condition = Where("age").isEqual(to: 1)
        for _ in 0..<200_000 { condition = !condition }
        return condition
      }
    ),
    (
      "one joined with the next by and, then by or",
      {
        var condition = Where("age").isEqual(to: 1)
        for turn in 0..<20_000 {
          let other = Where("seat").isEqual(to: turn)
          condition = turn.isMultiple(of: 2) ? condition && other : condition || other
        }
        return condition
      }
    ),
    (
      "a chain",
      {
        var condition = Where("age").isEqual(to: 1)
        for _ in 0..<20_000 { condition = condition.and("seat").isNil.or("age").isEqual(to: 2) }
        return condition
      }
    ),
    (
      "a calculation",
      {
        let properties = School.Student.Properties(origin: .object)
        var sum = properties.age + 1
        for _ in 0..<50_000 { sum = Computed((sum + 1).operand) }
        return sum > 7
      }
    ),
    (
      "a calculation on the right",
      {
        let age = School.Student.Properties(origin: .object).age
        var sum = age + 1
        for _ in 0..<50_000 { sum = Computed((age + sum).operand) }
        return sum > 7
      }
    ),
    (
      "objects of objects",
      {
        let students = School.Room.Properties(origin: .object).students
        var condition = students.any { $0.age > 1 }
        for _ in 0..<50_000 { let inner = condition; condition = students.all { _ in inner } }
        return condition
      }
    ),
  ]

  @Test(
    "are refused when a store is asked, on the small stack of a thread too",
    arguments: makers.indices)
  func unbounded(maker: Int) throws {
    let (students, (name, make)) = (students, Self.makers[maker])
    let found = onSmallStack { code { try students.where(make()).validate() } }
    #expect(found == .invalidCondition, "\(name)")
  }

  @Test("of the greatest depth that is taken are served, on the small stack of a thread too")
  func deepest() throws {
    let students = students
    let count = onSmallStack { () -> Int? in
      var condition = Where("age").isEqual(to: 6)
      for level in 0..<95 {
        let other = Where("age").isEqual(to: 100 + level)
        condition = !(level.isMultiple(of: 2) ? condition || other : condition && !other)
      }
      return try? students.where(condition).count()
    }
    #expect(count != nil)
  }

  @Test("by the queries' own and, or and not are refused")
  func queries() throws {
    let students = students
    let found = onSmallStack {
      code {
        var query = students.where("age == 1")
        for turn in 0..<5_000 {
          let other = students.where("seat == %@", turn)
          query = turn.isMultiple(of: 2) ? query.and(other) : query.or(other)
        }
        try query.validate()
      }
    }
    #expect(found == .invalidCondition)
  }

  @Test("of more comparisons than a text could have are refused")
  func wide() throws {
    let one = Where("age").isEqual(to: 1)
    let many = ObjectCondition.any(of: repeatElement(one, count: 20_000))
    #expect(try students.where(many).count() == 0)
    let more = ObjectCondition.any(of: repeatElement(one, count: 70_000))
    let error = try #require(throws: VaultError.self) { try students.where(more).validate() }
    #expect(error.code == .invalidCondition && error.message.contains("list"))
    let query = students.where(many)
    #expect(
      code {
        var query = query
        for _ in 0..<4 { query = query.or(students.where(many)) }
        try query.validate()
      } == .invalidCondition)
    #expect(
      code {
        var query = query
        for _ in 0..<4 { query = query.where(many) }
        try query.validate()
      } == .invalidCondition)
  }
}

/// What `body` gives on a thread with the least stack that threads have.
private func onSmallStack<R>(_ body: @escaping @Sendable () -> R) -> R? {
  let result = Kept<R>()
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    result.value = body()
    done.signal()
  }
  thread.stackSize = 512 * 1024
  thread.start()
  done.wait()
  return result.value
}

private final class Kept<Value>: @unchecked Sendable { var value: Value? }
