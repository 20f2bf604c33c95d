package import Foundation
package import ObjectVaultCore

/// An object that stores one text in every way that a class supports.
///
/// The text is in the objectID, in an index, and in text, bytes and JSON properties.
package struct MarkedObject: StoredObject, Sendable {
  package var id: String
  package var word: String
  package var text: String
  package var data: Data
  package var list: [String]

  package init(_ marker: String, number: Int) {
    id = "\(marker) id \(number)"
    word = "\(marker) word \(number)"
    text = "\(marker) text \(number) " + String(repeating: "filling ", count: 20)
    data = Data("\(marker) data \(number)".utf8)
    list = ["\(marker) list \(number)"]
  }

  package static let classDescription = ClassDescription(
    "MarkedObject",
    properties: [
      PropertyDescription("id", String.self), PropertyDescription("word", String.self),
      PropertyDescription("text", String.self), PropertyDescription("data", Data.self),
      PropertyDescription("list", [String].self),
    ], objectID: ["id"], indexes: [IndexDescription(["word"])])

  package var storedObjectID: String? { id }

  package init(row: Row) throws {
    id = try row.value(at: 0)
    word = try row.value(at: 1)
    text = try row.value(at: 2)
    data = try row.value(at: 3)
    list = try row.value(at: 4)
  }

  package func encode(into binder: Binder) throws {
    try binder.bind(id, at: 0)
    try binder.bind(word, at: 1)
    try binder.bind(text, at: 2)
    try binder.bind(data, at: 3)
    try binder.bind(list, at: 4)
  }
}
