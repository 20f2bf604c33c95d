import ObjectVaultModel

/// The positions of an owner's objects in its ordered list, as they are stored.
///
/// Neighbours are ``step`` apart at first, so that an object can be inserted between two others
/// without changing their positions.
struct ListPositions<ID: ObjectIDValue> {
  private let stored: [(id: ExactID<ID>, position: Int64?)]

  /// The objects of a list in their stored order.
  init(_ stored: [(id: ID, position: Int64?)]) {
    self.stored = stored.map { (ExactID($0.id), $0.position) }
  }

  /// Returns the positions to store so that the list has the given objects in this order.
  ///
  /// Objects that need not move retain their positions.
  ///
  /// - Parameter ids: The object IDs, each once. Those that are not stored in the list are new.
  /// - Returns: The object IDs whose positions change, in the order of the list.
  func changes(to ids: [ID]) -> [(id: ID, position: Int64)] {
    let wanted = ids.map(ExactID.init)
    let isWanted = Set(wanted)
    if stored.lazy.map(\.id).filter(isWanted.contains).elementsEqual(wanted) { return [] }
    let positions = Dictionary(
      stored.map { ($0.id, $0.position) }, uniquingKeysWith: { first, _ in first })
    var gaps = ListGaps(wanted.map { positions[$0] ?? nil })
    gaps.fill()
    return gaps.changed.map { (ids[$0], gaps.positions[$0] ?? 0) }
  }
}
