package import Foundation
package import ObjectVaultCore

/// An object of some kilobytes with unique content, which must survive a fault.
package struct Parcel: StoredObject, Hashable, Sendable {
  package var number: Int
  package var label: String
  package var content: Data

  /// Creates the parcel with a number.
  ///
  /// Every tenth parcel fills more than one page.
  package init(_ number: Int) {
    self.number = number
    label = "parcel \(number)"
    var random = SeededGenerator(seed: UInt64(number))
    let words = (0..<(number.isMultiple(of: 10) ? 3000 : 600)).map { _ in random.next() }
    content = words.withUnsafeBytes { Data($0) }
  }

  package static let classDescription = ClassDescription(
    "Parcel",
    properties: [
      PropertyDescription("number", Int.self), PropertyDescription("label", String.self),
      PropertyDescription("content", Data.self),
    ], objectID: ["number"], indexes: [IndexDescription(["label"])])

  package var storedObjectID: Int? { number }

  package init(row: Row) throws {
    number = try row.value(at: 0)
    label = try row.value(at: 1)
    content = try row.value(at: 2)
  }

  package func encode(into binder: Binder) throws {
    try binder.bind(number, at: 0)
    try binder.bind(label, at: 1)
    try binder.bind(content, at: 2)
  }
}
