/// An objectID as a key: equal to another one where the file keeps both as the same.
///
/// To Swift, texts are equal that are canonically equivalent, such as "é" composed and decomposed. In
/// the file they have other bytes, and are the IDs of two objects.
struct ExactID<ID: ObjectIDValue>: Hashable {
  let id: ID

  init(_ id: ID) { self.id = id }

  static func == (a: ExactID, b: ExactID) -> Bool {
    guard a.id == b.id else { return false }
    // What has no texts needs no second look.
    if ID.self == Int64.self || ID.self == Int.self { return true }
    return (try? a.id.objectIDParts) == (try? b.id.objectIDParts)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
