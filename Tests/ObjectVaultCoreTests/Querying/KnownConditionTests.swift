import ObjectVaultCondition
import ObjectVaultCore
import Testing
import TestSupport

@testable import ObjectVaultStores

/// A condition that a table was asked before finds what it would find asked for the first time.
@Suite("A condition asked again") struct KnownConditionTests {
  private let school: School.Filled

  init() throws { school = try School.Filled() }

  private var students: ObjectStore<School.Student> { school.students }

  /// The query as it is where nothing is known of its condition.
  private func fresh(_ condition: ObjectCondition) throws -> Query<School.Student> {
    try students.query.adding(.checked(students.access.resolve(condition)))
  }

  /// The statement and its values, with the range that every query of one object has.
  private func statement(_ query: Query<School.Student>) throws -> String {
    let sql = try QuerySQL(query, firstList: 0)
    let values = try query.condition?.sql(
      of: students.table.sql.queried, parameterLimit: 900, firstParameter: 1, firstList: 0
    ).values
    return "\(sql.select.text) \(sql.count) \(values ?? []) \(sql.bindings)"
  }

  private func expectSame(
    _ query: Query<School.Student>, as fresh: Query<School.Student>, _ what: String
  ) throws {
    for (query, fresh) in [
      (query, fresh), (query.range(length: 2), fresh.range(length: 2)),
      (query.sorted(by: .descending("name")), fresh.sorted(by: .descending("name"))),
      (query.reversed(), fresh.reversed()),
    ] {
      #expect(try statement(query) == statement(fresh), "\(what)")
      #expect(try query.all().map(\.name) == fresh.all().map(\.name), "\(what)")
      #expect(try query.count() == fresh.count(), "\(what)")
    }
    #expect(try query.first()?.name == fresh.first()?.name, "\(what)")
    #expect(try query.not().count() == fresh.not().count(), "\(what)")
    #expect(try query.where("age > 0").count() == fresh.where("age > 0").count(), "\(what)")
    #expect(query.outline == fresh.outline, "\(what)")
  }

  @Test("gives the same statement, values and objects, whichever way it is written")
  func everyDoor() throws {
    var formed = 0
    for entry in DoorCase.all {
      for (door, condition) in [("text", entry.text)] + entry.others {
        let expected = try fresh(condition)
        for _ in 0..<4 {
          let query = students.where(condition)
          if case .formed = query.condition { formed += 1 }
          try expectSame(query, as: expected, "\(door): \(entry.format)")
        }
      }
    }
    #expect(formed > 100)
  }

  @Test(
    "takes other values, nil among them, for what they are",
    arguments: [
      "age == %@", "age != %@", "age < %@", "%@ < age", "!(age >= %@)", "age BETWEEN {%@, 9}",
      "note == %@", "note != %@", "!(note == %@)", "note ==[c] %@", "note == %@ || age == 7",
      "note == nil && name != %@", "isActive && note != %@", "name == %d", "age == %d", "age == %f",
      "objectID == %@",
    ])
  func otherValues(format: String) throws {
    let values: [Any?] = [
      7, 8, nil, 7.0, 7.5, "7", "Ed", nil, "ed", "ED", Double.nan, Double.infinity, 1e300,
      Int64.max, true, [7], "caf\u{E9}", "cafe\u{301}", nil, 9,
    ]
    for value in values + values.reversed() {
      let what = "\(format) \(value ?? "nil")"
      let query = Result {
        let query = students.where(format, value)
        try query.validate()
        return query
      }
      let expected = Result {
        try fresh(ObjectCondition(Condition.parse(format), arguments: [ConditionArgument(value)]))
      }
      switch (query, expected) {
      case (.success(let query), .success(let expected)):
        try expectSame(query, as: expected, what)
      case (.failure(let error), .failure(let other)):
        #expect((error as? VaultError)?.message == (other as? VaultError)?.message, "\(what)")
      default: Issue.record("\(what): \(query), \(expected)")
      }
    }
    #expect(throws: VaultError.self) { try students.where(format).validate() }
    #expect(throws: VaultError.self) { try students.where(format, 7, 7).validate() }
  }

  @Test("keeps room for the values that stand before it in a statement") func parameters() throws {
    let ids = (1...900).map(Int64.init)
    for _ in 0..<4 {
      let query = students.where("age == %@", 7)
        .where("objectID IN %@", ids).where("name != %@", "x")
      #expect(try query.all().map(\.name) == ["Cy"])
    }
  }
}
