import Foundation
import ObjectVault
import TestSupport
import Testing

/// The code of the guide "Sealed properties"; its lines are compared with the guide.
@Suite("The guide to sealed properties")
struct SealedPropertiesGuideTests {
  @Stored
  struct Patient {
    var name: String
    @Sealed var diagnosis: String
    @Sealed var note: String?
    @Sealed(.findable) @Indexed(unique: true) var insuranceNumber: String
  }

  @Stored
  struct Card {
    enum Sex: String, CaseIterable { case female, male }

    @ObjectID var number: Int
    @Sealed var sex: Sex
    @Sealed(.findable(acceptingFrequencies: true)) var isMember: Bool
    @Sealed var tags: [String] = []
    @Sealed(.findable) var score: Double?
  }

  @Stored
  struct Person {
    var key: UUID = UUID()
    var name: String
    @Sealed(by: \Person.key) var iban: String?
  }

  @Stored
  final class Account {
    @ObjectID var number: Int64
    var owner: String
    @Sealed(by: \Account.owner) var note: [String]?
    @Sealed(by: \Account.number) var limit: Int?

    init(number: Int64, owner: String) { (self.number, self.owner) = (number, owner) }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("Its code runs", .covers("E1", "E4", "E6"))
  func guide() throws {
    let path = folder.file("a.vault")
    let key = VaultKey.raw(hex: String(repeating: "5a", count: 32))
    let sealingKey = [UInt8](repeating: 1, count: 32)
    let laterKey = [UInt8](repeating: 2, count: 32)
    var configuration = VaultConfiguration()
    configuration.sealingKeys = try SealingKeys(Secret(copying: sealingKey))
    do {
      let vault = try Vault(at: path, key: key, configuration: configuration)
      let patients = try vault.store(of: Patient.self)
      try patients.insert(
        Patient(name: "Ada", diagnosis: "gout", note: nil, insuranceNumber: "756.1"))
      let ada = try patients.where("insuranceNumber == %@", "756.1").first()
      #expect(ada?.diagnosis == "gout")
      vault.close()
    }
    configuration.sealingKeys = try SealingKeys(Secret(copying: sealingKey))
      .adding(Secret(copying: laterKey), number: 2)
    let vault = try Vault(at: path, key: key, configuration: configuration)
    let patients = try vault.store(of: Patient.self)
    #expect(try patients.where { $0.insuranceNumber == "756.1" }.count() == 1)
    #expect(try patients.where(#Predicate { $0.insuranceNumber == "756.1" }).count() == 1)
    let error = #expect(throws: VaultError.self) {
      try patients.where { $0.diagnosis == "gout" }.count()
    }
    #expect(error?.code == .invalidCondition)
    #expect(throws: VaultError.self) {
      try patients.where(#Predicate { $0.diagnosis == "gout" }).count()
    }
    #expect(throws: VaultError.self) {
      let table = ClassTable(Patient.self)
      _ = try vault.rows(Select(table.diagnosis).from(table))
    }
  }

  @Test("Properties of every kind are sealed", .covers("E1"))
  func kinds() throws {
    var configuration = VaultConfiguration()
    configuration.sealingKeys = try SealingKeys(Secret(copying: [UInt8](repeating: 1, count: 32)))
    let vault = try Vault.inMemory(configuration: configuration)
    let cards = try vault.store(of: Card.self)
    let card = Card(number: 7, sex: .female, isMember: true, tags: ["a"], score: 2)
    try cards.insert(card)
    let found = try cards.where { $0.isMember && $0.score == 2 }.first()
    #expect(found?.sex == .female)
    #expect(found?.tags == ["a"])
    #expect(throws: VaultError.self) { try cards.where { $0.score > 1 }.count() }
  }

  @Test("Keys can be destroyed", .covers("E11"))
  func erasableKeys() throws {
    let (path, pathOfKeys) = (folder.file("a.vault"), folder.file("persons.keys"))
    let key = VaultKey.raw(hex: String(repeating: "5a", count: 32))
    let keyOfKeys = VaultKey.raw(hex: String(repeating: "3c", count: 32))
    var configuration = VaultConfiguration()
    configuration.sealingKeys = try SealingKeys(Secret(copying: [UInt8](repeating: 1, count: 32)))
    let persons = try ErasableKeys(at: pathOfKeys, key: keyOfKeys)
    configuration.erasableKeys = persons
    let vault = try Vault(at: path, key: key, configuration: configuration)
    let store = try vault.store(of: Person.self)
    let ada = try store.insert(Person(name: "Ada", iban: "CH93"))
    try store.insert(Person(name: "Bob", iban: "CH94"))
    #expect(try store.find(1)?.iban == "CH93")
    try persons.destroy(ada.key)
    #expect(try store.all().map(\.iban) == [nil, "CH94"])
    #expect(try store.all().map(\.name) == ["Ada", "Bob"])
    let accounts = try vault.store(of: Account.self)
    let account = Account(number: 7, owner: "Ada")
    (account.note, account.limit) = (["a"], 5)
    try accounts.insert(account)
    try persons.destroy(7)
    let found = try #require(try accounts.find(7))
    #expect(found.note == ["a"])
    #expect(found.limit == nil)
    try persons.destroy("Ada")
    #expect(try accounts.find(7)?.note == nil)
  }

  @Test("Its lines are those of this file")
  func lines() throws {
    #expect(try GuideSnippets.missing("Guides/SealedProperties.md", in: #filePath) == [])
    #expect(try GuideSnippets.lines(of: "Guides/SealedProperties.md").count > 10)
  }
}
