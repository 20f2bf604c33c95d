package import Foundation
package import ObjectVaultCore

/// A class with properties that are sealed by a key that can be destroyed.
package struct Donor: StoredObject, GeneratesObjectID, Hashable, Sendable {
  package var objectID: Int64?
  package var key: String
  package var name: String
  package var iban: String?
  package var gifts: [Int]?

  package init(_ name: String, key: String? = nil, iban: String? = nil, gifts: [Int]? = [7]) {
    (self.name, self.key, self.iban, self.gifts) = (name, key ?? name, iban, gifts)
  }

  package static let classDescription = ClassDescription(
    "Donor",
    properties: [
      PropertyDescription("iban", String?.self).sealed(by: "key"),
      PropertyDescription("key", String.self),
      PropertyDescription("name", String.self),
      PropertyDescription("gifts", [Int]?.self).sealed(by: "key"),
    ], indexes: [IndexDescription(["name"], unique: true)])

  package init(row: Row) throws {
    iban = try row.value(at: 0)
    key = try row.value(at: 1)
    name = try row.value(at: 2)
    gifts = try row.value(at: 3)
    objectID = try row.value(at: 4)
  }

  package func encode(into binder: Binder) throws {
    try binder.bind(iban, at: 0)
    try binder.bind(key, at: 1)
    try binder.bind(name, at: 2)
    try binder.bind(gifts, at: 3)
  }
}

extension ErasableKeys {
  /// The keys in `persons.keys` of a folder.
  package static func ofTests(in folder: URL) throws -> ErasableKeys {
    try ErasableKeys(
      at: folder.appendingPathComponent("persons.keys").path,
      key: .raw(hex: String(repeating: "3c", count: 32)))
  }
}

extension VaultConfiguration {
  /// A configuration with sealing key 1 and erasable keys.
  package static func erasing(_ keys: ErasableKeys?) throws -> VaultConfiguration {
    var configuration = VaultConfiguration.sealing(try .ofTests(1))
    configuration.erasableKeys = keys
    return configuration
  }
}
