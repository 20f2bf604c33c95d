/// An objectID as a key: equal to another one where the file keeps both as the same.
///
/// To Swift, texts are equal that are canonically equivalent, such as "é" composed and decomposed. In
/// the file they have other bytes, and are the IDs of two objects.
@usableFromInline
struct ExactID<ID: ObjectIDValue>: Hashable {
  @usableFromInline let id: ID

  @inlinable
  init(_ id: ID) { self.id = id }

  /// Whether it is a number to Swift, too.
  @inlinable
  static var isNumber: Bool { ID.self == Int64.self || ID.self == Int.self }

  /// The number that it is, where it is one to Swift.
  @inlinable var number: Int64? {
    if ID.self == Int64.self { return id as? Int64 }
    return ID.self == Int.self ? (id as? Int).map(Int64.init) : nil
  }

  @inlinable
  static func == (a: ExactID, b: ExactID) -> Bool {
    guard a.id == b.id else { return false }
    // What has no texts needs no second look.
    return isNumber || haveSameParts(a.id, b.id)
  }

  @usableFromInline
  static func haveSameParts(_ a: ID, _ b: ID) -> Bool {
    (try? a.objectIDParts) == (try? b.objectIDParts)
  }

  @inlinable
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
