import Foundation
import ObjectVault
import TestSupport
import Testing

/// The Swift code of the README, line by line.
@Suite("The README's code", .cheapSlots) struct TourTests {
  @Stored
  struct Student {
    var name: String
    @Indexed var age: Int
    var tags: [String] = []
  }

  @Stored
  struct Classroom {
    @ObjectID var name: String
    @Owned(by: \Pupil.classroom, sortedBy: \Pupil.seat) var pupils: [Pupil]?
  }

  @Stored
  struct Pupil {
    var name: String
    var seat: Int = 0
    @Reference(onDelete: .cascade) var classroom: Ref<Classroom>?
  }

  @Stored
  struct Note {
    @Searchable var text: String
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The README's `Vault(at:key:)`, in the folder of this test.
  private func Vault(at path: String, key: VaultKey) throws -> ObjectVault.Vault {
    try ObjectVault.Vault(at: folder.file(path), key: key)
  }

  @Test("Every line of the README is in this file")
  func whole() throws {
    let missing = try GuideSnippets.missing("README.md", in: #filePath)
    // The manifest of another package, which Examples/Roster has.
    #expect(missing.filter { !GuideSnippets.manifest.contains($0) } == [])
    #expect(try GuideSnippets.lines(of: "README.md").count > 50)
  }

  @Test("The first example stores and finds an object")
  func example() throws {
    let vault = try Vault(at: "school.vault", key: .passphrase("correct horse"))
    let students = try vault.store(of: Student.self)
    let li = try students.insert(Student(name: "Li", age: 20))
    let adults = try students.where { $0.age >= 18 }.sorted(by: "name").all()
    #expect(adults.map(\.objectID) == [li.objectID] && li.objectID != nil)
  }

  @Test("The tour stores, queries and removes objects")
  func tour() throws {
    let many = [Student(name: "Bob", age: 18), Student(name: "Ada", age: 6)]
    let vault = try Vault(at: "school.vault", key: .raw(1...32))
    let students = try vault.store(of: Student.self)
    let li = try students.insert(Student(name: "Li", age: 20))

    try students.insert(contentsOf: many)
    let some = try students.where("name != %@ && age >= %@", "Bob", 18).range(length: 20).all()
    let grown = try students.where { $0.name != "Bob" && $0.age >= 18 }.count()
    let also = try students.where(#Predicate { $0.age >= 18 }).exists()
    let last = try students.where(Where("age").isAtLeast(18)).last()
    #expect(some.map(\.name) == ["Li"] && grown == 1 && also && last?.name == "Bob")

    if let id = li.objectID, var same = try students.find(id) {
      same.age += 1
      try students.update(same)
      #expect(try students.find(id)?.age == 21)
      try students.remove(same)
    }

    let names = try vault.rows("SELECT name FROM \(Student.self) WHERE age >= \(18)")
    #expect(try names.map { try $0.value("name", as: String.self) } == ["Bob"])

    try vault.transaction {
      try students.where("age < 7").remove()
    }
    let counts = try vault.read { try (students.count(), students.where("age > 60").count()) }
    #expect(counts == (1, 0))
    let rehearsal = try vault.rehearseMigration(of: [Student.self])
    #expect(rehearsal.refusal == nil && rehearsal.schemaBefore == rehearsal.schemaAfter)
  }

  @Test("The tour's classroom is removed with its pupils")
  func associations() throws {
    let vault = try Vault(at: "school.vault", key: .raw(1...32))
    let classrooms = try vault.store(of: Classroom.self)
    try classrooms.insert(Classroom(name: "1a", pupils: [Pupil(name: "Li"), Pupil(name: "Bo")]))
    let found = try classrooms.where("ANY pupils.name BEGINSWITH 'L'").all()
    #expect(found.first?.pupils?.map(\.name) == ["Li", "Bo"])
    try classrooms.remove(id: "1a")
    #expect(try vault.store(of: Pupil.self).count() == 0)
  }

  @Test("The tour's search finds the note")
  func searching() throws {
    let notes = try Vault(at: "notes.vault", key: .raw(1...32)).store(of: Note.self)
    try notes.insert(contentsOf: [Note(text: "the secret plans"), Note(text: "a secret")])
    let matches = try notes.search("secret plan*").matches()
    #expect(matches.map(\.object.text) == ["the secret plans"])
  }

  @Test("The async forms insert an object and observe a query")
  func asynchronous() async throws {
    let late = Student(name: "Late", age: 6)
    let students = try await Vault(at: "school.vault", key: .raw(1...32)).store(of: Student.self)
    try await students.insert(late)
    var printed: [Int] = []
    func print(_ count: Int) { printed.append(count) }
    for try await children in students.where("age < 7").observe() {
      print(children.count)
      break
    }
    #expect(printed == [1])
  }

  @Test("The tour's keyring gets a slot, and its backup has a keyring")
  func keys() throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("copies"), withIntermediateDirectories: false)
    let shared = try Vault(at: "shared.vault", key: .keyring(.passphrase("battery")))
    try shared.openKeyring()?.addSlot(
      "ben", .passphrase("of Ben"), unlockedBy: .passphrase("battery"))
    #expect(try shared.openKeyring()?.slots().count == 2)
    try copy(shared)
  }

  /// The README's `shared.backup(to:)`, with a path in the folder of this test.
  private func copy(_ vault: ObjectVault.Vault) throws {
    struct Copying {
      let vault: ObjectVault.Vault
      let folder: TemporaryFolder
      func backup(to path: String) throws { try vault.backup(to: folder.file(path)) }
    }
    let shared = Copying(vault: vault, folder: folder)
    try shared.backup(to: "copies/shared.vault")
    #expect(FileManager.default.fileExists(atPath: folder.file("copies/shared.vault.keyring")))
  }
}
