import Foundation

/// An object ID that compares by stored bytes instead of by Swift equality.
///
/// Swift treats canonically equivalent strings as equal, such as "é" composed and decomposed. In
/// the file they have different bytes and identify two objects. Different values of an
/// application's type can have the same stored form and identify one object.
@usableFromInline
package struct ExactID<ID: ObjectIDValue>: Hashable {
  @usableFromInline package let id: ID

  @inlinable
  package init(_ id: ID) { self.id = id }

  /// Whether the object ID is an `Int64` or an `Int`.
  @inlinable
  package static var isNumber: Bool { ID.self == Int64.self || ID.self == Int.self }

  /// The object ID as a number, if it is an `Int64` or an `Int`.
  @inlinable package var number: Int64? {
    if ID.self == Int64.self { return id as? Int64 }
    return ID.self == Int.self ? (id as? Int).map(Int64.init) : nil
  }

  @inlinable
  package static func == (a: ExactID, b: ExactID) -> Bool {
    isNumber ? a.id == b.id : haveSameParts(a.id, b.id)
  }

  @usableFromInline
  static func haveSameParts(_ a: ID, _ b: ID) -> Bool {
    switch (try? a.objectIDParts, try? b.objectIDParts) {
    case (let parts?, let otherParts?): parts == otherParts
    // Neither value can be stored.
    case (nil, nil): a == b
    default: false
    }
  }

  @inlinable
  package func hash(into hasher: inout Hasher) {
    if Self.isNumber || ID.self == String.self {
      hasher.combine(id)
    } else {
      hashParts(into: &hasher)
    }
  }

  @usableFromInline
  func hashParts(into hasher: inout Hasher) {
    // Two UUIDs are equal if their stored forms are.
    if ID.self != UUID.self, let parts = try? id.objectIDParts {
      hasher.combine(parts)
    } else {
      hasher.combine(id)
    }
  }
}
