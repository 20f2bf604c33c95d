import Foundation
import ObjectVaultCore
import ObjectVaultDriver
import TestSupport
import Testing

@Suite("Sealed properties")
struct SealedPropertyTests {
  private let folder: TemporaryFolder
  private let vault: Vault

  init() throws {
    folder = try TemporaryFolder()
    vault = try Vault(
      at: folder.file("a.vault"), key: .ofTests, configuration: .sealing(try .ofTests(1)))
  }

  private func stored(_ column: String, of table: String = "Patient") throws -> [StoredValue] {
    try vault.rows(SQLStatement(unchecked: "SELECT \(column) AS c FROM \(table)")).map {
      try #require($0["c"])
    }
  }

  @Test("Objects are read as they were stored, in every way of writing", .covers("E1"))
  func roundTrip() throws {
    let patients = try vault.store(of: Patient.self)
    let (ada, bob) = try patients.writeInEveryWay()
    try patients.insert(Patient("Cy", ""))
    #expect(try patients.all().map(\.objectID) == (1...21).map { $0 } + [99, 100])
    #expect(try patients.find(99) == bob)
    #expect(try patients.find(1) == ada)
    #expect(try patients.where("name == 'Cy'").first()?.diagnosis == "")
  }

  @Test("A sealed value is stored as different bytes each time, and nil as NULL", .covers("E1"))
  func bytes() throws {
    let patients = try vault.store(of: Patient.self)
    for _ in 0..<2 { try patients.insert(Patient("Ada", "gout")) }
    for column in ["diagnosis", "weight", "born", "scan", "tags", "visits"] {
      let values = try stored(column)
      #expect(Set(values).count == 2)
      for case .blob(let bytes) in values {
        #expect(bytes.prefix(5) == [column == "visits" ? 2 : 1, 0, 0, 0, 1])
      }
      #expect(values.allSatisfy { if case .blob = $0 { true } else { false } })
    }
    #expect(try stored("note") == [.null, .null])
  }

  @Test("A value that is moved to another row, column or table does not open", .covers("E2"))
  func moved() throws {
    let patients = try vault.store(of: Patient.self)
    try patients.insert(Patient("Ada", "gout", note: "n"))
    try patients.insert(Patient("Bob", "cold", note: "m"))
    for change in [
      "diagnosis = (SELECT diagnosis FROM Patient WHERE objectID = 2)", "diagnosis = note",
      "diagnosis = 'plain'", "diagnosis = x''", "diagnosis = x'01'",
      "diagnosis = zeroblob(60)", "objectID = 7", "diagnosis = substr(diagnosis, 1, 36)",
    ] {
      try? vault.transaction {
        try vault.runAsOtherProgram("UPDATE Patient SET \(change) WHERE objectID = 1")
        let error = #expect(throws: VaultError.self) { try patients.all() }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("diagnosis") == true)
        #expect(error?.message.contains("gout") == false)
        throw CancellationError()
      }
    }
    #expect(try patients.all().map(\.diagnosis) == ["gout", "cold"])
  }

  @Test(
    "A sealed value opens if the column of the object ID stores whole numbers as integers",
    .covers("E1"), arguments: [100.0, 100.5])
  func numericObjectID(_ seconds: Double) throws {
    var text = PropertyDescription("text", type: .string)
    text.sealing = .hidden
    let description = ClassDescription(
      "Entry",
      properties: [PropertyDescription("time", Double.self).columnDefined(type: "DATETIME"), text],
      objectID: ["time"])
    let entries = try vault.store(of: description)
    var entry = try DynamicObject(of: description)
    try entry.set("time", to: .real(seconds))
    try entry.set("text", to: .text("secret"))
    try entries.insert(entry)
    #expect(try entries.all() == [entry])
    try entries.changeID(
      of: DynamicObjectID(.real(seconds)), to: DynamicObjectID(.real(seconds + 1)))
    #expect(try entries.first()?.value(of: "text") == .text("secret"))
  }

  @Test("A changed byte of a sealed value is an error", .covers("E2"))
  func changedByte() throws {
    let notes = try vault.store(of: .sealedNote(.findable))
    let note = try DynamicObject(of: .sealedNote(.findable)).setting("text", "secret")
    try notes.insert(note)
    guard case .blob(let bytes)? = try stored("text", of: "Note").first else {
      Issue.record("no bytes")
      return
    }
    for position in bytes.indices {
      var changed = bytes
      changed[position] ^= 1
      try vault.runAsOtherProgram("UPDATE Note SET text = x'\(SQL.hexadecimal(changed))'")
      #expect(throws: VaultError.self) { try notes.all() }
    }
    try vault.runAsOtherProgram("UPDATE Note SET text = x'\(SQL.hexadecimal(bytes))'")
    #expect(try notes.all() == [note])
  }

  @Test("Changing an object ID seals the values again", .covers("E2"))
  func changedID() throws {
    let patients = try vault.store(of: Patient.self)
    var ada = try patients.insert(Patient("Ada", "gout", email: "a@b"))
    try patients.changeID(of: 1, to: 50)
    ada.objectID = 50
    #expect(try patients.find(50) == ada)
    #expect(throws: VaultError.self) { try patients.changeID(of: 1, to: 51) }
    #expect(try patients.insert(Patient("Bob", "x")).objectID == 51)
    #expect(try patients.where("email == 'a@b'").all() == [ada])
  }

  @Test("Changing an object ID leaves other values as they are", .covers("E2"))
  func changedIDOfInvalidText() throws {
    let patients = try vault.store(of: Patient.self)
    try patients.insert(Patient("Ada", "gout"))
    try vault.execute("UPDATE Patient SET name = CAST(x'ff4164' AS TEXT)")
    try patients.changeID(of: 1, to: 50)
    #expect(try vault.value("SELECT hex(name) FROM Patient", as: String.self) == "FF4164")
    #expect(try patients.find(50)?.diagnosis == "gout")
  }

  @Test(
    "No sealed value is in the decrypted file, the log, an error or a printed object",
    .covers("E3"))
  func marker() throws {
    let marker = "XYZZY-SEALED-MARKER"
    let patients = try vault.store(of: Patient.self)
    var patient = Patient("VISIBLE-NAME", marker + "-1", note: marker + "-2", email: marker + "-3")
    patient.tags = [marker]
    patient.scan = Data(marker.utf8)
    try patients.insert(patient)
    patient.objectID = 1
    patient.diagnosis = marker + "-4"
    try patients.update(patient)
    _ = try patients.where("email == %@", marker + "-3").all()
    let error = #expect(throws: VaultError.self) { try patients.insert(patient) }
    #expect(error?.code == .duplicate)
    #expect(!"\(String(describing: error)) \(String(reflecting: error))".contains(marker))
    // The pages of a vault in memory are in plaintext.
    let memory = try Vault.inMemory(configuration: .sealing(try .ofTests(1)))
    let others = try memory.store(of: Patient.self)
    try others.insert(contentsOf: [patient])
    vault.close()
    let plain = folder.file("plain.db")
    try DatabaseFile(at: folder.file("a.vault"), key: .ofTests).decrypt(to: plain)
    let content = try Data(contentsOf: URL(fileURLWithPath: plain))
    #expect(content.holds(Data("VISIBLE-NAME".utf8)))
    #expect(!content.holds(Data(marker.utf8)))
  }
}

extension DynamicObject {
  /// Returns the object with a text and an object ID.
  func setting(_ property: String, _ text: String, id: String = "n") throws -> DynamicObject {
    var object = self
    try object.set("id", to: .text(id))
    try object.set(property, to: .text(text))
    return object
  }
}
