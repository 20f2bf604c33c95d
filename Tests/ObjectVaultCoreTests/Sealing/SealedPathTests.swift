import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import TestSupport
import Testing

/// The ways of sealed values through the library.
@Suite("Sealed values on every way")
struct SealedPathTests {
  private let folder: TemporaryFolder
  private let vault: Vault
  private let patients: ObjectStore<Patient>
  private let stored: [Patient]

  init() throws {
    folder = try TemporaryFolder()
    vault = try Vault(
      at: folder.file("a.vault"), key: .ofTests, configuration: .sealing(try .ofTests(1)))
    patients = try vault.store(of: Patient.self)
    let patients = patients
    stored = try (0..<3).map { try patients.insert(Patient("P\($0)", "D\($0)", email: "\($0)")) }
  }

  @Test(
    "Cursors, first, finding several and partial objects read them",
    .covers("E1"))
  func reading() throws {
    var found: [Patient] = []
    try patients.query.forEach { found.append($0) }
    #expect(found == stored)
    let cursor = try patients.where("name != 'P1'").cursor()
    #expect(try cursor.next() == stored[0])
    #expect(try patients.query.first() == stored[0])
    #expect(try patients.find(ids: [1, 3]) == [stored[0], stored[2]])
    let objects = try vault.store(named: "Patient")
    let partial = try objects.query.all(only: "diagnosis", "visits")
    #expect(try partial.map { try $0.value(of: "diagnosis") } == stored.map { .text($0.diagnosis) })
    #expect(try partial[0].value(of: "visits") == .integer(3))
    #expect(try objects.all().map { try $0.value(of: "email") } == stored.map { .text($0.email!) })
  }

  @Test("Streams and observers read them", .covers("E1"))
  func sequences() async throws {
    var streamed: [Patient] = []
    for try await patient in try patients.query.stream() { streamed.append(patient) }
    #expect(streamed == stored)
    for try await seen in patients.query.observe() {
      #expect(seen == stored)
      break
    }
  }

  @Test("JSON and dictionaries of objects contain them", .covers("E1"))
  func exchange() throws {
    let json = try patients.json(of: stored[0])
    #expect(String(decoding: json, as: UTF8.self).contains("D0"))
    #expect(try patients.object(fromJSON: json) == stored[0])
    #expect(try patients.values(of: stored[1])["diagnosis"] == .text("D1"))
  }

  @Test("Changes of an object are found in plaintext and written sealed", .covers("E1"))
  func changes() throws {
    var changed = stored[0]
    changed.note = "new"
    changed.email = "z"
    #expect(try patients.updateChanges(of: changed, from: stored[0]) == ["note", "email"])
    #expect(try patients.find(1) == changed)
    #expect(try patients.updateChanges(of: changed, from: changed) == [])
    try patients.update(contentsOf: stored)
    #expect(try patients.all() == stored)
    try patients.update(contentsOf: [changed], only: "email")
    #expect(try patients.where("email == 'z'").first()?.note == nil)
    let row = try vault.transaction { try patients.save(changed) }
    #expect(row == changed)
    #expect(try patients.where("email IN {'z', '1'}").remove() == 2)
    #expect(try patients.all() == [stored[2]])
  }

  @Test("A rolled back insert is sealed for its number when it is inserted again", .covers("E1"))
  func rollback() throws {
    try? vault.transaction {
      #expect(try patients.insert(Patient("X", "x")).objectID == 4)
      throw CancellationError()
    }
    let again = try patients.insert(Patient("Y", "y"))
    #expect(again.objectID == 5)
    #expect(try patients.find(5) == again)
    try patients.remove(again)
    #expect(try patients.insert(Patient("Z", "z")).objectID == 6)
  }

  @Test("A findable property of another class is found across a reference", .covers("E4"))
  func associations() throws {
    let visit = ClassDescription(
      "Visit", properties: [PropertyDescription("patient", type: .int64)],
      references: [ReferenceDescription("patient", target: "Patient")])
    let visits = try vault.store(of: visit, with: [Patient.classDescription])
    for id in [1, 2, 2] {
      var object = try DynamicObject(of: visit)
      try object.set("patient", to: .integer(Int64(id)))
      try visits.insert(object)
    }
    #expect(try visits.where("patient.email == '1'").count() == 2)
    #expect(try visits.where("patient.email != '1'").count() == 1)
    #expect(try visits.where("patient.email IN {'0', '9'}").count() == 1)
    let error = #expect(throws: VaultError.self) {
      try visits.where("patient.diagnosis == 'D1'").count()
    }
    #expect(error?.message.contains("patient.diagnosis") == true)
    #expect(throws: VaultError.self) {
      try visits.query.sorted(by: Sort(spelling: "patient.email")).all()
    }
  }

  @Test("A history names the sealed properties that changed, and contains no value", .covers("E3"))
  func history() throws {
    var description = ClassDescription.sealedNote()
    description.options.history = .changes
    let notes = try vault.store(of: description)
    var note = try DynamicObject(of: description).setting("text", "MARKER-1")
    try notes.insert(note)
    try note.set("text", to: .text("MARKER-2"))
    try notes.update(note)
    let changes = try vault.changes(since: nil, ofClassesNamed: ["Note"]).changes
    #expect(changes.map(\.properties) == [[], ["text"]])
    #expect(!"\(changes)".contains("MARKER"))
  }

  @Test("Backups, rewritten and salvaged files have the same sealed values", .covers("E1"))
  func copies() throws {
    let (backup, salvaged) = (folder.file("b.vault"), folder.file("s.vault"))
    try vault.backup(to: backup)
    try vault.rekey(to: .raw(hex: String(repeating: "11", count: 32)))
    #expect(try patients.all() == stored)
    vault.close()
    _ = try DatabaseFile(at: backup, key: .ofTests).salvage(to: salvaged)
    for path in [backup, salvaged] {
      let copy = try Vault(at: path, key: .ofTests, configuration: .sealing(try .ofTests(1)))
      let store = try copy.store(of: Patient.self)
      #expect(try store.all() == stored)
      #expect(try store.where("email == '2'").count() == 1)
      copy.close()
      let wrong = try Vault(at: path, key: .ofTests, configuration: .sealing(try .ofTests(2)))
      #expect(throws: VaultError.self) { try wrong.store(of: Patient.self) }
      wrong.close()
    }
  }

  @Test("Saving an owner writes only the sealed objects that differ", .covers("E1", "J68"))
  func owned() throws {
    let folders = try vault.store(of: Binding.self)
    try folders.insert(
      Binding("f", sheets: [Binding.Sheet("a", text: "x"), Binding.Sheet("b", text: nil)]))
    var found = try #require(try folders.find("f"))
    #expect(try vault.recorded { try folders.update(found) } == [])
    found.sheets?[1].name = "c"
    #expect(try vault.recorded { try folders.update(found) } == ["updated 2 name"])
    found.sheets?[0].text = "z"
    #expect(try vault.recorded { try folders.update(found) } == ["updated 1 text"])
    found.sheets?.swapAt(0, 1)
    #expect(try vault.recorded { try folders.update(found) } == [])
    #expect(try folders.find("f")?.sheets?.map(\.text) == [nil, "z"])
    // A damaged value is replaced.
    try vault.runAsOtherProgram("UPDATE Sheet SET text = x'00' WHERE objectID = 1")
    try folders.update(found)
    #expect(try folders.find("f")?.sheets?.map(\.text) == [nil, "z"])
  }

  @Test("No index of a sealed property is suggested", .covers("E5"))
  func suggestions() throws {
    let explained = try patients.where("note == nil").explain()
    #expect(!"\(explained)".contains("@Indexed"))
  }
}

/// A class that owns objects with a sealed property and a history.
private struct Binding: StoredObject {
  var name: String
  var sheets: [Sheet]?

  init(_ name: String, sheets: [Sheet]) { (self.name, self.sheets) = (name, sheets) }

  static let classDescription = ClassDescription(
    "Binding",
    members: [
      .property(.init("name", String.self)),
      .owned("sheets", Sheet.self, reference: "binding", ordered: true),
    ], objectID: ["name"])
  static let referenceTarget = ReferenceTarget(table: "Binding", columns: ["name"])
  static var referencedClasses: [any StoredObject.Type] { [Sheet.self] }
  static var ownedProperties: [OwnedProperty<Binding>] { [.many(\.sheets, by: \Sheet.binding)] }
  init(row: Row) throws { name = try row.value(at: 0) }
  func encode(into binder: Binder) throws { try binder.bind(name, at: 0) }
  var storedObjectID: String? { name }

  struct Sheet: StoredObject, GeneratesObjectID {
    var objectID: Int64?
    var name: String
    var text: String?
    var binding: Ref<Binding>?

    init(_ name: String, text: String?) { (self.name, self.text) = (name, text) }

    static let classDescription = ClassDescription(
      "Sheet",
      members: [
        .property(.init("name", String.self)),
        .property(.init("text", String?.self).sealed()),
        .reference("binding", Ref<Binding>?.self, onDelete: .cascade),
      ], options: TableOptions(history: .changes))
    static let referenceTarget = ReferenceTarget(table: "Sheet")
    static var referencedClasses: [any StoredObject.Type] { [Binding.self] }
    init(row: Row) throws {
      name = try row.value(at: 0)
      text = try row.value(at: 1)
      binding = try row.value(at: 2)
      objectID = try row.value(at: 3)
    }
    func encode(into binder: Binder) throws {
      try binder.bind(name, at: 0)
      try binder.bind(text, at: 1)
      try binder.bind(binding, at: 2)
    }
  }
}
