import Foundation
import ObjectVaultCore
import TestSupport
import Testing

/// Values whose key is destroyed, and those of other keys.
@Suite("Values sealed by an erasable key")
struct ErasedValueTests {
  private let folder: TemporaryFolder
  private let keys: ErasableKeys
  private let vault: Vault
  private let donors: ObjectStore<Donor>

  init() throws {
    folder = try TemporaryFolder()
    keys = try .ofTests(in: folder.url)
    vault = try Vault(
      at: folder.file("a.vault"), key: .ofTests, configuration: try .erasing(keys))
    donors = try vault.store(of: Donor.self)
    try donors.insert(Donor("ada", iban: "CH1"))
    try donors.insert(Donor("bob", iban: "CH2"))
  }

  private func donor(_ name: String) throws -> Donor {
    try #require(try donors.where("name == %@", name).first())
  }

  @Test("Destroying a key makes its values nil in the vault and in a backup", .covers("E11"))
  func shredding() throws {
    let copy = folder.file("backup.vault")
    try vault.backup(to: copy)
    let backup = try Vault(at: copy, key: .ofTests, configuration: try .erasing(keys))
    let copied = try backup.store(of: Donor.self)
    for store in [donors, copied] {
      #expect(try store.all().map(\.iban) == ["CH1", "CH2"])
      #expect(try store.all().map(\.gifts) == [[7], [7]])
    }
    #expect(try keys.destroy("ada"))
    for store in [donors, copied] {
      #expect(try store.all().map(\.iban) == [nil, "CH2"])
      #expect(try store.all().map(\.gifts) == [nil, [7]])
      #expect(try store.all().map(\.name) == ["ada", "bob"])
      #expect(try store.where("name == 'ada'").first()?.iban == nil)
    }
    let stored = try vault.rows("SELECT typeof(iban) AS t, hex(substr(iban, 1, 5)) AS h FROM Donor")
    #expect(try stored.map { try $0.value("t", as: String.self) } == ["blob", "blob"])
    #expect(try stored.map { try $0.value("h", as: String.self) } == ["0300000001", "0300000001"])
    vault.close()
    backup.close()
    keys.close()
    let again = try Vault(
      at: folder.file("a.vault"), key: .ofTests,
      configuration: try .erasing(.ofTests(in: folder.url)))
    #expect(try again.store(of: Donor.self).all().map(\.iban) == [nil, "CH2"])
    again.close()
  }

  @Test("A value of a destroyed key cannot be written, and nil can", .covers("E11"))
  func writing() throws {
    try keys.destroy("ada")
    var ada = try donor("ada")
    try donors.update(ada)
    ada.iban = "Xyzzy"
    let error = #expect(throws: VaultError.self) { try donors.update(ada) }
    #expect(error?.code == .keyDestroyed)
    #expect(error.map { !"\($0)".contains("Xyzzy") && !"\($0)".contains("ada") } == true)
    #expect(code { try donors.update(ada, only: "iban") } == .keyDestroyed)
    #expect(code { try donors.insert(Donor("cyd", key: "ada", iban: "CH3")) } == .keyDestroyed)
    #expect(code { try donors.save(ada) } == .keyDestroyed)
    #expect(code { try donors.replace(ada) } == .keyDestroyed)
    try donors.insert(Donor("cyd", key: "ada", gifts: nil))
    // A name that never had a key is marked, too.
    #expect(try !keys.destroy("dan"))
    #expect(try keys.isDestroyed("dan"))
    #expect(code { try donors.insert(Donor("dan", iban: "CH4")) } == .keyDestroyed)
    ada.key = "new"
    try donors.update(ada)
    #expect(try donor("ada").iban == "Xyzzy")
    #expect(try keys.isDestroyed("ada"))
    #expect(try !keys.isDestroyed("new"))
  }

  @Test("A changed name of a key seals the values again, or is rejected", .covers("E11"))
  func renaming() throws {
    var ada = try donor("ada")
    let old = ada
    ada.key = "bob"
    #expect(code { try donors.update(ada, only: "key") } == .invalidArgument)
    #expect(code { try donors.update(ada, only: "key", "iban") } == .invalidArgument)
    #expect(try donor("ada") == old)
    // The stored name counts, not that of the object in memory.
    ada.iban = "CH9"
    try donors.update(ada, only: "iban")
    #expect(try donor("ada").iban == "CH9")
    #expect(try donor("ada").key == "ada")
    try donors.update(contentsOf: [ada], only: "iban")
    #expect(try donor("ada").key == "ada")
    try donors.update(ada, only: "key", "iban", "gifts")
    try keys.destroy("ada")
    #expect(try donor("ada").iban == "CH9")
    let before = try donor("ada")
    ada.key = "third"
    #expect(try donors.updateChanges(of: ada, from: before) == ["key"])
    try keys.destroy("bob")
    #expect(try donor("ada").iban == "CH9")
    #expect(try donor("bob").iban == nil)
    try donors.update(Donor.none(of: try donor("bob")))
    var bob = try donor("bob")
    bob.key = "fourth"
    try donors.update(bob, only: "key")
    #expect(try donor("bob").key == "fourth")
    #expect(
      code { try donors.query.update { $0.set("key", to: "x") } } == .invalidArgument)
    #expect(code { try donors.query.update { $0.set("iban", to: "x") } } == .invalidArgument)
    #expect(try donors.query.update { $0.set("name", toValueOf: "key") } == 2)
  }

  @Test(
    "A number of an object is changed with its values, and without destroyed ones",
    .covers("E11"))
  func changingIDs() throws {
    try donors.changeID(of: 1, to: 11)
    #expect(try donors.find(11)?.iban == "CH1")
    try keys.destroy("ada")
    try donors.changeID(of: 11, to: 12)
    #expect(try donors.find(12)?.name == "ada")
    #expect(try donors.find(12)?.iban == nil)
  }

  @Test("A key can be named by the object ID", .covers("E11"))
  func namedByObjectID() throws {
    let description = ClassDescription(
      "Member",
      properties: [
        PropertyDescription("id", UUID.self),
        PropertyDescription("note", String?.self)
          .sealed(by: "id"),
      ], objectID: ["id"])
    let members = try vault.store(of: description)
    let (one, two) = (UUID(), UUID())
    func member(_ id: UUID) throws -> DynamicObject {
      var object = try DynamicObject(of: description)
      try object.set("id", to: .text(id.uuidString))
      try object.set("note", to: .text("n"))
      return object
    }
    try members.insert(try member(one))
    try members.changeID(
      of: DynamicObjectID(.text(one.uuidString)), to: DynamicObjectID(.text(two.uuidString)))
    try keys.destroy(one)
    #expect(try members.all().map { try $0.value(of: "note") } == [.text("n")])
    try keys.destroy(two)
    #expect(try members.all().map { try $0.value(of: "note") } == [.null])
    try keys.destroy(UUID())
  }

  @Test("Two keys of an object are different if the bytes of their names are", .covers("E11"))
  func twoKeys() throws {
    let description = ClassDescription(
      "Pair",
      properties: [
        PropertyDescription("p", String.self), PropertyDescription("q", String.self),
        PropertyDescription("a", String?.self).sealed(by: "p"),
        PropertyDescription("b", String?.self).sealed(by: "q"),
      ])
    let pairs = try vault.store(of: description)
    var object = try DynamicObject(of: description)
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    for (name, text) in ["p": composed, "q": decomposed, "a": "A", "b": "B"] {
      try object.set(name, to: .text(text))
    }
    try pairs.insert(object)
    try keys.destroy(composed)
    #expect(try !keys.isDestroyed(decomposed))
    let found = try #require(try pairs.all().first)
    #expect(try found.value(of: "a") == .null)
    #expect(try found.value(of: "b") == .text("B"))
  }

  @Test("JSON, dynamic and partial objects contain nil", .covers("E11"))
  func exchange() throws {
    let (ada, bob) = (try donor("ada"), try donor("bob"))
    let old = try donors.json(of: ada)
    try keys.destroy("ada")
    let json = try donors.json(of: try donor("ada"))
    #expect(try donors.object(fromJSON: json).iban == nil)
    #expect(try donors.object(fromJSON: donors.json(of: bob)) == bob)
    #expect(code { try donors.update(try donors.object(fromJSON: old)) } == .keyDestroyed)
    let objects = try vault.store(named: "Donor")
    let partial = try objects.query.all(only: "iban")
    #expect(try partial.map { try $0.value(of: "iban") } == [.null, .text("CH2")])
    #expect(throws: VaultError.self) { try partial[1].value(of: "key") }
    var changed = partial[1]
    try changed.set("iban", to: .text("CH8"))
    try objects.update(changed, only: "iban")
    #expect(try donor("bob").iban == "CH8")
    let selected = try donors.objects(
      "SELECT objectID, name, gifts, key, iban FROM Donor ORDER BY objectID DESC")
    #expect(selected.map(\.iban) == ["CH8", nil])
    let cursor = try donors.query.cursor()
    #expect(try cursor.next()?.iban == nil)
    #expect(try cursor.next()?.iban == "CH8")
    try donors.replace(Donor("bob", key: "bob2", iban: "CH7"))
    #expect(try donor("bob").iban == "CH7")
  }

  @Test("Only comparisons with nil are accepted; they see that a value is stored", .covers("E5"))
  func conditions() throws {
    #expect(code { _ = try donors.where("iban == 'CH1'").count() } == .invalidCondition)
    #expect(code { _ = try donors.query.sorted(by: "iban").all() } == .invalidCondition)
    try keys.destroy("ada")
    #expect(try donors.where("iban != nil").count() == 2)
    #expect(try donors.where("iban == nil").count() == 0)
  }

  @Test("A value in the row of another key, and a damaged one, is an error", .covers("E2"))
  func moving() throws {
    try donors.insert(Donor("cyd", iban: "CH3"))
    try vault.runAsOtherProgram("UPDATE Donor SET key = 'bob' WHERE name = 'ada'")
    #expect(code { _ = try donor("ada") } == .damaged)
    try keys.destroy("bob")
    #expect(try donor("ada").iban == nil)
    try vault.runAsOtherProgram(
      "UPDATE Donor SET iban = substr(iban, 1, 20) || x'00' WHERE name = 'cyd'")
    #expect(code { _ = try donor("cyd") } == .damaged)
    try vault.runAsOtherProgram(
      "UPDATE Donor SET iban = x'01' || substr(iban, 2) WHERE name = 'cyd'")
    #expect(code { _ = try donor("cyd") } == .damaged)
    try vault.runAsOtherProgram("UPDATE Donor SET iban = NULL, key = x'00' WHERE name = 'cyd'")
    #expect(code { _ = try donors.where("name == 'cyd'").first() } == .damaged)
  }

  @Test(
    "SQL by hand changes neither the name of a key nor a value under it", .covers("E2"),
    arguments: [
      "UPDATE Donor SET key = 'eve'", "UPDATE Donor SET KEY = key WHERE 0",
      "UPDATE Donor SET iban = NULL", "UPDATE Donor SET \"objectID\" = 7 WHERE name = 'ada'",
      "INSERT INTO Donor (key, name) VALUES ('eve', 'eve')",
    ])
  func byHand(sql: String) throws {
    #expect(code { try vault.execute(SQLStatement(unchecked: sql)) } == .invalidArgument)
    #expect(try donors.all().map(\.iban) == ["CH1", "CH2"])
    #expect(try vault.execute("UPDATE Donor SET name = 'cyd' WHERE name = 'bob'") == 1)
    #expect(try donor("cyd").iban == "CH2")
  }

  @Test(
    "A key that is destroyed during a read scope or transaction is destroyed there", .covers("E11"))
  func scopes() throws {
    try vault.read {
      #expect(try donors.all().map(\.iban) == ["CH1", "CH2"])
      try keys.destroy("ada")
      #expect(try donors.all().map(\.iban) == [nil, "CH2"])
    }
    var seen: String? = "none"
    let thrown = code {
      try vault.transaction {
        try donors.insert(Donor("cyd", iban: "CH3"))
        try keys.destroy("cyd")
        seen = try donor("cyd").iban
        try donors.insert(Donor("dan", iban: "CH4"))
        throw VaultError(.cancelled, "rolled back")
      }
    }
    #expect(thrown == .cancelled)
    #expect(seen == nil)
    #expect(try donors.count() == 2)
    // The key of a rolled back object remains, and seals the next one.
    try donors.insert(Donor("dan", iban: "CH5"))
    #expect(try donor("dan").iban == "CH5")
    #expect(code { try donors.insert(Donor("cyd", iban: "CH3")) } == .keyDestroyed)
  }

  @Test("Objects are transferred without the keys", .covers("E11", "T1"))
  func transfer() throws {
    let target = try Vault(at: folder.file("b.vault"), key: .ofTests)
    try keys.destroy("ada")
    try ObjectTransfer(from: vault, to: target).run()
    target.close()
    let other = try ErasableKeys(at: folder.file("other.keys"), key: .ofTests)
    let wrong = try Vault(
      at: folder.file("b.vault"), key: .ofTests, configuration: try .erasing(other))
    #expect(code { _ = try wrong.store(of: Donor.self) } == .wrongKey)
    wrong.close()
    let opened = try Vault(
      at: folder.file("b.vault"), key: .ofTests, configuration: try .erasing(keys))
    #expect(try opened.store(of: Donor.self).all().map(\.iban) == [nil, "CH2"])
    opened.close()
  }
}

extension Donor {
  /// The donor without sealed values.
  fileprivate static func none(of donor: Donor) -> Donor {
    var donor = donor
    (donor.iban, donor.gifts) = (nil, nil)
    return donor
  }
}
