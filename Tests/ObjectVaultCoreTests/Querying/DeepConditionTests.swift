import ObjectVaultCondition
import TestSupport
import Testing

import ObjectVaultCore

@Suite("Deeply nested conditions", .covers("S39")) struct DeepConditionTests {
  private let school: School.Filled

  init() throws { school = try School.Filled() }

  /// Calculations, a reference and aggregates: what takes most room in a comparison.
  private static let comparisons = [
    "room.floor + (1 + (1 + (1 + (1 + (1 + room.floor))))) != 3", "note ==[c] friend.note",
    "!(friend.note ==[c] note)", "fee >= friend.fee", "age IN {room.floor, 2, 3 + 4}",
    "-room.name.length + (1 + room.name.length) % 2 != 3",
    "uppercase(friend.note) LIKE friend.note",
    "ANY friend.tags ==[c] friend.note", "friend.born NOT BETWEEN {now() - 3 days, now()}",
    "friend.tags.@count * 2 > friend.note.length",
  ]

  /// A condition whose every level joins two, by AND and OR in turn.
  private static func branching(_ levels: Int, _ leaf: (Int) -> String) -> String {
    var terms = (0..<(1 << levels)).map(leaf)
    for level in 0..<levels {
      let op = level.isMultiple(of: 2) ? "&&" : "||"
      terms = stride(from: 0, to: terms.count, by: 2).map {
        "(\(terms[$0]) \(op) \(terms[$0 + 1]))"
      }
    }
    return terms[0]
  }

  @Test(
    "are asked in every way, or rejected before the engine is asked", arguments: [1, 4, 8, 10])
  func branching(levels: Int) throws {
    let simple = Self.branching(levels) { "age > \($0 % 30)" }
    let inside = Self.branching(levels) { "students.age > \($0 % 30)" }
    for text in [
      simple, "ANY room.students (room.students.age > 1 && \(simple))", "!(\(simple))",
      levels > 8
        ? simple : Self.branching(levels) { Self.comparisons[$0 % Self.comparisons.count] },
    ] {
      try check(text, of: school.students)
    }
    try check("ANY students (\(inside))", of: school.rooms)
    let outside = Self.branching(3) { _ in "floor > 1" }
    try check("\(outside) || NONE students (\(inside))", of: school.rooms)
  }

  @Test("to the limit of 200 are asked in every way") func chains() throws {
    var text = "age > 3"
    for level in 0..<98 { text = "(\(text)) \(level.isMultiple(of: 2) ? "&&" : "||") age > 1" }
    try check(text, of: school.students)
    for comparison in Self.comparisons {
      try check("NOT (\(text)) || !(\(comparison))", of: school.students)
    }
  }

  @Test("that no parser of an engine has room for are rejected with a place")
  func tooDeep() throws {
    var text = "ANY room.students (\(Self.branching(12) { _ in "age>1" }))"
    for level in 0..<8 { text = "(age>2 \(level.isMultiple(of: 2) ? "&&" : "||") \(text))" }
    let error = #expect(throws: VaultError.self) { try school.students.where(text).exists() }
    #expect(error?.code == .invalidCondition)
    #expect(error?.location?.offset == 0)
    // Put together they are the same.
    let half = school.students.where(Self.branching(12) { _ in "age>1" })
    #expect(throws: Never.self) { try half.or(half).exists() }
  }

  private func check<T: StoredObject & Sendable>(
    _ text: String, of store: ObjectStore<T>, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let query = store.where(text)
    do {
      try query.validate()
    } catch let error as VaultError {
      #expect(error.code == .invalidCondition, sourceLocation: sourceLocation)
      #expect(error.location != nil, sourceLocation: sourceLocation)
      return
    }
    let count = try query.count()
    #expect(try query.exists() == (count > 0), sourceLocation: sourceLocation)
    #expect(try query.all().count == count, sourceLocation: sourceLocation)
    #expect(
      try query.sorted(by: "name").range(length: 100).count() == count,
      sourceLocation: sourceLocation)
    #expect(try query.not().count() == store.count() - count, sourceLocation: sourceLocation)
    // A removal of a part puts the condition into a subquery.
    #expect(try query.range(length: 0).remove() == 0, sourceLocation: sourceLocation)
    _ = try query.explain()
  }
}
