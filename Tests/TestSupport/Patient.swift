package import Foundation
package import ObjectVaultCore

/// A class with a sealed property of each form.
package struct Patient: StoredObject, GeneratesObjectID, Hashable, Sendable {
  package var objectID: Int64?
  package var name: String
  package var diagnosis: String
  package var note: String?
  package var weight = 70.5
  package var visits: Int? = 3
  package var born = Date(timeIntervalSince1970: 1)
  package var scan = Data([1, 2, 3])
  package var tags = ["a", "b"]
  package var email: String?

  package init(_ name: String, _ diagnosis: String, note: String? = nil, email: String? = nil) {
    (self.name, self.diagnosis, self.note, self.email) = (name, diagnosis, note, email)
  }

  package static let classDescription = ClassDescription(
    "Patient",
    properties: [
      PropertyDescription("name", String.self),
      PropertyDescription("diagnosis", String.self).sealed(),
      PropertyDescription("note", String?.self).sealed(),
      PropertyDescription("weight", Double.self).sealed(),
      PropertyDescription("visits", Int?.self).sealed(.findable),
      PropertyDescription("born", Date.self).sealed(),
      PropertyDescription("scan", Data.self).sealed(),
      PropertyDescription("tags", [String].self).sealed(),
      PropertyDescription("email", String?.self).sealed(.findable),
    ], indexes: [IndexDescription(["email"], unique: true)])

  package init(row: Row) throws {
    name = try row.value(at: 0)
    diagnosis = try row.value(at: 1)
    note = try row.value(at: 2)
    weight = try row.value(at: 3)
    visits = try row.value(at: 4)
    born = try row.value(at: 5)
    scan = try row.value(at: 6)
    tags = try row.value(at: 7)
    email = try row.value(at: 8)
    objectID = try row.value(at: 9)
  }

  package func encode(into binder: Binder) throws {
    try binder.bind(name, at: 0)
    try binder.bind(diagnosis, at: 1)
    try binder.bind(note, at: 2)
    try binder.bind(weight, at: 3)
    try binder.bind(visits, at: 4)
    try binder.bind(born, at: 5)
    try binder.bind(scan, at: 6)
    try binder.bind(tags, at: 7)
    try binder.bind(email, at: 8)
  }
}

extension SealingKeys {
  /// Sealing keys for tests: each number is a key of its own.
  package static func ofTests(_ numbers: UInt32...) throws -> SealingKeys {
    func key(_ number: UInt32) -> Secret {
      Secret(copying: [UInt8](repeating: UInt8(number), count: 32))
    }
    var keys = try SealingKeys(key(numbers[0]), number: numbers[0])
    for number in numbers.dropFirst() { keys = try keys.adding(key(number), number: number) }
    return keys
  }
}

extension VaultConfiguration {
  /// A configuration with sealing keys.
  package static func sealing(_ keys: SealingKeys?) -> VaultConfiguration {
    var configuration = VaultConfiguration()
    configuration.sealingKeys = keys
    return configuration
  }
}

extension ClassDescription {
  /// A class described at run time with one sealed property.
  package static func sealedNote(
    _ sealing: Sealing? = .hidden, table: String = "Note", column: String = "text",
    renamedFrom: [String] = [], columnFrom: [String] = [], type: PropertyType = .string
  ) -> ClassDescription {
    var text = PropertyDescription(
      "text", column: column, type: type, isOptional: true, renamedFrom: columnFrom)
    text.sealing = sealing
    return ClassDescription(
      "Note", table: table,
      properties: [PropertyDescription("id", type: .string), text],
      objectID: ["id"], renamedFrom: renamedFrom)
  }
}
