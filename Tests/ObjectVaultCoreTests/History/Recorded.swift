import Foundation
import ObjectVaultCore

/// A class that records its changes.
struct Ledger: StoredObject, GeneratesObjectID, Hashable, Sendable {
  var objectID: Int64?
  var name: String
  var age: Int
  var email: String?

  init(_ name: String, age: Int = 0, email: String? = nil) {
    (self.name, self.age, self.email) = (name, age, email)
  }

  static let classDescription = ClassDescription.ledgers()

  init(row: Row) throws {
    name = try row.value(at: 0)
    age = try row.value(at: 1)
    email = try row.value(at: 2)
    objectID = try row.value(at: 3)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(name, at: 0)
    try binder.bind(age, at: 1)
    try binder.bind(email, at: 2)
  }
}

extension ClassDescription {
  /// The class as it is described at run time.
  static func ledgers(
    history: TableOptions.History = .changes, table: String = "Ledger", renamed: Bool = false,
    with: [PropertyDescription] = []
  ) -> ClassDescription {
    ClassDescription(
      "Ledger", table: table,
      properties: [
        PropertyDescription("name", type: .string),
        renamed
          ? PropertyDescription("years", type: .int, renamedFrom: ["age"])
          : PropertyDescription("age", type: .int),
        PropertyDescription("email", type: .string, isOptional: true),
      ] + with,
      indexes: [IndexDescription(["email"], unique: true)],
      renamedFrom: table == "Ledger" ? [] : ["Ledger"], options: TableOptions(history: history))
  }
}

extension ObjectChange {
  /// The change in a line: the kind, the object ID and the changed properties.
  var line: String {
    let id = objectID?.objectIDParts.map { part in
      switch part {
      case .integer(let number): "\(number)"
      case .text(let text): "'\(text)'"
      case .real(let number): "\(number)"
      case .blob(let bytes): "\(bytes)"
      case .null: "null"
      }
    }
    return ([kind.rawValue] + [id, properties].compactMap { $0?.joined(separator: ",") })
      .filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension Vault {
  /// The changes after a position as lines.
  func recorded(since position: HistoryPosition? = nil, of name: String? = nil) throws -> [String] {
    try changes(since: position, ofClassesNamed: name.map { [$0] } ?? []).changes.map(\.line)
  }

  /// The changes that a body makes, as lines.
  func recorded(by body: () throws -> Void) throws -> [String] {
    let position = try historyPosition()
    try body()
    return try recorded(since: position)
  }
}
