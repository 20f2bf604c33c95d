import Foundation
import ObjectVault
import TestSupport
import Testing

/// The Swift of the README's tour, line by line as it stands there.
@Suite("The README's tour") struct TourTests {
  @Stored
  struct Student {
    var name: String
    @Indexed var age: Int
    var tags: [String] = []
  }

  @Stored
  struct Course {
    @ObjectID var code: String
    var title: String
    var begins: Date?
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

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// `Vault(at:key:)` of the tour, in the folder of this test.
  private func Vault(at path: String, key: VaultKey) throws -> ObjectVault.Vault {
    try ObjectVault.Vault(at: folder.file(path), key: key)
  }

  @Test("holds no line that is not here")
  func whole() throws {
    let missing = try GuideSnippets.missing("README.md", in: #filePath)
    // The manifest of another package, which Examples/Roster has.
    #expect(missing.filter { !GuideSnippets.manifest.contains($0) } == [])
    #expect(try GuideSnippets.lines(of: "README.md").count > 50)
  }

  @Test("does what it says")
  func tour() throws {
    let many = [Student(name: "Bob", age: 18), Student(name: "Ada", age: 6)]
    let vault = try Vault(at: "school.vault", key: .passphrase("correct horse"))
    let students = try vault.store(of: Student.self)

    let li = try students.insert(Student(name: "Li", age: 20))
    try students.insert(contentsOf: many)

    let adults =
      try students
      .where("name != %@ && age >= %@", "Bob", 18)
      .sorted(by: "age", "name").range(offset: 0, length: 20)
      .all()
    #expect(adults.map(\.name) == ["Li"])
    let grown = try students.where { $0.name != "Bob" && $0.age >= 18 }.count()
    let also = try students.where(#Predicate { $0.age >= 18 }).exists()
    #expect(grown == 1 && also)

    if let id = li.objectID, var same = try students.find(id) {
      same.age += 1
      try students.update(same)
      #expect(try students.find(id)?.age == 21)
      try students.remove(same)
    }

    try vault.transaction {
      try students.where("age < 7").remove()
    }
    #expect(try students.all().map(\.name) == ["Bob"])

    let classrooms = try vault.store(of: Classroom.self)
    try classrooms.insert(Classroom(name: "1a", pupils: [Pupil(name: "Li"), Pupil(name: "Bo")]))
    let found = try classrooms.where("ANY pupils.name BEGINSWITH 'L'").all()
    #expect(found.first?.pupils?.map(\.name) == ["Li", "Bo"])
    try classrooms.remove(id: "1a")
    #expect(try vault.store(of: Pupil.self).count() == 0)
    #expect(try vault.store(of: Course.self).count() == 0)
  }

  @Test("has an asynchronous form of every operation")
  func asynchronous() async throws {
    let late = Student(name: "Late", age: 9)
    let students = try await Vault(at: "school.vault", key: .raw(1...32)).store(of: Student.self)
    try await students.insert(late)
    #expect(try await students.count() == 1)
  }

  @Test("gives further keys, and makes copies")
  func keys() throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("copies"), withIntermediateDirectories: false)
    let vault = try Vault(at: "school.vault", key: .keyring(.passphrase("correct horse")))
    try vault.open()
    if let keyring = try vault.keyring {
      try keyring.addSlot("ben", .passphrase("of Ben"), unlockedBy: .passphrase("correct horse"))
      let code = try keyring.addRecoveryCode(unlockedBy: .passphrase("correct horse"))
      #expect(code.withUnsafeBytes { $0.count } == 55)
    }
    try vault.rotate(unlockedBy: .passphrase("correct horse"))
    #expect(try vault.keyring?.slots().count == 3)
    try copy(vault)
  }

  /// `vault.backup(to:)` of the tour goes into a folder beside the program.
  private func copy(_ vault: ObjectVault.Vault) throws {
    struct Copying {
      let vault: ObjectVault.Vault
      let folder: TemporaryFolder
      func backup(to path: String) throws { try vault.backup(to: folder.file(path)) }
    }
    let vault = Copying(vault: vault, folder: folder)
    try vault.backup(to: "copies/school.vault")
    #expect(FileManager.default.fileExists(atPath: folder.file("copies/school.vault.keyring")))
  }
}
