public import ObjectVaultModel

/// A result of a query and its differences from the previous result.
///
/// Positions of removed objects and original positions of moved objects refer to the previous
/// result. All other positions refer to the current result. To update a list, call
/// ``apply(to:with:)``.
///
/// ```swift
/// for try await change in students.query.observeChanges() {
///   change.apply(to: &names) { $0.name }
/// }
/// ```
public struct QueryChange<T: VaultObject> {
  /// An object and its position in a result.
  public struct Place: Hashable, Sendable {
    /// The ID of the object.
    public var id: T.ObjectIDType
    /// The position, from 0.
    public var position: Int
  }

  /// An object with a new position relative to the remaining objects.
  public struct Move: Hashable, Sendable {
    /// The ID of the object.
    public var id: T.ObjectIDType
    /// The position in the previous result.
    public var from: Int
    /// The position in the current result.
    public var to: Int
  }

  /// The current objects.
  public internal(set) var objects: [T]
  /// Whether this is the first result; if so, all objects are inserted.
  public internal(set) var isInitial: Bool
  /// The objects that were not in the previous result, in order.
  public internal(set) var inserted: [Place] = []
  /// The objects that are no longer in the result, in their previous order.
  public internal(set) var removed: [Place] = []
  /// The smallest set of moves that leaves the other objects in order, sorted by current position.
  public internal(set) var moved: [Move] = []
  /// The remaining objects with changed content or changed owned objects, in order.
  ///
  /// They include objects that also moved.
  public internal(set) var changed: [Place] = []

  /// Updates a list of items, one for each object of the previous result, to the current result.
  ///
  /// Removed and moved items are taken out from the end, then new and moved items are inserted from
  /// the start. Finally, changed items are created again.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - item: Creates the item of an object.
  /// - Precondition: The list has one item for each object of the previous result.
  public func apply<Item>(
    to list: inout [Item], with item: (T) throws -> Item
  ) rethrows {
    var movedItems: [Int: Item] = [:]
    let movesByOrigin = Dictionary(
      moved.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
    let leaving = (removed.map(\.position) + moved.map(\.from)).sorted(by: >)
    for position in leaving {
      let taken = list.remove(at: position)
      if let destination = movesByOrigin[position] { movedItems[destination] = taken }
    }
    let arriving = (inserted.map(\.position) + moved.map(\.to)).sorted()
    for position in arriving {
      list.insert(try movedItems[position] ?? item(objects[position]), at: position)
    }
    for place in changed { list[place.position] = try item(objects[place.position]) }
  }
}

extension QueryChange: Sendable where T: Sendable {}
