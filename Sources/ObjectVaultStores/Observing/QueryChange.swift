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
  /// The items of new and of changed objects are created, in the order of the current result; all
  /// others are retained. If `item` throws, the list is unchanged.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - item: Creates the item of an object.
  /// - Precondition: The list has one item for each object of the previous result.
  public func apply<Item>(
    to list: inout [Item], with item: (T) throws -> Item
  ) rethrows {
    var isLeaving = [Bool](repeating: false, count: list.count)
    for position in removed.map(\.position) + moved.map(\.from) { isLeaving[position] = true }
    var remaining = list.indices.lazy.filter { !isLeaving[$0] }.makeIterator()
    let origins = Dictionary(
      moved.map { ($0.to, $0.from) }, uniquingKeysWith: { first, _ in first })
    let new = Set(inserted.map(\.position))
    let changed = Set(changed.map(\.position))
    var items: [Item] = []
    items.reserveCapacity(objects.count)
    for (position, object) in objects.enumerated() {
      let origin = new.contains(position) ? nil : origins[position] ?? remaining.next()
      if let origin, !changed.contains(position) {
        items.append(list[origin])
      } else {
        items.append(try item(object))
      }
    }
    list = items
  }
}

extension QueryChange: Sendable where T: Sendable {}
