import ConditionReference
import ObjectVaultCondition
import ObjectVaultCore
import Testing
import TestSupport

@testable import ObjectVaultStores

@Suite("Every way to write a condition") struct DoorTests {
  private let school: School.Filled

  init() throws { school = try School.Filled() }

  private func sql(_ condition: ObjectCondition) throws -> ConditionSQL {
    let resolved = try school.students.access.resolve(condition)
    return try ConditionSQL(resolved, of: school.students.table.sql.queried)
  }

  @Test("becomes the same tree, SQL and values, and chooses the same objects")
  func agree() throws {
    for entry in DoorCase.all {
      let expected = try sql(entry.text)
      let chosen = try school.students.where(entry.text).all().map(\.name)
      #expect(chosen == entry.names, "\(entry.format)")
      #expect(try Condition.parse(entry.text.tree.text) == entry.text.tree, "\(entry.format)")
      for (door, condition) in entry.others {
        #expect(try sql(condition).values == expected.values, "\(door): \(entry.format)")
        #expect(
          try school.students.where(condition).all().map(\.name) == entry.names,
          "\(door): \(entry.format)")
        if entry.isSameTree {
          #expect(condition.tree == entry.text.tree, "\(door): \(entry.format)")
          #expect(try sql(condition).text == expected.text, "\(door): \(entry.format)")
        }
      }
    }
  }
}
