/// An object ID that compares by stored bytes instead of Unicode equivalence.
///
/// Swift treats canonically equivalent strings as equal, such as "é" composed and decomposed. In
/// the file they have different bytes and identify two objects.
@usableFromInline
struct ExactID<ID: ObjectIDValue>: Hashable {
  @usableFromInline let id: ID

  @inlinable
  init(_ id: ID) { self.id = id }

  /// Whether the object ID is an `Int64` or an `Int`.
  @inlinable
  static var isNumber: Bool { ID.self == Int64.self || ID.self == Int.self }

  /// The object ID as a number, if it is an `Int64` or an `Int`.
  @inlinable var number: Int64? {
    if ID.self == Int64.self { return id as? Int64 }
    return ID.self == Int.self ? (id as? Int).map(Int64.init) : nil
  }

  @inlinable
  static func == (a: ExactID, b: ExactID) -> Bool {
    guard a.id == b.id else { return false }
    // Only types that can contain text need the comparison of stored parts.
    return isNumber || haveSameParts(a.id, b.id)
  }

  @usableFromInline
  static func haveSameParts(_ a: ID, _ b: ID) -> Bool {
    (try? a.objectIDParts) == (try? b.objectIDParts)
  }

  @inlinable
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
