/// An object ID that compares by stored bytes instead of Unicode equivalence.
///
/// Swift treats canonically equivalent strings as equal, such as "é" composed and decomposed. In
/// the file they have different bytes and identify two objects.
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
    guard a.id == b.id else { return false }
    // Only types that can contain text need the comparison of stored parts.
    return isNumber || haveSameParts(a.id, b.id)
  }

  @usableFromInline
  static func haveSameParts(_ a: ID, _ b: ID) -> Bool {
    (try? a.objectIDParts) == (try? b.objectIDParts)
  }

  @inlinable
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
