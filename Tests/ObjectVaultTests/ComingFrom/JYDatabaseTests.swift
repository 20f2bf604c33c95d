import Foundation
import ObjectVault
import TestSupport
import Testing

/// The Swift of the page, line by line as it stands there.
@Suite("The page for those who come from JYDatabase") struct ComingFromJYDatabaseTests {
  @Stored
  struct Grade {
    @ObjectID var name: String
    @Owned(by: \Classroom.grade) var classrooms: [Classroom]?
  }

  @Stored
  struct Classroom {
    @ObjectID var name: String
    @Owned(by: \Person.led) var teacher: Person?
    @Owned(by: \Person.classroom, sortedBy: \Person.number) var students: [Person]?
    @Reference(onDelete: .cascade) var grade: Ref<Grade>?
  }

  @Stored(insertionTime: true)
  struct Person {
    @ObjectID var number: String
    @Column(length: .atMost(512)) var motto: String?
    var isActive: Bool = true
    var age: Int = 0
    @Reference(onDelete: .cascade) var classroom: Ref<Classroom>?
    @Reference(onDelete: .cascade) var led: Ref<Classroom>?
  }

  private let folder: TemporaryFolder
  private let key = VaultKey.raw(1...32)
  private let lastYear = Date(timeIntervalSince1970: 1_000_000_000)

  init() throws { folder = try TemporaryFolder() }

  @Test("says what runs")
  func runs() throws {
    let path = folder.file("a.vault")
    var configuration = VaultConfiguration()
    configuration.schema = VaultSchema(
      version: 2, classes: [Grade.self, Classroom.self, Person.self]
    )
    .creating { context in
      try context.database.store(of: Person.self).insert(Person(number: "1"))
    }
    .step(from: 1) { context in
      try context.execute("UPDATE \"Person\" SET \"age\" = 0 WHERE \"age\" < ?", 0)
    }
    let vault = try Vault(at: path, key: key, configuration: configuration)
    let grades = try vault.store(of: Grade.self)
    let people = try vault.store(of: Person.self)
    #expect(try people.all().map(\.number) == ["1"])
    try grades.save(
      Grade(
        name: "7",
        classrooms: [
          Classroom(
            name: "7a", teacher: Person(number: "20"), students: [Person(number: "12")])
        ]))
    let wanted = Where("number").isAtLeast("12").and("isActive").isTrue.and("number").isLess(
      than: "30")
    let found = try people.where(wanted).sorted(by: "isActive", .descending("age")).all()
    let both = try people.find(ids: ["12", "20"])
    #expect(Set(found.map(\.number)) == ["12", "20"])
    #expect(both.map(\.number) == ["12", "20"])
    #expect(try grades.find("7")?.classrooms?.first?.teacher?.number == "20")
    try people.removeAll(insertedBefore: lastYear)
    #expect(try people.count() == 3)
    try grades.remove(id: "7")
    #expect(try people.all().map(\.number) == ["1"])
  }

  @Test("holds no line that is not here")
  func whole() throws {
    #expect(try GuideSnippets.missing("Guides/ComingFromJYDatabase.md", in: #filePath) == [])
    #expect(try GuideSnippets.lines(of: "Guides/ComingFromJYDatabase.md").count > 40)
  }
}
