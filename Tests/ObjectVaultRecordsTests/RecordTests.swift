import Foundation
import ObjectVaultRecords
import TestSupport
import Testing

@Suite("Operations on the object") struct RecordTests {
  private let school: School

  init() throws { school = try School() }

  @Test("a struct is saved, read anew, updated and removed by itself", .covers("P53", "P77"))
  func structs() throws {
    try school.use {
      var li = Student(name: "Li", age: 20)
      #expect(try !li.isStored())
      try li.insert()
      #expect(li.objectID == 1)
      #expect(try li.isStored())
      li.age = 21
      try li.save()
      var same = try #require(try Student.find(1))
      #expect(same == li)
      try Student.where("age == 21").update(set: ["note": "x"])
      #expect(try same.reloaded().note == "x" && same.note == nil)
      try same.reload()
      #expect(same.note == "x")
      same.name = "not this"
      same.age = 22
      try same.update(only: "age")
      try same.update(only: \.age)
      #expect(try Student.first()?.name == "Li" && Student.first()?.age == 22)
      try same.update()
      #expect(try Student.first()?.name == "not this")
      try same.remove()
      #expect(try !same.isStored())
      var new = Student(name: "Bo")
      try new.save()
      // A number is not given twice.
      #expect(new.objectID == 2)
    }
  }

  @Test("a class's objects keep their identity, and one read anew is another")
  func classes() throws {
    try school.use {
      let note = Note("a")
      try note.insert()
      #expect(note.objectID == 1)
      note.text = "b"
      try note.save()
      #expect(try Note.all().map(\.text) == ["b"])
      var variable = note
      note.text = "c"
      try variable.reload()
      #expect(variable !== note && variable.text == "b")
      try variable.remove()
      #expect(try Note.count() == 0)
      let course = Course("a")
      #expect(try !course.isStored())
      try course.save()
      #expect(try course.isStored())
    }
  }

  @Test("what has no objectID or no row is refused", .covers("A16", "P77"))
  func misuse() throws {
    try school.use {
      var li = Student(name: "Li")
      #expect(code { try li.update() } == .noObjectID)
      #expect(code { try li.remove() } == .noObjectID)
      #expect(code { try li.reload() } == .noObjectID)
      #expect(code { try Student.store().updateChanges(of: li, from: li) } == .noObjectID)
      #expect(code { try li.updateChanges { $0.age = 3 } } == .noObjectID)
      #expect(li.age == 0)
      li.objectID = 7
      #expect(code { try li.update() } == .noSuchObject)
      #expect(code { try li.remove() } == .noSuchObject)
      #expect(code { try li.reload() } == .noSuchObject)
      #expect(code { try li.updateChanges { $0.age = 3 } } == .noSuchObject)
      #expect(li.age == 0)
      #expect(try !li.isStored())
      try li.insert()
      #expect(code { try li.update(only: "agee") } == .noSuchProperty)
      #expect(code { try li.update(only: \.note) } == .noSuchProperty)
      #expect(code { try li.insert() } == .duplicate)
    }
  }

  @Test("the class finds its objects by every kind of condition", .covers("A25", "A53"))
  func finding() throws {
    try school.use {
      let ids = try Student.store().insert(contentsOf: [
        Student(name: "Li", age: 20), Student(name: "Bo", age: 6), Student(name: "Al", age: 30),
      ])
      #expect(ids == [1, 2, 3])
      #expect(try Student.where("age >= %@", 18).count() == 2)
      #expect(try Student.where { $0.age >= 18 && $0.name == "Li" }.count() == 1)
      #expect(try Student.where(Where("age").isAtLeast(18)).sorted(by: "age").first()?.name == "Li")
      #expect(try Student.where(#Predicate { $0.age < 18 }).all().map(\.name) == ["Bo"])
      #expect(try Student.store().find(ids: [3, 9, 1]).map(\.name) == ["Al", "Li"])
      #expect(try Student.find(9) == nil && Student.first()?.name == "Li")
      #expect(try Student.store().contains(id: 2) && !Student.store().contains(id: 9))
      #expect(try Student.all().count == 3)
      #expect(try Student.store().sorted(by: "name").all().count == 3)
      #expect(try Student.store().classDescription.name == "Student")
    }
  }

  @Test("batches are one transaction, of the class", .covers("P77"))
  func batches() throws {
    try school.use {
      let courses = try Course.store()
      try courses.save(contentsOf: [Course("a"), Course("b")])
      #expect(code { try courses.insert(contentsOf: [Course("c"), Course("a")]) } == .duplicate)
      #expect(
        code { try courses.update(contentsOf: [Course("a", title: "x"), Course("z")]) }
          == .noSuchObject)
      #expect(try Course.all().map(\.title) == ["", ""])
      try courses.update(contentsOf: [Course("a", title: "x")])
      #expect(code { try courses.remove(contentsOf: [Course("a"), Course("z")]) } == .noSuchObject)
      #expect(try Course.find("a")?.title == "x")
      try courses.remove(contentsOf: [Course("a")])
      try courses.save(contentsOf: [Course("c"), Course("d"), Course("e")])
      try courses.remove(id: "b")
      try courses.remove(ids: ["c", "d"])
      #expect(try Course.all().map(\.code) == ["e"])
      #expect(try courses.removeAll() == 1)
    }
  }

  @Test("one operation goes to another vault, named or given", .covers("A54", "A55"))
  func elsewhere() throws {
    try school.use {
      let course = Course("a")
      try course.save(in: "backup")
      #expect(try Course.count() == 0 && Course.count(in: "backup") == 1)
      #expect(try !course.isStored() && course.isStored(in: "backup"))
      let name: String? = nil
      try course.insert(in: name)
      course.title = "x"
      try course.update(in: "backup")
      #expect(try Course.find("a")?.title == "")
      #expect(try course.reloaded(in: "backup").title == "x")
      #expect(
        try Course.store(in: "main").updateChanges(of: course, from: Course("a")) == ["title"])
      #expect(try Course.where("title == 'x'", in: "main").exists())
      try course.remove(in: "main")
      #expect(try Course.count() == 0 && Course.count(in: "backup") == 1)

      let other = try Vault(at: school.path("other"), key: School.key)
      var li = Student(name: "Li")
      try li.insert(in: other)
      #expect(try Student.count() == 0 && Student.count(in: other) == 1)

      #expect(code { try course.save(in: "nowhere") } == .noSuchVault)
      let error = failure { try li.save(in: "backup") }
      #expect(error?.code == .noSuchVault && error?.message.contains("'Student'") == true)
      struct Odd: VaultSource {}
      #expect(code { try li.save(in: Odd()) } == .invalidArgument)
    }
  }

  private struct Failure: Error {}

  @Test("a transaction of the class is undone as a whole", .covers("P77"))
  func transactions() throws {
    try school.use {
      #expect(throws: Failure.self) {
        try Course.transaction {
          try Course("a").save()
          #expect(try Course.count() == 1)
          throw Failure()
        }
      }
      #expect(try Course.count() == 0)
      let count = try Course.transaction(deferringReferences: true) {
        try Course("a").save()
        return try Course.count()
      }
      #expect(count == 1)
      try Course.read {
        let before = try Course.count()
        try Course("b").save()
        #expect(try Course.count() == before)
      }
      #expect(try Course.count() == 2)
    }
  }

  @Test("an attempt of the class is kept where it answers yes", .covers("A45", "P77"))
  func attempts() async throws {
    try await Vaults.$current.withValue(school.vaults) {
      try keptAttempts()
      let kept = try await Course.transaction(in: "backup") {
        try Course.attempt {
          try Course("b").save()
          return false
        }
      }
      #expect(!kept)
    }
  }

  private func keptAttempts() throws {
    let kept = try Course.attempt {
      try Course("a").save()
      return true
    }
    let undone = try Course.attempt {
      try Course("b").save()
      return false
    }
    #expect(try kept && !undone && Course.count() == 1)
  }

  @Test("inside a transaction of a named vault, operations go to that", .covers("A54"))
  func transactionElsewhere() throws {
    try school.use {
      #expect(throws: Failure.self) {
        try Course.transaction(in: "backup") {
          try Course("a").save()
          // Another class, and a transaction inside.
          try Note.transaction { try Note("x").save() }
          try Course("b").save(in: "main")
          #expect(try Course.count() == 1 && Course.count(in: "main") == 1)
          throw Failure()
        }
      }
      let copies = try Course.count(in: "backup")
      #expect(try copies == 0 && Note.count() == 0 && Course.all().map(\.code) == ["b"])
    }
  }

  @Test("every operation has a form that waits without blocking", .covers("P77"))
  func asynchronous() async throws {
    try await Vaults.$current.withValue(school.vaults) {
      var li = Student(name: "Li", age: 1)
      try await li.save()
      #expect(li.objectID == 1)
      li.age = 2
      try await li.save()
      let given = li
      li = try await Student.transaction {
        var li = given
        #expect(try li.updateChanges { $0.age = 3 } == ["age"])
        #expect(li.age == 3)
        let snapshot = try ObjectSnapshot(of: li)
        let old = li
        #expect(try Student.store().updateChanges(of: li, since: snapshot) == [])
        li.note = "x"
        #expect(try Student.store().updateChanges(of: li, from: old) == ["note"])
        li.name = "y"
        try li.update(only: \.age)
        try li.update(only: "age")
        try li.reload()
        #expect(li.name == "Li" && li.age == 3 && li.note == "x")
        try li.update()
        return li
      }
      let stored = li
      try await Student.read { () throws in
        #expect(try stored.isStored())
        #expect(try [Student.find(1), Student.first()] == [stored, stored])
        #expect(try Student.store().contains(id: 1))
      }
      #expect(try await Student.where("age == 3").all() == [li])
      try await Student.transaction {
        try stored.remove()
        let students = try Student.store()
        let ids = try students.insert(contentsOf: [Student(name: "a"), Student(name: "b")])
        #expect(try students.find(ids: ids) == Student.all())
        try students.remove(ids: ids)
      }
      let note = Note("a")
      try await note.save()
      note.text = "b"
      try await note.save()
      #expect(try await Note.where("text == %@", "b").count() == 1)
      try await Note.transaction {
        let note = try #require(try Note.first())
        #expect(try note.updateChanges { $0.text = "c" } == ["text"])
        #expect(try Note.all().map(\.text) == ["c"])
        try note.remove()
        #expect(try Note.store().removeAll() == 0)
      }
      try await Course.transaction(in: "backup") {
        try Course.store(in: "backup").save(contentsOf: [Course("a")])
      }
      #expect(try await Course.read(in: "backup") { try Course.count() } == 1)
      #expect(try await Course.read { try Course.count() } == 0)
      await #expect(throws: VaultError.self) { try await Course("a").save(in: "nowhere") }
      let counts = try await Course.transaction(in: "backup") {
        try Course("b").save()
        return [try Course.count(), try Course.count(in: "main")]
      }
      #expect(counts == [2, 0])
      #expect(try await Course.read(in: "backup") { try Course.count() } == 2)
    }
  }
}
