import Foundation
import ObjectVaultCore
import TestSupport
import Testing

/// A class with a generated objectID, conforming by hand.
struct Person: StoredObject, GeneratesObjectID, Hashable, Sendable {
  var objectID: Int64?
  var name: String
  var age: Int
  var note: String?

  init(name: String, age: Int = 0, note: String? = nil) {
    self.name = name
    self.age = age
    self.note = note
  }

  static let classDescription = ClassDescription(
    "Person",
    properties: [
      PropertyDescription("name", String.self), PropertyDescription("age", Int.self),
      PropertyDescription("note", String?.self),
    ])

  init(row: Row) throws {
    name = try row.value(at: 0)
    age = try row.value(at: 1)
    note = try row.value(at: 2)
    objectID = try row.value(at: 3)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(name, at: 0)
    try binder.bind(age, at: 1)
    try binder.bind(note, at: 2)
  }
}

/// A class whose objectID is bound to a text property.
struct Item: StoredObject, Hashable, Sendable {
  var code: String
  var price: Double
  var isSold: Bool?

  init(_ code: String, price: Double = 0, isSold: Bool? = nil) {
    self.code = code
    self.price = price
    self.isSold = isSold
  }

  static let classDescription = ClassDescription(
    "Item",
    properties: [
      PropertyDescription("code", String.self), PropertyDescription("price", Double.self),
      PropertyDescription("isSold", Bool?.self),
    ], objectID: ["code"])

  init(row: Row) throws {
    code = try row.value(at: 0)
    price = try row.value(at: 1)
    isSold = try row.value(at: 2)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(code, at: 0)
    try binder.bind(price, at: 1)
    try binder.bind(isSold, at: 2)
  }

  var storedObjectID: String? { code }
}

/// A class whose objectID is bound to a number that the vault generates where none is given.
struct Ticket: StoredObject, Hashable, Sendable {
  var number: Int?
  var title: String

  init(number: Int? = nil, title: String) {
    self.number = number
    self.title = title
  }

  static let classDescription = ClassDescription(
    "Ticket",
    properties: [
      PropertyDescription("number", Int?.self), PropertyDescription("title", String.self),
    ], objectID: ["number"])

  init(row: Row) throws {
    number = try row.value(at: 0)
    title = try row.value(at: 1)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(number, at: 0)
    try binder.bind(title, at: 1)
  }

  var storedObjectID: Int? { number }

  mutating func assignObjectID(_ id: Int) { number = id }
}

/// A class whose objectID is two properties together.
struct Seat: StoredObject, Hashable, Sendable {
  struct ID: ObjectIDValue {
    var hall: String
    var number: Int

    var objectIDParts: [StoredValue] { [.text(hall), .integer(Int64(number))] }

    func bindObjectID(to binder: Binder, at position: Int) throws {
      try binder.bind(hall, at: position)
      try binder.bind(number, at: position + 1)
    }
  }

  var guest: String?
  var hall: String
  var number: Int

  init(hall: String, number: Int, guest: String? = nil) {
    self.hall = hall
    self.number = number
    self.guest = guest
  }

  static let classDescription = ClassDescription(
    "Seat",
    properties: [
      PropertyDescription("guest", String?.self), PropertyDescription("hall", String.self),
      PropertyDescription("number", Int.self),
    ], objectID: ["hall", "number"])

  init(row: Row) throws {
    guest = try row.value(at: 0)
    hall = try row.value(at: 1)
    number = try row.value(at: 2)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(guest, at: 0)
    try binder.bind(hall, at: 1)
    try binder.bind(number, at: 2)
  }

  var storedObjectID: ID? { ID(hall: hall, number: number) }
}

/// A final class with a generated objectID, and a unique property.
final class Account: StoredObject, GeneratesObjectID {
  var objectID: Int64?
  var owner: String
  var balance: Int

  init(owner: String, balance: Int = 0) {
    self.owner = owner
    self.balance = balance
  }

  static let classDescription = ClassDescription(
    "Account",
    properties: [
      PropertyDescription("owner", String.self), PropertyDescription("balance", Int.self),
    ],
    indexes: [
      IndexDescription(["owner"], unique: true), IndexDescription(["balance", "owner"]),
    ])

  init(row: Row) throws {
    owner = try row.value(at: 0)
    balance = try row.value(at: 1)
    objectID = try row.value(at: 2)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(owner, at: 0)
    try binder.bind(balance, at: 1)
  }
}

/// A vault of its own for one test, in a folder that goes with it.
struct TestVault {
  let folder: TemporaryFolder
  let vault: Vault

  init(_ configuration: VaultConfiguration = VaultConfiguration()) throws {
    folder = try TemporaryFolder()
    vault = try Vault(
      at: folder.file("test.vault"), key: .ofTests, configuration: configuration)
  }

  /// Another handle on the same file.
  func another(_ configuration: VaultConfiguration = VaultConfiguration()) throws -> Vault {
    try Vault(at: vault.path, key: .ofTests, configuration: configuration)
  }

  /// Whether the file exists.
  var fileExists: Bool { FileManager.default.fileExists(atPath: vault.path) }
}
