import Foundation
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultServer
import ObjectVaultSession
import TestSupport
import Testing

@Suite("Sealed properties on a PostgreSQL server", .enabled(if: Server.address != nil))
struct SealedServerTests {
  private let schema = Server.newSchema()

  private func vault(
    _ keys: SealingKeys?, connection: String = "tests"
  ) throws -> SharedVault {
    var configuration = SharedVaultConfiguration()
    configuration.schema = schema
    configuration.sealingKeys = keys
    return try SharedVault(
      at: "\(try #require(Server.address)) application_name=\(connection)",
      configuration: configuration)
  }

  private func stored(_ column: String, in vault: SharedVault) throws -> [StoredValue] {
    try vault.opened().read { session in
      try session.with("SELECT \(column) FROM \"Patient\" ORDER BY ov_seq") { statement in
        try statement.rows { $0.storedValue(at: 0) }
      }
    }
  }

  @Test("Objects are read as they were stored, in every way of writing", .covers("E1"))
  func roundTrip() throws {
    let vault = try vault(.ofTests(1))
    defer { vault.close() }
    let patients = try vault.store(of: Patient.self)
    let (ada, written) = try patients.writeInEveryWay()
    try patients.changeID(of: 99, to: 120)
    var bob = written
    bob.objectID = 120
    #expect(try patients.find(120) == bob)
    try patients.insert(Patient("Cy", ""))
    try patients.replace(Patient("Di", "old", email: "d@x"))
    try patients.replace(Patient("Di", "new", email: "d@x"))
    #expect(try patients.where("email == 'd@x'").all().map(\.diagnosis) == ["new"])
    try patients.where("name == 'Di'").remove()
    #expect(try patients.all().compactMap(\.objectID).sorted() == (1...21).map { $0 } + [120, 121])
    #expect(try patients.find(1) == ada)
    for case .blob(let bytes) in try stored("diagnosis", in: vault) {
      #expect(bytes.prefix(5) == [1, 0, 0, 0, 1])
    }
    #expect(try stored("note", in: vault).allSatisfy { $0 == .null })
  }

  @Test("A findable property is found, and is unique without its value in the error", .covers("E4"))
  func findable() throws {
    let vault = try vault(.ofTests(1))
    defer { vault.close() }
    let patients = try vault.store(of: Patient.self)
    for (name, email) in [("Ada", "a@x"), ("Bob", "b@x")] {
      try patients.insert(Patient(name, "gout", email: email))
    }
    #expect(try patients.where("email == 'b@x'").all().map(\.name) == ["Bob"])
    #expect(try patients.where("email IN {'a@x', 'c@x'}").all().map(\.name) == ["Ada"])
    #expect(try patients.where("email != 'a@x'").all().map(\.name) == ["Bob"])
    let error = try #require(throws: VaultError.self) {
      try patients.insert(Patient("Cy", "flu", email: "a@x"))
    }
    #expect(error.code == .duplicate)
    #expect(error.propertyNames == ["email"])
    #expect(!"\(error) \(String(describing: error.underlying))".contains("a@x"))
    #expect(throws: VaultError.self) { try patients.where("diagnosis == 'gout'").all() }
  }

  @Test("A missing or wrong key is an error when the class is first used", .covers("E6"))
  func wrongKeys() throws {
    let first = try vault(.ofTests(1))
    try first.store(of: Patient.self).insert(Patient("Ada", "gout"))
    first.close()
    for (keys, code) in [(nil, VaultError.Code.noKey), (try SealingKeys.ofTests(2), .wrongKey)] {
      let other = try vault(keys, connection: keys == nil ? "none" : "wrong")
      defer { other.close() }
      let error = try #require(throws: VaultError.self) { try other.store(of: Patient.self) }
      #expect(error.code == code)
    }
    let later = try vault(.ofTests(1, 2), connection: "later")
    defer { later.close() }
    let patients = try later.store(of: Patient.self)
    try patients.insert(Patient("Bob", "cold"))
    #expect(try patients.all().map(\.diagnosis) == ["gout", "cold"])
  }

  @Test("A value that is moved to another object does not open", .covers("E2")) func moved() throws
  {
    let vault = try vault(.ofTests(1))
    defer { vault.close() }
    let patients = try vault.store(of: Patient.self)
    try patients.insert(Patient("Ada", "gout"))
    try patients.insert(Patient("Bob", "cold"))
    try vault.opened().withWriter { session in
      try session.execute(
        "UPDATE \"Patient\" SET diagnosis = (SELECT diagnosis FROM \"Patient\" WHERE name = 'Bob')")
    }
    #expect(try #require(throws: VaultError.self) { try patients.find(1) }.code == .damaged)
    #expect(try patients.find(2)?.diagnosis == "cold")
  }

  @Test("The values of a removed property follow a changed object ID", .covers("E2", "E8"))
  func changedID() throws {
    let vault = try vault(.ofTests(1))
    defer { vault.close() }
    let full = ClassDescription.sealedNote()
    let less = ClassDescription("Note", properties: [full.properties[0]], objectID: ["id"])
    var note = try DynamicObject(of: full)
    try note.set("id", to: .text("a"))
    try note.set("text", to: .text("gout"))
    try vault.store(of: full).insert(note)
    try vault.store(of: less)
      .changeID(of: DynamicObjectID(.text("a")), to: DynamicObjectID(.text("b")))
    let read = try #require(try vault.store(of: full).first())
    #expect(read.allValues == [.text("b"), .text("gout")])
  }

  @Test("The sealing keys of a vault's keyring seal the values of a server") func keyring() throws {
    let folder = try TemporaryFolder()
    let keys = try Vault(
      at: folder.file("keys.vault"), key: .keyring(.passphrase("words of a test")))
    try keys.open()
    let sealing = try #require(try keys.openKeyring())
      .sealingKeys(unlockedBy: .passphrase("words of a test"))
    let first = try vault(sealing)
    try first.store(of: Patient.self).insert(Patient("Ada", "gout"))
    first.close()
    let second = try vault(
      VaultKeyring(ofVaultAt: folder.file("keys.vault"))
        .sealingKeys(unlockedBy: .passphrase("words of a test")), connection: "second")
    defer { second.close() }
    #expect(try second.store(of: Patient.self).all().map(\.diagnosis) == ["gout"])
  }
}
