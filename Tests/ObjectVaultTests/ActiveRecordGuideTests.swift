import Foundation
import ObjectVault
import ObjectVaultRecords
import TestSupport
import Testing

/// The classes of the guide to active records, line by line as they stand there.
@Suite("The classes of the guide to active records") struct ActiveRecordGuideTests {
  @Stored
  struct Student: Record {
    var name: String
    @Indexed var age: Int
    var note: String?
  }

  @Stored
  final class Course: Record {
    static var vaultName: String? { "main" }
    @ObjectID var code: String
    init(_ code: String) { self.code = code }
  }

  @Stored
  final class Note: Record {
    var text: String
    init(_ text: String) { self.text = text }
  }

  @Test("are stored, found and changed by themselves", .covers("A53", "P77"))
  func classes() throws {
    let folder = try TemporaryFolder()
    try Vaults.$current.withValue(Vaults()) {
      let classes: [any Record.Type] = [Student.self, Course.self, Note.self]
      try Vaults.current.register(at: folder.file("a.vault"), key: .raw(1...32), classes: classes)
      try Vaults.current.start()
      var li = Student(name: "Li", age: 20)
      try li.save()
      #expect(li.objectID == 1)
      li.age = 21
      li.note = "x"
      try li.update(only: \.age)
      try li.reload()
      #expect(li.age == 21 && li.note == nil)
      #expect(try li.updateChanges { $0.note = "late" } == ["note"])
      #expect(try Student.where { $0.age >= 18 && $0.note == "late" }.count() == 1)
      #expect(try Student.where(#Predicate { $0.name == "Li" }).exists())
      let note = Note("a")
      try note.save()
      #expect(note.objectID == 1)
      try Course("maths").save()
      #expect(try Course.find("maths")?.code == "maths")
    }
  }
}
