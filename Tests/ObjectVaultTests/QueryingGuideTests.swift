import Foundation
import ObjectVault
import TestSupport
import Testing

/// The Swift of the guide "Querying", line by line as it stands there.
@Suite("The guide to querying") struct QueryingGuideTests {
  @Stored
  struct Classroom {
    @ObjectID var name: String
    var floor: Int = 0
    @Owned(by: \Student.classroom, sortedBy: \Student.seat) var students: [Student]?
  }

  @Stored
  struct Student {
    var name: String
    @Indexed var age: Int
    var seat: Int?
    var note: String?
    var isActive: Bool = true
    @Reference(onDelete: .cascade) var classroom: Ref<Classroom>?
  }

  enum ByHand {
    struct Properties: ObjectProperties {
      let origin: PropertyOrigin
      var title: Property<String> { origin.property("title") }
      var room: RelatedObject<Classroom> { origin.object("room") }
    }
  }

  private let folder: TemporaryFolder
  private let classrooms: ObjectStore<Classroom>
  private let students: ObjectStore<Student>

  init() throws {
    folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("school.vault"), key: .raw(1...32))
    classrooms = try vault.store(of: Classroom.self)
    students = try vault.store(of: Student.self)
    try classrooms.insert(contentsOf: [
      Classroom(
        name: "1a", floor: 1,
        students: [
          Student(name: "Li", age: 6, seat: 1, note: "Late"),
          Student(name: "Bo", age: 8, seat: 2, isActive: false),
        ]),
      Classroom(name: "2a", floor: 2, students: [Student(name: "Lea", age: 19, note: "late")]),
    ])
    try students.insert(Student(name: "Ada", age: 18, seat: 4))
  }

  @Test("holds no line that is not here")
  func whole() throws {
    // The sections on queries stand in the second, which needs no macros.
    let tests = [
      "Tests/ObjectVaultTests/QueryingGuideTests.swift",
      "Tests/ObjectVaultCoreTests/Querying/QueryingGuideTests.swift",
    ]
    #expect(try GuideSnippets.missing("Guides/Querying.md", inAnyOf: tests) == [])
    #expect(try GuideSnippets.lines(of: "Guides/Querying.md").count > 40)
  }

  @Test("says of members what they choose")
  func members() throws {
    #expect(
      try students.where { $0.age >= 18 && $0.name.hasPrefix("L") }.all()
        .map(\.name) == ["Lea"])
    #expect(
      try students.where { $0.note == nil || $0.note.contains("late", .caseInsensitive) }.count()
        == 4)
    #expect(try students.where { $0.isActive && !($0.seat > 3) }.exists())
    #expect(
      try students.where { 6...8 ~= $0.age && ["Li", "Bo"].contains($0.name) }.all()
        .map(\.name) == ["Li", "Bo"])
    #expect(try students.where { $0.age * 2 + $0.seat > 20 }.all().map(\.name) == ["Ada"])
    #expect(
      try students.where { 6 <= $0.age && "Bo" != $0.name }.all()
        .map(\.name) == ["Li", "Lea", "Ada"])
    #expect(try students.where { $0.classroom.floor >= 2 }.all().map(\.name) == ["Lea"])
    #expect(
      try students.where { $0.classroom == Ref(id: "1a") || $0.classroom == nil }.all()
        .map(\.name) == ["Li", "Bo", "Ada"])
    #expect(
      try classrooms.where { $0.students.any { $0.age < 7 && $0.seat == 1 } }.all()
        .map(\.name) == ["1a"])
    #expect(
      try classrooms.where { room in room.students.all { $0.age > room.floor + 5 } }.all()
        .map(\.name) == ["2a"])
    #expect(
      try classrooms.where { $0.students.count > 3 || $0.students.max(\.age) > 17 }.all()
        .map(\.name) == ["2a"])
    #expect(
      try students.sorted(by: \.classroom.floor.descending, \.name).all()
        .map(\.name) == ["Lea", "Bo", "Li", "Ada"])
  }

  @Test("says of predicates what they choose")
  func predicates() throws {
    #expect(
      try students.where(#Predicate { $0.age >= 18 && $0.name.starts(with: "L") }).all()
        .map(\.name) == ["Lea"])
    #expect(
      try students.where(#Predicate { $0.classroom?.id == "1a" || $0.classroom == nil }).all()
        .count == 3)
    #expect(try students.where(#Predicate { $0.note?.contains("late") ?? false }).count() == 1)
    #expect(
      try students.where(#Predicate { (6...8).contains($0.age) && $0.age * 2 > 13 }).count() == 1)
  }

  @Test("says of conditions made at run time what they choose")
  func chains() throws {
    let wanted = Where("age").isAtLeast(18).and("name").hasPrefix("L")
    let either = try students.where(wanted.or("seat").isNil).all()
    #expect(either.map(\.name) == ["Lea"])
    let young = try classrooms.where(Where.any("students.age").isLess(than: 7)).all()
    #expect(young.map(\.name) == ["1a"])

    var condition = try ObjectCondition("age >= %@", 6)
    condition = condition && Student.condition { $0.isActive }
    condition = try condition && ObjectCondition(#Predicate<Student> { $0.seat != 2 })
    condition =
      condition && ObjectCondition.any(of: ["Li", "Bo"].map { Where("name").hasPrefix($0) })
    let found = try students.where(condition).all()
    #expect(found.map(\.name) == ["Li"])
  }
}
