import Foundation
import ObjectVaultRecords
import TestSupport
import Testing

/// The Swift of the guide "Objects that know their vault", line by line as it stands there; the classes,
/// which need macros, are in the tests of the façade.
@Suite("The guide to active records") struct ActiveRecordGuideTests {
  @Test("holds no line that is not here")
  func whole() throws {
    let tests = [
      "Tests/ObjectVaultRecordsTests/GuideTests.swift",
      "Tests/ObjectVaultTests/ActiveRecordGuideTests.swift",
    ]
    #expect(try GuideSnippets.missing("Guides/ActiveRecord.md", inAnyOf: tests) == [])
    #expect(try GuideSnippets.lines(of: "Guides/ActiveRecord.md").count > 30)
  }

  private let folder: TemporaryFolder
  private let ownVaults = Vaults()
  private let key = VaultKey.raw([UInt8](1...32))
  private let ofBackup = VaultKey.raw([UInt8](2...33))
  private let ofLi = VaultKey.raw([UInt8](3...34))
  private let ofBo = VaultKey.raw([UInt8](4...35))

  init() throws { folder = try TemporaryFolder() }

  private func path(_ path: String) -> String { folder.file(path) }

  private func use<R>(_ body: () throws -> R) throws -> R {
    try Vaults.$current.withValue(ownVaults) {
      let vaults = Vaults.current
      let shared: [any Record.Type] = [Student.self, Course.self]
      try vaults.register(at: path("data/school.vault"), key: key, classes: shared)
      let copies: [any Record.Type] = [Course.self]
      try vaults.register("backup", at: path("data/copies.vault"), key: ofBackup, classes: copies)
      try vaults.register("private", at: path("data/li.vault"), key: ofLi, classes: [Note.self])
      try vaults.start()
      return try body()
    }
  }

  @Test("says of objects what they do")
  func objects() throws {
    try use {
      var li = Student(name: "Li", age: 20)
      try li.save()
      print(li.objectID ?? 0)
      li.age = 21
      try li.update()
      try li.update(only: \.name, \.age)
      try li.reload()
      if try li.isStored() { print("there") }
      #expect(try Student.all() == [li])
      try li.remove()
      #expect(try Student.count() == 0)
    }
  }

  @Test("says of names and values what they make", .covers("A58"))
  func values() throws {
    try use {
      let students = try Student.store()
      var ann = try students.object(from: ["name": "Ann", "age": 7])
      try ann.save()
      let json = try students.json(of: ann)
      let same = try students.object(fromJSON: json)
      #expect(try same == ann && Student.all() == [ann])
      #expect(try students.values(of: ann)["age"] == .integer(7))
      #expect(
        code { try students.object(from: ["name": "Ann", "age": 7, "x": 1]) } == .noSuchProperty)
      let unknown = Data(#"{"name":"Ann","age":7,"x":1}"#.utf8)
      #expect(code { try students.object(fromJSON: unknown) } == .noSuchProperty)
      #expect(try students.object(fromJSON: unknown, ignoringUnknown: true).name == "Ann")
    }
  }

  @Test("says of classes what they find")
  func classes() throws {
    try use {
      let many = [Student(name: "Li", age: 20), Student(name: "Bo", age: 6)]
      try Student.store().insert(contentsOf: many)
      let first = try Student.find(1)
      let adults = try Student.where("age >= %@", 18).sorted(by: "name").all()
      let same = try Student.where { $0.age >= 18 }.count()
      #expect(first?.name == "Li" && adults.count == 1 && same == 1)
      try Student.transaction {
        try Student.where("age < 7").remove()
        try Course("maths").save()
      }
      #expect(try Student.count() == 1 && Course.count() == 1)
    }
  }

  @Test("says of changes what is written")
  func changes() throws {
    try use {
      var li = Student(name: "Li", age: 20)
      try li.save()
      try li.updateChanges { $0.age += 1 }
      let old = li
      li.note = "late"
      let names = try Student.store().updateChanges(of: li, from: old)
      #expect(names == ["note"])
      let note = Note("a")
      try note.save()
      let snapshot = try ObjectSnapshot(of: note)
      note.text = "b"
      if try !snapshot.changes(to: note).isEmpty { try note.update() }
      #expect(try Note.all().map(\.text) == ["b"])
      #expect(try Student.first()?.age == 21 && Student.first()?.note == "late")
    }
  }

  @Test("says of other vaults which are meant")
  func vaults() throws {
    try use {
      let (vaults, course) = (Vaults.current, Course("maths"))
      try course.save(in: "backup")
      let copies = try Course.count(in: "backup")
      try Course.transaction(in: "backup") { try course.save() }
      #expect(try copies == 1 && Course.count() == 0)
      try Note("of Li").save()
      try vaults.replace("private", at: path("data/bo.vault"), key: ofBo)
      #expect(try Note.count() == 0)
      try vaults.unregister("private")
      #expect(code { try Note.count() } == .noSuchVault)
    }
  }

  @Test("says of tests how they have vaults of their own")
  func tests() throws {
    try Vaults.$current.withValue(Vaults()) {
      try Vaults.current.register(at: path("test.vault"), key: key, classes: [Student.self])
      var li = Student(name: "Li")
      try li.save()
      #expect(try Student.count() == 1)
    }
  }
}
