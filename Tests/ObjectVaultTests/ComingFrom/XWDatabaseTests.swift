import Foundation
import ObjectVault
import TestSupport
import Testing

/// The Swift of the page, line by line as it stands there.
@Suite("The page for those who come from XWDatabase") struct ComingFromXWDatabaseTests {
  @Stored(table: "person")
  struct Person {
    @ObjectID var cardID: String
    var name: String = ""
    @Column("years") var age: Int = 0
    var friends: [String] = []
    var book: Book?
    @Ignored var isSelected: Bool = false
  }

  struct Book: Codable, Equatable {
    var title: String
    var pages: [Int]
  }

  @Test("says what runs")
  func runs() async throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("a.vault"), key: .raw(1...32))
    let people = try await vault.store(of: Person.self)
    try await people.save(Person(cardID: "1", name: "Li", book: Book(title: "Ways", pages: [7])))
    try await vault.transaction {
      try people.save(contentsOf: (2..<100).map { Person(cardID: "\($0)", age: $0) })
      try people.update(Person(cardID: "2", name: "Bo"), only: "name")
    }
    let one = try await people.find("81")
    let old = try await people.where("name LIKE %@ || age > '50'", "%wei")
      .sorted(by: .descending("age")).all()
    #expect(one?.age == 81)
    #expect(old.count == 49 && old.first?.age == 99)
    #expect(try await people.find("1")?.book == Book(title: "Ways", pages: [7]))
    #expect(try await people.find("2")?.age == 2)
    try await vault.transaction {
      try people.where("age > %@", 50).remove()
      try people.remove(id: "1")
    }
    #expect(try await people.count() == 49)
  }

  @Test("holds no line that is not here")
  func whole() throws {
    #expect(try GuideSnippets.missing("Guides/ComingFromXWDatabase.md", in: #filePath) == [])
    #expect(try GuideSnippets.lines(of: "Guides/ComingFromXWDatabase.md").count > 20)
  }
}
