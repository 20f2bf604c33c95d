import ObjectVaultEngine
import TestSupport
import Testing

import ObjectVaultCore

/// A class whose objectID is two properties, written by hand so that others can refer to it.
private struct Shelf: StoredObject, Hashable {
  struct ID: ObjectIDValue {
    var room: String
    var number: Int

    var objectIDParts: [StoredValue] { [.text(room), .integer(Int64(number))] }
    func bindObjectID(to binder: Binder, at position: Int) throws {
      try binder.bind(room, at: position)
      try binder.bind(number, at: position + 1)
    }
    static var objectIDForm: [ObjectIDPart] {
      [ObjectIDPart("room", .string), ObjectIDPart("number", .int)]
    }
    static func readObjectID(from row: Row, at position: Int) throws -> ID {
      try ID(room: row.value(at: position), number: row.value(at: position + 1))
    }
  }

  var room: String
  var number: Int

  init(room: String, number: Int) {
    self.room = room
    self.number = number
  }

  static let classDescription = ClassDescription(
    "Shelf", properties: [.init("room", String.self), .init("number", Int.self)],
    objectID: ["room", "number"])
  init(row: Row) throws {
    room = try row.value(at: 0)
    number = try row.value(at: 1)
  }
  func encode(into binder: Binder) throws {
    try binder.bind(room, at: 0)
    try binder.bind(number, at: 1)
  }
  var storedObjectID: ID? { ID(room: room, number: number) }
}

private struct Book: StoredObject, GeneratesObjectID, Hashable {
  var objectID: Int64?
  var title: String
  var shelf: Ref<Shelf>?
  var pages: Int

  init(_ title: String, shelf: Ref<Shelf>?, pages: Int) {
    self.title = title
    self.shelf = shelf
    self.pages = pages
  }

  static let classDescription = ClassDescription(
    "Book",
    members: [
      .property(.init("title", String.self)),
      .reference("shelf", Ref<Shelf>?.self, column: "place", onDelete: .nullify),
      .property(.init("pages", Int.self)),
    ])
  static var referencedClasses: [any StoredObject.Type] { [Shelf.self] }
  init(row: Row) throws {
    title = try row.value(at: 0)
    var position = 1
    shelf = try row.reference(advancing: &position)
    pages = try row.value(at: position)
    objectID = try row.value(at: position + 1)
  }
  func encode(into binder: Binder) throws {
    try binder.bind(title, at: 0)
    var position = 1
    try binder.bind(reference: shelf, advancing: &position)
    try binder.bind(pages, at: position)
  }
}

@Suite("A reference") struct ReferenceTests {
  @Test("is stored as the objectID, and gives the object back", .covers("S65", "A49"))
  func stored() throws {
    let test = try TestVault()
    let pupils = try test.vault.store(of: Pupil.self)
    let room = try test.vault.store(of: Classroom.self).insert(Classroom("1a", floor: 2))
    let pupil = try pupils.insert(Pupil(objectID: nil, name: "Li", classroom: Ref(room)))
    #expect(try pupils.find(1) == pupil)
    #expect(try pupil.classroom?.object(in: test.vault) == room)
    #expect(try test.vault.store(of: Classroom.self).find(Ref(id: "1a")) == room)
    #expect(try pupils.where("classroom == %@", Ref<Classroom>(id: "1a")).all() == [pupil])
    #expect(try pupils.where("classroom == '1b'").all().isEmpty)
    #expect(try test.rows("SELECT * FROM \"Pupil\"") == [[.integer(1), .text("Li"), .text("1a")]])
    #expect(code { _ = try Ref(Branch()) } == .noObjectID)
  }

  @Test("has the tables of all classes made that can be reached by it")
  func reachable() throws {
    let test = try TestVault()
    _ = try test.vault.store(of: Pupil.self)
    #expect(try test.vault.classes() == [Classroom.classDescription, Pupil.classDescription])
    #expect(
      try test.rows("SELECT name FROM sqlite_master WHERE name = 'ov_Pupil__classroom'").count == 1)
  }

  @Test("to a composite objectID takes a column for each part")
  func composite() throws {
    let test = try TestVault()
    let books = try test.vault.store(of: Book.self)
    let shelf = try test.vault.store(of: Shelf.self).insert(Shelf(room: "A", number: 7))
    let placed = try books.insert(Book("x", shelf: Ref(shelf), pages: 10))
    let loose = try books.insert(Book("y", shelf: nil, pages: 20))
    #expect(try books.all() == [placed, loose])
    #expect(
      Book.classDescription.properties.map(\.column) == [
        "title", "place_room", "place_number", "pages",
      ])
    #expect(try books.where("shelf_number == 7").all() == [placed])
    #expect(
      code { try books.insert(Book("z", shelf: Ref(id: .init(room: "A", number: 8)), pages: 1)) }
        == .danglingReference)
    try test.vault.store(of: Shelf.self).remove(shelf)
    #expect(try books.all().map(\.shelf) == [nil, nil])
  }

  @Test(
    "to something that is not stored is refused by the operation itself, outside a transaction and inside"
  )
  func dangling() throws {
    let test = try TestVault()
    let pupils = try test.vault.store(of: Pupil.self)
    try test.vault.store(of: Classroom.self).insert(Classroom("1a"))
    var good = try pupils.insert(Pupil("Li", in: "1a"))
    func refusals() {
      #expect(code { try pupils.insert(Pupil("Bo", in: "1b")) } == .danglingReference)
      var bad = good
      bad.classroom = Ref(id: "1b")
      #expect(code { try pupils.update(bad) } == .danglingReference)
      #expect(code { try pupils.update(bad, only: "classroom") } == .danglingReference)
      #expect(code { try pupils.save(bad) } == .danglingReference)
      #expect(code { try pupils.replace(bad) } == .danglingReference)
      #expect(
        code { try pupils.insert(contentsOf: [Pupil("a", in: "1a"), Pupil("b", in: "1b")]) }
          == .danglingReference)
      #expect(code { try pupils.save(contentsOf: [good, bad]) } == .danglingReference)
      #expect(code { try pupils.update(contentsOf: [good, bad]) } == .danglingReference)
      #expect(
        code { try pupils.update(contentsOf: [good, bad], only: "classroom") }
          == .danglingReference)
      let text = message { try pupils.insert(Pupil("secret", in: "hidden")) }
      #expect(text.contains("'Pupil'") && text.contains("'classroom'"), "\(text)")
      #expect(!text.contains("hidden") && !text.contains("secret"))
      bad.objectID = 99
      #expect(code { try pupils.update(bad) } == .danglingReference)
      bad.classroom = nil
      #expect(code { try pupils.update(bad) } == .noSuchObject)
    }
    refusals()
    // What an operation was refused for is undone, and the transaction goes on.
    try test.vault.transaction {
      refusals()
      good.name = "Lo"
      try pupils.update(good, only: "name")
      try pupils.insert(Pupil("Al", in: nil))
    }
    #expect(try pupils.all().map(\.name) == ["Lo", "Al"])
    #expect(try pupils.all().map(\.classroom) == [Ref(id: "1a"), nil])
  }

  @Test("may wait for its object inside a batch, and until the end of a transaction that says so")
  func deferred() throws {
    let test = try TestVault()
    let branches = try test.vault.store(of: Branch.self)
    try branches.insert(contentsOf: [Branch(2, parent: 1), Branch(1)])
    try branches.save(contentsOf: [Branch(4, parent: 3), Branch(3, parent: 4)])
    #expect(try branches.count() == 4)
    try test.vault.transaction(deferringReferences: true) {
      try branches.insert(Branch(6, parent: 5))
      try branches.update(Branch(2, parent: 8), only: "parent")
      var branch = Branch(2, parent: 7)
      try branches.update(branch)
      branch.parent = Ref(id: 5)
      try branches.update(branch)
      try branches.insert(Branch(5))
    }
    #expect(try branches.count() == 6)
    let error = #expect(throws: VaultError.self) {
      try test.vault.transaction(deferringReferences: true) {
        try branches.insert(Branch(8, parent: 9))
      }
    }
    #expect(error?.code == .danglingReference)
    #expect(error?.message.contains("'parent'") == true)
    #expect(try branches.count() == 6)
    // The transaction around may keep what it did before.
    func inner() throws {
      try test.vault.transaction(deferringReferences: true) {
        _ = try branches.insert(Branch(8, parent: 9))
      }
    }
    try test.vault.transaction {
      _ = try branches.insert(Branch(10))
      #expect(code { try inner() } == .danglingReference)
      #expect(code { try branches.insert(Branch(8, parent: 9)) } == .danglingReference)
    }
    #expect(try branches.count() == 7)
  }

  @Test("follows a changed objectID")
  func changedID() throws {
    let test = try TestVault()
    let pupils = try test.vault.store(of: Pupil.self)
    let rooms = try test.vault.store(of: Classroom.self)
    try rooms.insert(Classroom("1a"))
    try pupils.insert(Pupil("Li", in: "1a"))
    try rooms.changeID(of: "1a", to: "2a")
    #expect(try pupils.all().map(\.classroom) == [Ref(id: "2a")])
  }

  @Test("an object put in the place of another keeps those that refer to it", .covers("J37"))
  func replaced() throws {
    let test = try TestVault()
    let pupils = try test.vault.store(of: Pupil.self)
    let rooms = try test.vault.store(of: Classroom.self)
    try rooms.insert(Classroom("1a"))
    try pupils.insert(Pupil("Li", in: "1a"))
    try rooms.replace(Classroom("1a", floor: 3))
    try rooms.replace(Classroom("1b", floor: 4))
    #expect(try pupils.count() == 1)
    #expect(try rooms.all() == [Classroom("1a", floor: 3), Classroom("1b", floor: 4)])
  }

  @Test("one in the way of a unique property is removed by its rules")
  func replacedOther() throws {
    let test = try TestVault()
    var account = ClassDescription(
      "Account", properties: [.init("number", type: .int64)],
      indexes: [IndexDescription(["number"], unique: true)])
    account.objectID = .generated
    let accounts = try test.vault.store(of: account)
    let entries = try test.vault.store(of: node("Entry", ("account", "Account", .cascade)))
    let watchers = try test.vault.store(of: node("Watcher", ("account", "Account", .deny)))
    var first = try DynamicObject(of: account)
    try first.set("number", to: .integer(7))
    try accounts.insert(first)
    var entry = try DynamicObject(of: entries.classDescription)
    try entry.set("account", to: .integer(1))
    try entries.insert(entry)
    try accounts.replace(first)
    #expect(try test.rows("SELECT * FROM \"Account\"") == [[.integer(2), .integer(7)]])
    #expect(try entries.count() == 0)
    var watcher = try DynamicObject(of: watchers.classDescription)
    try watcher.set("account", to: .integer(2))
    try watchers.insert(watcher)
    #expect(code { try accounts.replace(first) } == .removalDenied)
    #expect(try accounts.count() == 1)
  }

  @Test("of the replacing object replaces the stored one before others are removed")
  func replacedByReferrer() throws {
    let test = try TestVault()
    let description = ClassDescription(
      "Node",
      properties: [
        .init("code", type: .int64), .init("up", type: .int64, isOptional: true),
        .init("first", type: .int64, isOptional: true),
      ], indexes: [IndexDescription(["code"], unique: true)],
      references: [
        .init("up", target: "Node", onDelete: .cascade),
        .init("first", target: "Node", onDelete: .cascade),
      ])
    let nodes = try test.vault.store(of: description)
    let notes = try test.vault.store(of: node("Note", ("node", "Node", .cascade)))
    func insert(_ code: Int64, up: Int64?, first: Int64?) throws -> DynamicObject {
      var object = try DynamicObject(of: description)
      try object.set("code", to: .integer(code))
      try object.set("up", to: up.map { .integer($0) } ?? .null)
      try object.set("first", to: first.map { .integer($0) } ?? .null)
      return try nodes.insert(object)
    }
    _ = try insert(1, up: nil, first: nil)
    _ = try insert(2, up: nil, first: nil)
    var object = try insert(3, up: 1, first: 2)
    var note = try DynamicObject(of: notes.classDescription)
    try note.set("node", to: .integer(3))
    try notes.insert(note)
    try object.set("code", to: .integer(1))
    // It would still refer to an object that it replaces.
    #expect(code { try nodes.replace(object) } == .danglingReference)
    try object.set("up", to: .null)
    try nodes.replace(object)
    #expect(try notes.count() == 1)
    #expect(
      try test.rows("SELECT * FROM \"Node\"") == [
        [.integer(2), .integer(2), .null, .null], [.integer(3), .integer(1), .null, .integer(2)],
      ])
  }

  @Test("that SQL has stored before its object does not affect an object with sound references")
  func danglingByOthers() throws {
    let test = try TestVault()
    let pupils = try test.vault.store(of: Pupil.self)
    let rooms = try test.vault.store(of: Classroom.self)
    try rooms.insert(Classroom("1a"))
    let sql: SQLStatement = "INSERT INTO Pupil (name, classroom) VALUES ('Li', '1b')"
    try test.vault.transaction {
      try test.vault.execute(sql)
      try pupils.insert(Pupil("Bo", in: "1a"))
      #expect(code { try pupils.insert(Pupil("Al", in: "1c")) } == .danglingReference)
      try rooms.insert(Classroom("1b"))
    }
    #expect(try pupils.all().map(\.name) == ["Li", "Bo"])
    let failure = code {
      try test.vault.transaction {
        try test.vault.execute(sql)
        try rooms.remove(id: "1b")
        try test.vault.execute(sql)
        try pupils.insert(Pupil("Al", in: "1a"))
      }
    }
    #expect(failure == .danglingReference)
    #expect(try pupils.count() == 2)
  }

  @Test("to a class that is not stored, or to something else than its objectID, is refused")
  func unknownTarget() throws {
    let test = try TestVault()
    let lone = node("Lone", ("other", "Other", .cascade))
    #expect(message { _ = try test.vault.store(of: lone) }.contains("'Other', which is not stored"))
    #expect(try test.vault.classes().isEmpty)
    let other = ClassDescription("Other", properties: [.init("id", type: .int64)], objectID: ["id"])
    #expect(
      message { _ = try test.vault.store(of: lone, with: [other]) }.contains(
        "but the object ID of that class is 'id'"))
    _ = try test.vault.store(of: other)
    #expect(
      message { _ = try test.vault.store(of: lone) }.contains(
        "but the object ID of that table is 'id'"))
    let there = node("There", ("back", "Back", .cascade))
    let back = node("Back", ("there", "There", .cascade))
    _ = try test.vault.store(of: there, with: [back])
    #expect(try test.vault.classes().map(\.name) == ["Back", "Other", "There"])
  }

  @Test("keeps the table that it refers to from being removed")
  func removedStore() throws {
    let test = try TestVault()
    let pupils = try test.vault.store(of: Pupil.self)
    try test.vault.store(of: Classroom.self).insert(Classroom("1a"))
    try pupils.insert(Pupil("Li", in: "1a"))
    #expect(code { try test.vault.removeStore(of: Classroom.self) } == .constraint)
    #expect(try pupils.count() == 1)
    try test.vault.removeStore(of: Pupil.self)
    try test.vault.removeStore(of: Classroom.self)
    #expect(try test.vault.classes().isEmpty)
  }
}
